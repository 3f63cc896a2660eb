// A disk that loses power: changes that no fsync has made safe are lost or partly there, the writes to each file and the names of
// the files independently of each other.

/** Returns the first half of a write. A change of a name or of a length is whole. */
const torn = (change) => (change.data ? { ...change, data: change.data.subarray(0, change.data.length >> 1) } : change);

/** Functions of the changes since the last fsync that return the surviving ones. `random()` returns a number in [0, 1). */
export const survivors = {
  none: () => [],
  all: (changes) => changes,
  /** The first ones; the last of them may be torn. */
  first: (random) => (changes) => {
    const count = Math.round(random() * changes.length);
    return changes
      .slice(0, count)
      .map((change, at) => (at === count - 1 && count < changes.length ? torn(change) : change));
  },
  /** Any of them, since a disk writes in an order of its own. Some are torn. */
  some: (random) => (changes) =>
    changes.flatMap((change) => {
      const chance = random();
      return chance < 0.4 ? [] : chance < 0.5 ? torn(change) : change;
    }),
};

/** A state with a safe form, and the changes since. */
class Changing {
  #safe;
  #pending = [];
  #apply;

  /** `apply(state, changes)` returns the state after changes. */
  constructor(safe, apply) {
    this.#safe = safe;
    this.#apply = apply;
  }

  get pending() {
    return this.#pending.length;
  }

  change(change) {
    this.#pending.push(change);
  }

  /** Begins an fsync, and returns the function that ends it: what is pending now is safe then. */
  beginSync() {
    const begun = new Set(this.#pending);
    return () => {
      this.#safe = this.after((changes) => changes.filter((change) => begun.has(change)));
      this.#pending = this.#pending.filter((change) => !begun.has(change));
    };
  }

  /** Returns the state after a power cut. */
  after(survive) {
    return this.#apply(this.#safe, survive(this.#pending));
  }
}

/** Returns the content of a file after writes and changes of its length. A write without a position is at the end. */
const contentAfter = (content, changes) =>
  changes.reduce((before, { data, position = before.length, length }) => {
    const next = Buffer.alloc(length ?? Math.max(before.length, position + data.length));
    before.copy(next);
    data?.copy(next, position);
    return next;
  }, content);

/** Returns the files by name after changes of names. */
function namesAfter(files, changes) {
  const next = new Map(files);
  for (const { name, file } of changes) {
    if (file === undefined) next.delete(name);
    else next.set(name, file);
  }
  return next;
}

class File extends Changing {
  constructor(content = Buffer.alloc(0)) {
    super(content, contentAfter);
  }

  /** Without a position, the data is written at the end. */
  write(data, position) {
    this.change({ data, position });
  }

  truncate(length) {
    this.change({ length });
  }
}

/** A folder of files. A sync of it makes the names of its files safe. */
export class Disk extends Changing {
  /** The files by name, as programs see them. */
  #seen;

  /** `contents` has the contents of the files by name. */
  constructor(contents = {}) {
    const files = new Map(Object.entries(contents).map(([name, content]) => [name, new File(content)]));
    super(files, namesAfter);
    this.#seen = new Map(files);
  }

  /** Returns the file with a name, and creates it if necessary. */
  open(name) {
    if (!this.#seen.has(name)) this.#set(name, new File());
    return this.#seen.get(name);
  }

  remove(name) {
    if (this.#seen.has(name)) this.#set(name, undefined);
  }

  rename(from, to) {
    this.#set(to, this.#seen.get(from));
    this.#set(from, undefined);
  }

  /** Returns the contents of the files by name after a power cut. `data` and `names` are functions of `survivors`. */
  contentsAfter({ data, names }) {
    return new Map(Array.from(this.after(names), ([name, file]) => [name, file.after(data)]));
  }

  #set(name, file) {
    if (file === undefined) this.#seen.delete(name);
    else this.#seen.set(name, file);
    this.change({ name, file });
  }
}
