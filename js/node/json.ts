// JSON as text: the bounds that are checked before `JSON.parse` reads it, and the source of a value.

/** The maximum depth of a document. `JSON.parse` ends the process when a document of 30 million levels takes all memory. */
const MAX_DEPTH = 1000;
/** The maximum number of values and keys of a document. Each takes up to some hundred bytes of memory. */
const MAX_VALUES = 1_000_000;

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];

export const isOpening = (code: number): boolean => code === 91 || code === 123;
export const isClosing = (code: number): boolean => code === 93 || code === 125;

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

/** Returns the length of a byte-order mark that a line begins with: joined files have theirs at the starts of lines. */
export const markLength = (line: Uint8Array): number =>
  line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0;

/** Yields the members of an object or array of valid JSON: the key or the position, and the bounds of the value. */
function* membersOf(json: string): Generator<{ name: string; start: number; end: number }, void, undefined> {
  let name: string | undefined;
  for (let [at, depth, start, index] = [0, 0, 0, 0]; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      while (json.charCodeAt(++at) !== QUOTE) if (json.charCodeAt(at) === BACKSLASH) at++;
    } else if (isOpening(code)) {
      if (depth++ === 0) start = at + 1;
    } else if (isClosing(code)) depth--;
    if (code === COLON && depth === 1) {
      name = JSON.parse(json.slice(start, at));
      start = at + 1;
    } else if ((code === COMMA && depth === 1) || (isClosing(code) && depth === 0)) {
      const value = json.slice(start, at);
      const [from, to] = [at - value.trimStart().length, start + value.trimEnd().length];
      if (from < to) yield { name: name ?? String(index++), start: from, end: to };
      start = at + 1;
    }
  }
}

/** Returns the source of a member of valid JSON, an object or an array, or undefined. The last member of a name counts. */
export function memberOf(json: string, name: string): string | undefined {
  let source: string | undefined;
  for (const member of membersOf(json)) if (member.name === name) source = json.slice(member.start, member.end);
  return source;
}

/** Returns an object, which is valid JSON, with members set to JSON values. New members are added at the end. */
export function withMembers(json: string, added: ReadonlyMap<string, string>): string {
  const missing = new Map(added);
  let [result, copied, isEmpty] = ['', 0, true];
  for (const { name, start, end } of membersOf(json)) {
    isEmpty = false;
    const value = added.get(name);
    if (value === undefined) continue;
    missing.delete(name);
    result += json.slice(copied, start) + value;
    copied = end;
  }
  const end = json.lastIndexOf('}');
  const members = Array.from(missing, ([name, value]) => `${JSON.stringify(name)}:${value}`);
  const comma = isEmpty || members.length === 0 ? '' : ',';
  return result + json.slice(copied, end) + comma + members.join(',') + json.slice(end);
}
