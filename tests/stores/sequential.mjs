// Whether the results of concurrent clients are those of some sequential order of documents, as docs/stores.md promises it: each
// document takes effect at one instant during its call. Documents of a call are in its order where an earlier one changes
// what a later one sees.
import { sketch } from 'nearprint';
import { Model, stored } from '../js/model.mjs';
import { random } from '../js/random.mjs';

const VOCABULARY = 30_000;

/** The calls of a family, its pages, and the versions of its text. */
const [CALLS, PAGES, VERSIONS] = [12, 12, 4];

/** The numbers of documents of a call. Two large calls at once have many orders. */
const SIZES = [1, 1, 1, 1, 1, 2, 2, 2, 3, 4, 6, 24];

/** How many steps of orders of a family are tried. */
const MAX_STEPS = 300_000;

/** The share of families that may have too many orders to try. */
const MAX_UNDECIDED = 0.02;

const LEASE = 100_000;

/** The methods of calls, as often as they are called. */
const METHODS = [
  ...Array(8).fill('observe'),
  'add',
  'confirm',
  'confirm',
  'release',
  'delete',
  'delete',
  'peek',
  'query',
];

/**
 * Returns calls in families: each is of the versions of one text, which resemble each other, under a few ids. No document of one
 * family depends on those of another. Call `at` is for client `at % clients`, so that clients that take turns collide in each
 * family.
 */
export function calls(seed, families) {
  const next = random(seed);
  const word = () => `w${next(VOCABULARY).toString(36)}`;
  const oneOf = (values) => values[next(values.length)];
  return Array.from({ length: families }, (_, family) => {
    const words = Array.from({ length: 60 + next(60) }, word);
    const edited = () => words.map((each) => (next(25) === 0 ? word() : each)).join(' ');
    const sketches = Array.from({ length: VERSIONS }, () => sketch(edited()));
    const document = () => ({ id: `family ${family}, page ${next(PAGES)}`, sketch: oneOf(sketches) });
    const version = () => (next(2) ? document() : { id: document().id });
    const some = (make, max = 24) => Array.from({ length: Math.min(oneOf(SIZES), max) }, make);
    const makers = {
      observe: () => {
        const lease = next(2) ? { lease: LEASE } : {};
        return { documents: some(document), options: { minResemblance: oneOf([0.67, 0.67, 0.9]), ...lease } };
      },
      peek: () => ({ documents: some(document), options: { minResemblance: 0.67 } }),
      query: () => ({ documents: [document()], options: { limit: 1 + next(3) } }),
      // Calls without a result for each document: many of them would have too many orders.
      add: () => ({ documents: some(document, 3) }),
      confirm: () => ({ documents: some(version, 3) }),
      release: () => ({ documents: some(version, 3) }),
      delete: () => ({ documents: some(document, 3) }),
    };
    return Array.from({ length: CALLS }, () => {
      const method = oneOf(METHODS);
      return { family, method, ...makers[method]() };
    });
  }).flat();
}

const settled = ({ id, sketch }) => (sketch === undefined ? id : { id, sketch });

/** Each makes a call of a store. */
const onStore = {
  observe: (store, { documents, options }) => store.observe(documents, options),
  peek: (store, { documents, options }) => store.peek(documents, options),
  add: (store, { documents }) => store.add(documents),
  confirm: (store, { documents }) => store.confirm(documents.map(settled)),
  release: (store, { documents }) => store.release(documents.map(settled)),
  delete: (store, { documents }) => store.delete(documents.map(({ id }) => id)),
  query: (store, { documents: [{ sketch }], options }) => store.query(sketch, options),
};

/** Each does with a model what a call does with one of its documents. */
const onModel = {
  observe: (model, { id, sketch }, options) => ({ id, ...model.observe(id, sketch, options) }),
  peek: (model, { id, sketch }, options) => ({ ...model.peek(id, sketch, options) }),
  add: (model, { id, sketch }) => model.add(id, sketch),
  confirm: (model, version) => model.confirm([settled(version)]),
  release: (model, version) => model.release([settled(version)]),
  delete: (model, { id }) => model.delete([id]),
  query: (model, { sketch }, options) => model.query(sketch, options),
};

/** The methods whose result is a number of documents. */
const COUNTS = ['confirm', 'release', 'delete'];

/** The time, which the processes of a machine have in common. */
const now = () => Number(process.hrtime.bigint());

