// String ids. The crate's index stores numbers: a safe integer stands for itself, and string number n for n + 1/2.

export class StringIds {
  /** The string of each number; undefined where the number is free. */
  #names = [];
  #numbers = new Map();
  #free = [];

  /** The number under which the index stores an id; undefined for an unknown string. */
  numberOf(id) {
    if (typeof id !== 'string') return id;
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : number + 0.5;
  }

  /** The same. An unknown string gets a number. */
  enter(id) {
    const known = this.numberOf(id);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#names.length;
    this.#names[number] = id;
    this.#numbers.set(id, number);
    return number + 0.5;
  }

  /** The id that the index stores under a number. */
  idOf(number) {
    return Number.isInteger(number) ? number : this.#names[number - 0.5];
  }

  /** Removes a string; its number is used again. */
  remove(id) {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.#numbers.delete(id);
    this.#names[number] = undefined;
    this.#free.push(number);
  }

  /** The note of a snapshot: the strings by number, as JSON. */
  toNote() {
    return new TextEncoder().encode(JSON.stringify(this.#names));
  }

  /** The strings of a snapshot's note, which are exactly those that its index stores under `numbers`. */
  static fromNote(note, numbers) {
    const takes = 'takes a snapshot made by toBytes()';
    if (note.length === 0) {
      throw new RangeError(`nearprint: bytes: a snapshot of the Rust crate, which numbers ids differently; ${takes}`);
    }
    const invalid = () => new RangeError(`nearprint: bytes: its string ids are not valid; ${takes}`);
    let names;
    try {
      names = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(note));
    } catch {
      throw invalid();
    }
    if (!Array.isArray(names)) throw invalid();
    const ids = new StringIds();
    names.forEach((name, number) => {
      ids.#names.push(name ?? undefined);
      if (name === null) ids.#free.push(number);
      else if (typeof name !== 'string' || ids.#numbers.has(name)) throw invalid();
      else ids.#numbers.set(name, number);
    });
    let used = 0;
    for (const number of numbers) {
      if (Number.isInteger(number)) continue;
      if (ids.idOf(number) === undefined) throw invalid();
      used++;
    }
    if (used !== ids.#numbers.size) throw invalid();
    return ids;
  }
}
