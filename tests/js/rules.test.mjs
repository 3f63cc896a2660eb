// The table of the rules (rules.mjs) on the sets of a process. tests/stores has the engines.
import { mock, test } from 'node:test';
import { memoryStore } from '../../pkg/store/memory.js';
import { checkRules, decisionsOf, deduplicatorSet, storeSet } from './rules.mjs';

const observe = (kept, documents, options) => kept.observeAll(documents, options);
const dedupeInto = (kept, documents, options) => decisionsOf(documents, { ...options, against: kept });
const withPromises = ({ textOf, ...options }) => ({ ...options, textOf: async (id) => textOf(id) });

const hasLeases = false;
for (const byText of [false, true]) {
  const how = byText ? 'by texts' : 'by estimates';
  test(`observe of a Deduplicator, ${how}, follows the rules`, (context) =>
    checkRules(context, () => deduplicatorSet(observe), { hasLeases, byText }));
  test(`dedupe, ${how}, follows the rules`, (context) =>
    checkRules(context, () => deduplicatorSet(dedupeInto), { hasLeases, byText }));
}
test('dedupe with promises of texts follows the rules', (context) => {
  const decide = (kept, documents, options) => dedupeInto(kept, documents, withPromises(options));
  return checkRules(context, () => deduplicatorSet(decide), { hasLeases, byText: true });
});

for (const [name, decide] of [['observe'], ['dedupe', dedupeInto]]) {
  test(`${name} of a store in memory follows the rules`, async (context) => {
    mock.timers.enable({ apis: ['Date'] });
    const setTime = (seconds) => mock.timers.setTime(1000 * seconds);
    try {
      const open = () => storeSet({ store: memoryStore(), setTime, close() {} }, decide);
      // dedupe confirms each document when the next one is requested.
      await checkRules(context, open, { hasLeases: name === 'observe' });
    } finally {
      mock.timers.reset();
    }
  });
}