/**
 * Makes the calls of one client, those at `from`, `from + parts` and so on. Calls `report` with the record of each: `{ at, start }`
 * before the call, and `{ at, start, end, result }` after it.
 */
export async function makeCalls(store, all, { from, parts }, report) {
  for (let at = from; at < all.length; at += parts) {
    const start = now();
    report({ at, start });
    const result = await onStore[all[at].method](store, all[at]);
    report({ at, start, end: now(), result });
  }
}

const isEqual = (a, b) =>
  typeof a !== 'object' || a === null ? a === b : Object.keys({ ...a, ...b }).every((key) => isEqual(a[key], b?.[key]));

/** Returns whether some of the sketches resembles two of them alike: the one that was kept first is then the better hit. */
function tiesOf(sketches) {
  const all = new Map(sketches.map((sketch) => [sketch.toHex(), sketch]));
  const ties = new Set(Array.from(all.keys(), (hex) => hex + hex));
  for (const sketch of all.values()) {
    for (const [a, one] of all) {
      for (const [b, other] of all) if (sketch.resemblance(one) === sketch.resemblance(other)) ties.add(a + b);
    }
  }
  return (a, b) => ties.has(a + b);
}

/** The states of a store that steps lead to, as far as they were asked for. */
class States {
  #all = new Map();
  #tie;

  /** `sketches` has the sketches of all steps. */
  constructor(sketches) {
    this.#tie = tiesOf(sketches.map(stored));
    this.first = this.#of(new Model({ prunes: false }));
  }

