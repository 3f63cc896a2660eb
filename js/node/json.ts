// JSON as text: the bounds that are checked before `JSON.parse` reads it, and the source of a value.

/** The maximum depth of a document. `JSON.parse` ends the process when a document of 30 million levels takes all memory. */
const MAX_DEPTH = 1000;
/** The maximum number of values and keys of a document. Each takes up to some hundred bytes of memory. */
const MAX_VALUES = 1_000_000;

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];

const isOpening = (code: number): boolean => code === 91 || code === 123;
const isClosing = (code: number): boolean => code === 93 || code === 125;

/** Returns the reason why a document, valid or not, is too deep or too large for `JSON.parse`; undefined if it is not. */
export function excessOf(bytes: Uint8Array): string | undefined {
  let [depth, values, isInString] = [0, 1, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA || byte === COLON) values++;
    else if (isOpening(byte)) {
      values++;
      if (++depth > MAX_DEPTH) return 'nested more than 1,000 levels deep';
    } else if (isClosing(byte)) depth--;
  }
  return values > MAX_VALUES ? 'more than 1,000,000 values' : undefined;
}

/** A position in valid JSON. */
class Cursor {
  readonly #json: string;
  #at = 0;

  constructor(json: string) {
    this.#json = json;
  }

  /** Skips white space, and the characters of `others`. */
  #skip(others = ''): void {
    while (' \t\r\n'.includes(this.#json[this.#at]) || others.includes(this.#json[this.#at])) this.#at++;
  }

  /** Reads a string and returns its source. */
  #string(): string {
    const start = this.#at++;
    for (; this.#json.charCodeAt(this.#at) !== QUOTE; this.#at++) {
      if (this.#json.charCodeAt(this.#at) === BACKSLASH) this.#at++;
    }
    return this.#json.slice(start, ++this.#at);
  }

  /** Reads a value and returns its source. */
  #value(): string {
    const start = this.#at;
    let depth = 0;
    do {
      const code = this.#json.charCodeAt(this.#at);
      if (code === QUOTE) {
        this.#string();
        continue;
      }
      if (isOpening(code)) depth++;
      else if (isClosing(code)) depth--;
      this.#at++;
    } while (depth > 0 || !(this.#at === this.#json.length || ' \t\r\n,]}'.includes(this.#json[this.#at])));
    return this.#json.slice(start, this.#at);
  }

  /** Reads an object or an array, and yields the name and the place of each member. At the end, `end` is its closing bracket. */
  *members(): Generator<{ name: string; start: number; end: number }, number, undefined> {
    this.#skip();
    const isArray = this.#json[this.#at++] === '[';
    for (let index = 0; ; index++) {
      this.#skip(',');
      if (isClosing(this.#json.charCodeAt(this.#at))) return this.#at;
      const name = isArray ? String(index) : JSON.parse(this.#string());
      this.#skip(isArray ? '' : ':');
      const { length } = this.#value();
      yield { name, start: this.#at - length, end: this.#at };
    }
  }
}

/** Returns the source of a member of valid JSON, an object or an array, or undefined. The last member of a name counts. */
export function memberOf(json: string, name: string): string | undefined {
  let found: string | undefined;
  for (const member of new Cursor(json).members()) {
    if (member.name === name) found = json.slice(member.start, member.end);
  }
  return found;
}

/** Returns an object, which is valid JSON, with members set to JSON values. New members are added at the end. */
export function withMembers(json: string, added: ReadonlyMap<string, string>): string {
  let [result, copied] = ['', 0];
  const names = new Set<string>();
  const cursor = new Cursor(json).members();
  let step = cursor.next();
  for (; !step.done; step = cursor.next()) {
    const { name, start, end } = step.value;
    names.add(name);
    const value = added.get(name);
    if (value === undefined) continue;
    result += json.slice(copied, start) + value;
    copied = end;
  }
  const missing = [...added]
    .filter(([name]) => !names.has(name))
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  const comma = names.size > 0 && missing.length > 0 ? ',' : '';
  return result + json.slice(copied, step.value) + comma + missing.join(',') + json.slice(step.value);
}
