// Whether the results of concurrent clients are those of some sequential order, in which a call that ended before another one
// began comes first.
import { sketch } from 'nearprint';
import { findsWithProbes, Model } from '../js/model.mjs';
import { random } from '../js/random.mjs';

const VOCABULARY = 30_000;

/** The calls of a family. Each client has some of them. */
const CALLS = 12;

/** How many orders of a family are tried. */
const MAX_STEPS = 20_000;

const LEASE = 100_000;

/** The default number of probes of a store. */
const PROBES = 25;

/**
 * Returns calls in families: each is of some versions of one text under a few ids, so that no call of one family depends on a
 * call of another. Call `at` is for client `at % clients`, so that clients that take turns collide in each family. `isPlain` is
 * for calls without leases.
 */
export function calls(seed, families, isPlain = false) {
  const next = random(seed);
  const word = () => `w${next(VOCABULARY).toString(36)}`;
  return Array.from({ length: families }, (_, family) => {
    const words = Array.from({ length: 60 + next(60) }, word);
    const edited = () => words.map((each) => (next(25) === 0 ? word() : each)).join(' ');
    const texts = [words.join(' '), edited(), edited(), Array.from({ length: 60 }, word).join(' ')];
    const sketches = texts.map((text) => sketch(text));
    const document = () => ({ id: `family ${family}, page ${next(3)}`, sketch: sketches[next(sketches.length)] });
    return Array.from({ length: CALLS }, () => {
      const kind = next(12);
      const { id, sketch } = document();
      if (kind < 4 || (isPlain && kind < 11)) return { family, method: 'observe', id, sketch, options: {} };
      if (kind < 8) return { family, method: 'observe', id, sketch, options: { lease: LEASE } };
      const version = next(2) ? id : { id, sketch };
      if (kind === 8 || kind === 9) return { family, method: 'confirm', version };
      if (kind === 10) return { family, method: 'release', version };
      return next(3) === 0
        ? { family, method: 'delete', id }
        : { family, method: 'query', sketch, options: { limit: 1 + next(2) } };
    });
  }).flat();
}

const onStore = {
  observe: async (store, { id, sketch, options }) => (await store.observe([{ id, sketch }], options))[0],
  confirm: (store, { version }) => store.confirm([version]),
  release: (store, { version }) => store.release([version]),
  delete: (store, { id }) => store.delete([id]),
  query: (store, { sketch, options }) => store.query(sketch, options),
};

const onModel = {
  observe: (model, { id, sketch, options }) => ({ id, ...model.observe(id, sketch, options) }),
  confirm: (model, { version }) => model.confirm([version]),
  release: (model, { version }) => model.release([version]),
  delete: (model, { id }) => model.delete([id]),
  query: (model, { sketch, options }) => model.query(sketch, options),
};

/** Makes a call. Returns its times, which the processes of a machine have in common, and its result. */
export async function timed(call) {
  const start = Number(process.hrtime.bigint());
  const result = await call();
  return { start, end: Number(process.hrtime.bigint()), result };
}

/** Makes the calls of one client. Calls `report` with the record of each: `{ at, start, end, result }`. */
export async function makeCalls(store, all, { part, parts }, report) {
  for (let at = part; at < all.length; at += parts) {
    report({ at, ...(await timed(() => onStore[all[at].method](store, all[at]))) });
  }
}

const isEqual = (a, b) =>
  typeof a !== 'object' || a === null ? a === b : Object.keys({ ...a, ...b }).every((key) => isEqual(a[key], b?.[key]));

/** Runs calls with a new model. Returns the last result, and the model. */
function replay(all, order) {
  const model = new Model(findsWithProbes(PROBES));
  let result;
  for (const { at } of order) result = onModel[all[at].method](model, all[at]);
  return { result, model };
}

const stateOf = (model) => {
  const kept = new Map();
  for (const { id, sketch } of model.entries()) if (!kept.has(id)) kept.set(id, sketch.toHex());
  return kept;
};

/**
 * Returns what no sequential order explains, as messages. `records` are those of all calls, and `kept` is what the store has in
 * the end, as a map of ids to sketches in hexadecimal form.
 */
export function violations(all, records, kept) {
  const families = new Map();
  for (const record of records) {
    const { family } = all[record.at];
    families.set(family, [...(families.get(family) ?? []), record]);
  }
  const messages = [];
  if (records.length !== all.length) messages.push(`${all.length - records.length} calls have no result`);
  for (const [family, own] of families) {
    const ofFamily = [...kept].filter(([id]) => id.startsWith(`family ${family},`));
    let steps = 0;
    const search = (order, left) => {
      if (left.length === 0) {
        const state = stateOf(replay(all, order).model);
        return state.size === ofFamily.length && ofFamily.every(([id, hex]) => state.get(id) === hex);
      }
      const limit = Math.min(...left.map(({ end }) => end));
      for (const each of left) {
        // Another call ended before this one began.
        if (each.start > limit) continue;
        if (++steps > MAX_STEPS) return false;
        const extended = [...order, each];
        if (!isEqual(replay(all, extended).result, each.result)) continue;
        if (
          search(
            extended,
            left.filter((other) => other !== each),
          )
        )
          return true;
      }
      return false;
    };
    if (
      search(
        [],
        [...own].sort((a, b) => a.end - b.end),
      )
    )
      continue;
    const results = own.map(({ at, result }) => `${all[at].method} ${JSON.stringify(result)}`);
    messages.push(`family ${family}: no order gives ${results.join('; ')}`);
  }
  return messages;
}