  /** Returns the state of a model. States are the same if versions were kept in another order that changes no result. */
  #of(model) {
    const versions = JSON.parse(model.state);
    const names = versions.map((version) => JSON.stringify(version));
    const inOrder = names.flatMap((name, at) =>
      names
        .slice(at + 1)
        .filter((_, later) => this.#tie(versions[at][0], versions[at + 1 + later][0]))
        .map((other) => name + other),
    );
    const key = JSON.stringify([names.sort(), inOrder.sort()]);
    if (!this.#all.has(key)) this.#all.set(key, { number: this.#all.size, model, done: new Map() });
    return this.#all.get(key);
  }

  /** Returns the result of a step, and the state after it. */
  after(state, { name, method, document, options }) {
    if (!state.done.has(name)) {
      const model = state.model.clone();
      const result = onModel[method](model, document, options);
      state.done.set(name, { result, next: this.#of(model) });
    }
    return state.done.get(name);
  }
}

function shareKey(a, b) {
  const keys = new Set(a.keys);
  return b.keys.some((key) => keys.has(key));
}

/**
 * Whether a document of a call changes what a later one sees: a version of its id, or for a decision that depends on other ids, one
 * under a key in common.
 */
function affects({ method, document, writes }, later) {
  if (!writes) return false;
  if (document.id === later.document.id) return true;
  const searches = method === 'add' || (method === 'observe' && later.expected?.status !== 'unchanged');
  return searches && shareKey(document.sketch, later.document.sketch);
}

/** Returns the documents of a call as steps. `earlier` of a step has those that must come before it. */
function stepsOf({ method, documents, options }, { start, end, result }) {
  const isEnded = end !== undefined;
  const isCount = COUNTS.includes(method);
  /** The number of documents that the call has still to count. */
  const call = { count: isEnded && isCount ? result : undefined };
  const steps = documents.map((document, at) => {
    const { id, sketch } = document;
    const name = JSON.stringify([method, id, sketch?.toHex(), options]);
    const expected = !isEnded || isCount || method === 'add' ? undefined : method === 'query' ? result : result[at];
    // In the order of these times, the first order that is tried is close to the real one.
    const order = start + ((end ?? Number.MAX_SAFE_INTEGER) - start) * ((at + 1) / documents.length);
    const isKept = ['new', 'changed'].includes(expected?.status);
    const writes = !['peek', 'query'].includes(method) && (expected === undefined || isKept);
    return { call, method, document, options, name, start, end, isEnded, expected, writes, order };
  });
  for (const [at, step] of steps.entries()) step.earlier = steps.slice(0, at).filter((each) => affects(each, step));
  return steps;
}

/** Whether some order of the steps of one family explains the results of its calls, and what is kept in the end. */
class Search {
  #tried = 0;
  #states;
  #kept;
  /** The states, with the steps that are left, from which no order of the rest has succeeded. */
  #failed = new Set();

  constructor(kept) {
    this.#kept = kept;
  }

  /** Whether there were too many orders to try. */
  get isUndecided() {
    return this.#tried > MAX_STEPS;
  }

  hasOrder(steps) {
    for (const [at, step] of steps.entries()) step.number = at;
    this.#states = new States(steps.flatMap(({ document: { sketch } }) => sketch ?? []));
    return this.#search(this.#states.first, new Set(steps), new Map());
  }

  /** `counted` has the numbers that calls have counted so far. */
  #search(state, given, counted) {
    const left = this.#withoutReads(state, given, counted);
    const known = [...left].filter(({ isEnded }) => isEnded);
    if (known.length === 0 && this.#isKept(state)) return true;
    const key = `${state.number} ${Array.from(left, ({ number }) => number)} ${Array.from(counted.values())}`;
    if (this.#failed.has(key)) return false;
    this.#failed.add(key);
    const limit = endOf(left);
    for (const step of left) {
      if (!canBeNext(step, left, limit)) continue;
      if (++this.#tried > MAX_STEPS) return false;
      const { result, next } = this.#states.after(state, step);
      if (!step.isEnded) {
        if (next === state) continue;
        // A call that was interrupted may take effect later, or never.
        const others = [...left].filter((each) => each !== step && !step.earlier.includes(each));
        if (this.#search(next, new Set(others), counted)) return true;
        continue;
      }
      if (!step.writes) continue;
      const { call } = step;
      const others = new Set(left);
      others.delete(step);
      if (call.count === undefined) {
        if (step.expected !== undefined && !isEqual(result, step.expected)) continue;
        if (this.#search(next, others, counted)) return true;
        continue;
      }
      const sum = (counted.get(call) ?? 0) + result;
      const rest = known.filter((each) => each.call === call).length - 1;
      if (sum > call.count || sum + rest < call.count) continue;
      if (this.#search(next, others, new Map(counted).set(call, sum))) return true;
    }
    return false;
  }

  /**
   * Returns the steps that are left without those that can be next and write nothing: if any order of the rest succeeds, so
   * does one that begins with them.
   */
  #withoutReads(state, given, counted) {
    const left = new Set(given);
    for (let size; size !== left.size; ) {
      size = left.size;
      const limit = endOf(left);
      for (const step of left) {
        const { isEnded, writes, call } = step;
        const reads = !writes || (call.count !== undefined && call.count === (counted.get(call) ?? 0));
        if (!isEnded || !reads || !canBeNext(step, left, limit)) continue;
        const { result } = this.#states.after(state, step);
        if (isEqual(result, writes ? 0 : step.expected)) left.delete(step);
      }
    }
    return left;
  }

  #isKept({ model }) {
    const kept = new Map();
    for (const { id, sketch } of model.entries()) if (!kept.has(id)) kept.set(id, sketch.toHex());
    return kept.size === this.#kept.length && this.#kept.every(([id, hex]) => kept.get(id) === hex);
  }
}

/** Returns the first time at which a call of some steps ended. */
const endOf = (steps) => [...steps].reduce((first, { end = first }) => Math.min(first, end), Number.POSITIVE_INFINITY);

/** Whether a step can be the next one of those that are left: no other call ended before its call began. */
const canBeNext = ({ isEnded, start, earlier }, left, limit) =>
  start <= limit && (!isEnded || !earlier.some((each) => left.has(each)));

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
  let undecided = 0;
  const missing = all.length - new Set(records.filter(({ end }) => end !== undefined).map(({ at }) => at)).size;
  if (missing > 0) messages.push(`${missing} calls have no result`);
  for (const [family, own] of families) {
    const steps = own.flatMap((record) => stepsOf(all[record.at], record)).sort((a, b) => a.order - b.order);
    const search = new Search([...kept].filter(([id]) => id.startsWith(`family ${family},`)));
    const isExplained = search.hasOrder(steps);
    if (search.isUndecided) undecided++;
    if (isExplained || search.isUndecided) continue;
    const results = own.map(({ at, result }) => `${all[at].method} ${JSON.stringify(result)}`);
    messages.push(`family ${family}: no order gives ${results.join('; ')}`);
  }
  if (undecided > MAX_UNDECIDED * families.size) messages.push(`${undecided} families have too many orders to try`);
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
