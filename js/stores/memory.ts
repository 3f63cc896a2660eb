/**
 * A store in the memory of one process: for tests, and for programs that choose their store at run time.
 *
 * @packageDocumentation
 */

import { chooseFor, type Filed, type Key } from './candidates.js';
import { type Found, type LocalEngine, type Metadata, PAGE, type Page, type Question, type Write } from './engine.js';
import { checkSettings, LAYOUT, newSalt, type Settings } from './settings.js';
import { Store, type StoreOptions } from './store.js';

export type * from './store.js';

/** A version with its keys. */
type Kept = Filed & { readonly keys: readonly Key[] };

/** Adds a version to a list of a map. */
function addTo<K>(lists: Map<K, Kept[]>, key: K, version: Kept): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [version]);
  else list.push(version);
}

function removeFrom<K>(lists: Map<K, Kept[]>, key: K, number: number): void {
  const rest = lists.get(key)?.filter((version) => version.number !== number) ?? [];
  if (rest.length > 0) lists.set(key, rest);
  else lists.delete(key);
}

class MemoryEngine implements LocalEngine {
  readonly size = PAGE;
  readonly #metadata: Metadata;
  readonly #byNumber = new Map<number, Kept>();
  readonly #byId = new Map<string, Kept[]>();
  readonly #byKey = new Map<Key, Kept[]>();
  #last = 0;

  constructor({ scheme }: Settings) {
    this.#metadata = { scheme, layout: LAYOUT, salt: newSalt() };
  }

  schema(): string {
    return '';
  }

  async readMetadata(): Promise<Metadata> {
    return this.#metadata;
  }

  async create(): Promise<void> {}

  async transaction<T>(_: boolean, body: () => T): Promise<T> {
    return body();
  }

  readNow(questions: readonly Question[]): Found {
    const now = Date.now();
    const answers = questions.map(({ id, keys }) => {
      const own = id === undefined ? [] : (this.#byId.get(id) ?? []);
      const found = keys.map((key) => this.#byKey.get(key) ?? []);
      return { own, ...chooseFor(id, found, now) };
    });
    return { now, answers };
  }

  writeNow({ id, removes, update, insert }: Write): void {
    for (const { number } of removes) {
      for (const key of this.#byNumber.get(number)?.keys ?? []) removeFrom(this.#byKey, key, number);
      this.#byNumber.delete(number);
      removeFrom(this.#byId, id, number);
    }
    if (update !== undefined) Object.assign(this.#byNumber.get(update.number) as Kept, update);
    if (insert === undefined) return;
    const version = { id, number: ++this.#last, ...insert };
    this.#byNumber.set(version.number, version);
    addTo(this.#byId, id, version);
    for (const key of insert.keys) addTo(this.#byKey, key, version);
  }

  async page(_: unknown, isEnded: boolean): Promise<Page> {
    const now = Date.now();
    return { versions: [...this.#byNumber.values()].filter(({ ends }) => !isEnded || ends <= now), next: undefined };
  }

  async count(): Promise<number> {
    const now = Date.now();
    return new Set([...this.#byNumber.values()].filter(({ ends }) => ends > now).map(({ id }) => id)).size;
  }
}

/**
 * Returns a new store in the memory of this process.
 *
 * @example
 * ```js
 * await using kept = memoryStore();
 * await kept.observe([{ id: 'a', text: 'Good news' }, { id: 'b', text: 'GOOD NEWS!' }]);
 * // [{ id: 'a', status: 'new' }, { id: 'b', status: 'duplicate', duplicateOf: 'a', resemblance: 1, distance: 0 }]
 * ```
 * @throws {@link ArgumentError}: an option is wrong
 */
export function memoryStore(options?: StoreOptions): Store {
  const settings = checkSettings(options);
  return new Store(new MemoryEngine(settings), settings, []);
}
