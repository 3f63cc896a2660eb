// Whether the results of concurrent clients are those of some sequential order, in which a call that ended before another one
// began comes first.
import { sketch } from 'nearprint';
import { Model } from '../js/model.mjs';
import { random } from '../js/random.mjs';

const VOCABULARY = 30_000;

/** The calls of a family. Each client has some of them. */
const CALLS = 12;

/** How many steps of orders of a family are tried. */
const MAX_STEPS = 500_000;

const LEASE = 100_000;

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

/** The time, which the processes of a machine have in common. */
const now = () => Number(process.hrtime.bigint());

/** Returns the places of calls in groups: each is one of a store. */
function groupsOf(all, places) {
  const groups = new Map();
  for (const at of places) {
    const { method, options } = all[at];
    const key = method === 'observe' ? JSON.stringify(options) : at;
    groups.set(key, [...(groups.get(key) ?? []), at]);
  }
  return groups.values();
}

/**
 * Makes the calls of one client, those at `from`, `from + parts` and so on. Of each `size` of them, those that observe in the same
 * way are one call of the store: in families of their own, they do not depend on each other. Calls `report` with the record of
 * each: `{ at, start }` before the call, and `{ at, start, end, result }` after it.
 */
export async function makeCalls(store, all, { from, parts, size = 1 }, report) {
  const own = [...all.keys()].filter((at) => at >= from && (at - from) % parts === 0);
  for (let first = 0; first < own.length; first += size) {
    for (const places of groupsOf(all, own.slice(first, first + size))) {
      const start = now();
      for (const at of places) report({ at, start });
      const [{ method, options }] = places.map((at) => all[at]);
      const results =
        method === 'observe'
          ? await store.observe(
              places.map((at) => ({ id: all[at].id, sketch: all[at].sketch })),
              options,
            )
          : [await onStore[method](store, all[places[0]])];
      const end = now();
      for (const [each, at] of places.entries()) report({ at, start, end, result: results[each] });
    }
  }
}

const isEqual = (a, b) =>
  typeof a !== 'object' || a === null ? a === b : Object.keys({ ...a, ...b }).every((key) => isEqual(a[key], b?.[key]));

/** Runs calls with a new model. Returns the last result, and the model. */
function replay(all, order) {
  const model = new Model({ prunes: false });
  let result;
  for (const { at } of order) result = onModel[all[at].method](model, all[at]);
  return { result, model };
}

const stateOf = (model) => {
  const kept = new Map();
  for (const { id, sketch } of model.entries()) if (!kept.has(id)) kept.set(id, sketch.toHex());
  return kept;
};

/** Whether some order of the records of one family explains their results and what is kept. */
function hasOrder(all, records, kept) {
  let steps = 0;
  /** The calls that are left, and the state that the others lead to: no order of the rest has succeeded. */
  const failed = new Set();
  const search = (order, left) => {
    const { model } = replay(all, order);
    const key = `${left.map(({ at }) => at).sort()} ${model.state}`;
    if (failed.has(key)) return false;
    failed.add(key);
    if (left.every(({ end }) => end === undefined)) {
      const state = stateOf(model);
      if (state.size === kept.length && kept.every(([id, hex]) => state.get(id) === hex)) return true;
    }
    // A call that was interrupted may take effect later, or never.
    const limit = Math.min(...left.map(({ end = Number.POSITIVE_INFINITY }) => end));
    for (const each of left) {
      // Another call ended before this one began.
      if (each.start > limit) continue;
      if (++steps > MAX_STEPS) throw new Error('there are too many orders to try');
      const extended = [...order, each];
      if (each.end !== undefined && !isEqual(replay(all, extended).result, each.result)) continue;
      const others = left.filter((other) => other !== each);
      if (search(extended, others)) return true;
    }
    return false;
  };
  const inOrder = records.toSorted((a, b) => (a.end ?? Number.POSITIVE_INFINITY) - (b.end ?? Number.POSITIVE_INFINITY));
  return search([], inOrder);
}

/**
 * Returns messages on results that no sequential order explains. `records` has all calls, `{ at, start }` for one that was
 * interrupted, and `kept` is what the store has in the end, as a map of ids to sketches in hexadecimal form.
 */
export function violations(all, records, kept) {
  const families = new Map();
  for (const record of records) {
    const { family } = all[record.at];
    families.set(family, [...(families.get(family) ?? []), record]);
  }
  const messages = [];
  const missing = all.length - new Set(records.filter(({ end }) => end !== undefined).map(({ at }) => at)).size;
  if (missing > 0) messages.push(`${missing} calls have no result`);
  for (const [family, own] of families) {
    const ofFamily = [...kept].filter(([id]) => id.startsWith(`family ${family},`));
    if (hasOrder(all, own, ofFamily)) continue;
    const results = own.map(({ at, result }) => `${all[at].method} ${JSON.stringify(result)}`);
    messages.push(`family ${family}: no order gives ${results.join('; ')}`);
  }
  return messages;
}

/** Returns what a store has, as a map of ids to sketches in hexadecimal form. Fails if it yields an id twice. */
export async function keptBy(store) {
  const kept = new Map();
  for await (const { id, sketch } of store.entries()) {
    if (kept.has(id)) throw new Error(`${id} is yielded twice`);
    kept.set(id, sketch.toHex());
  }
  return kept;
}
