// The rule has two naive models, one for the tests of each language. tests/decisions.json has random operations and what the
// model in JavaScript returns; a test of tests/it/dedupe.rs compares the model in Rust with it. `UPDATE=1` writes the file.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { sketch } from '../../pkg/index.js';
import { test } from '../tier.mjs';
import { Model } from './model.mjs';
import { random } from './random.mjs';

const file = new URL('../decisions.json', import.meta.url);
const below = random(Number(process.env.SEED ?? 17));

/** Texts in families, the first ones of few words. In one of them, texts lack words at the end; in the others, words differ. */
const texts = [3, 8, 14, 60, 60].flatMap((words, family) =>
  Array.from({ length: 5 }, (_, edits) => {
    const text = Array.from({ length: words }, (_, at) => `w${family}${(at * 7) % 97}`);
    if (family === 1) return text.slice(0, words - edits).join(' ');
    for (let edit = 0; edit < edits; edit++) text[below(words)] = `x${below(1000)}`;
    return text.join(' ');
  }),
);
texts.push('', '...');
const sketches = texts.map((text) => sketch(text));

const maybe = (percent, value) => (below(100) < percent ? value() : null);

/** Makes a random operation on some ids and texts: its name and arguments. Ids and texts are given by their numbers. */
function operation(ids, [from, to]) {
  const [id, time] = [below(ids), () => below(40)];
  // Often the text of the id, so that unchanged documents are frequent.
  const text = from + ((below(2) > 0 ? id : below(to - from)) % (to - from));
  return [
    ...Array.from({ length: 5 }, () => ['observe', id, text, maybe(30, time), maybe(50, time)]),
    ...Array.from({ length: 3 }, () => ['add', id, text, maybe(30, time)]),
    ...Array.from({ length: 2 }, () => ['peek', maybe(70, () => id), text]),
    ...Array.from({ length: 2 }, () => ['settle', id, maybe(30, () => text), below(2) > 0]),
    ...Array.from({ length: 2 }, () => ['query', text, 1 + below(5)]),
    ['remove', id],
  ][below(15)];
}

/** Runs an operation on a model. Returns what it returns, without undefined fields. */
function apply(model, [name, ...args], now, minResemblance) {
  const options = (expiresIn, lease) => ({
    now,
    minResemblance,
    ...(expiresIn !== null && { expiresIn }),
    ...(lease !== null && { lease }),
  });
  const operations = {
    observe: (id, text, expiresIn, lease) => model.observe(id, sketches[text], options(expiresIn, lease)),
    add: (id, text, expiresIn) => model.add(id, sketches[text], options(expiresIn, null)),
    peek: (id, text) => model.peek(id ?? undefined, sketches[text], options(null, null)),
    settle(id, text, confirms) {
      const entry = text === null ? id : { id, sketch: sketches[text] };
      return (confirms ? model.confirm([entry], now) : model.release([entry], now)) > 0;
    },
    query: (text, limit) => model.query(sketches[text], { now, minResemblance, limit }),
    remove: (id) => model.delete([id], now) > 0,
  };
  return operations[name](...args) ?? null;
}

/** Runs random operations on a model: `[time, operation, result]`. */
function steps(minResemblance, ids, range) {
  const model = new Model();
  let now = 0;
  return Array.from({ length: 250 }, () => {
    now += below(8);
    const step = operation(ids, range);
    return [now, step, apply(model, step, now, minResemblance)];
  });
}

const runs = [
  [0.67, 4, [5, 15]],
  [0.67, 6, [15, 25]],
  [0.1, 9, [0, texts.length]],
  [1, 6, [8, 18]],
].map(([minResemblance, ...range]) => ({ minResemblance, steps: steps(minResemblance, ...range) }));

test('tests/decisions.json has what the model decides, which the model in Rust is compared with', () => {
  const lines = (all) => all.map((each) => `\n${JSON.stringify(each)}`).join(',');
  const whole = runs.map(
    ({ minResemblance, steps }) => `\n{"minResemblance":${minResemblance},"steps":[${lines(steps)}]}`,
  );
  const content = `{"texts":[${lines(texts)}],\n"runs":[${whole.join(',')}]}\n`;
  if (process.env.UPDATE) writeFileSync(file, content);
  assert.equal(readFileSync(file, 'utf8'), content, 'UPDATE=1 node --test tests/js/model.test.mjs writes it');
  const found = runs.flatMap(({ steps }) => steps.map(([, [name], result]) => result?.status ?? name));
  for (const each of ['new', 'changed', 'unchanged', 'duplicate', 'settle', 'query'])
    assert.ok(found.includes(each), each);
});
