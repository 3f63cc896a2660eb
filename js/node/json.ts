// JSON as text: the bounds that it must keep before `JSON.parse` reads it, and the source of a value.

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

  /** Reads an object or an array, and returns the source of the last member of this name. */
  member(name: string): string | undefined {
    let found: string | undefined;
    this.#skip();
    const isArray = this.#json[this.#at++] === '[';
    for (let index = 0; ; index++) {
      this.#skip(',');
      if (isClosing(this.#json.charCodeAt(this.#at))) return found;
      const key = isArray ? String(index) : JSON.parse(this.#string());
      this.#skip(isArray ? '' : ':');
      const value = this.#value();
      if (key === name) found = value;
    }
  }
}

/** Returns the source of a member of an object or an array, which is valid JSON; undefined if there is none. */
export const memberOf = (json: string, name: string): string | undefined => new Cursor(json).member(name);
