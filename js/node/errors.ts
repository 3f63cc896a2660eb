// Errors that a person reads, and the texts of messages.

/** An error that the user can correct. The command line prints its message on one line and ends with exit code 2. */
export class UserError extends Error {}

/** Characters that a terminal would execute: control characters, line breaks, and changes of the writing direction. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns a message on one line, without characters that a terminal would execute. */
export const oneLine = (message: string): string =>
  message
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(CONTROLS, escaped)
    .trim();

/** Returns a text for a terminal, which prints its lines and executes nothing. */
export const forTerminal = (text: string): string =>
  text.replace(CONTROLS, (unit) => (unit === '\n' || unit === '\t' ? unit : escaped(unit)));

/**
 * Returns the name of a file for a line of output. A name with control characters has them as escapes, after a backslash: a line
 * feed would forge a line. `sha256sum` has that backslash at the start of the line.
 */
export function escapeName(name: string): string {
  if (name.search(CONTROLS) < 0) return name;
  const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r' };
  return `\\${name.replaceAll('\\', '\\\\').replace(CONTROLS, (unit) => named[unit] ?? escaped(unit))}`;
}

/** Returns the JSON of a value, with escapes for characters that a terminal would execute. */
export const jsonOf = (value: unknown): string => JSON.stringify(value).replace(CONTROLS, escaped);

export const jsonLine = (value: unknown): string => `${jsonOf(value)}\n`;

/** Formats a number, rounded and with commas. Not `toLocaleString`, whose first call loads the data of a locale. */
export const count = (number: number): string => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ',');

/** Formats a number of things: `1 document`, `2 documents`. */
export const countOf = (number: number, thing: string): string => `${count(number)} ${thing}${number === 1 ? '' : 's'}`;

export const shorten = (text: string, max = 200): string => (text.length > max ? `${text.slice(0, max)}…` : text);

/** Returns the message of an error without the name of the package. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^nearprint: /, '');

/** Returns the code of a system error, such as `ENOENT`; undefined if the error has none. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined | null)?.code;

/** Returns the message of a system error without code and call: "no such file or directory". */
export function reason(error: unknown): string {
  if (codeOf(error) === 'EISDIR') return 'it is a folder, not a file';
  const message = error instanceof Error ? error.message : String(error);
  return /^[A-Z0-9_]+: (.*?)(?:, \w+.*)?$/s.exec(message)?.[1] ?? message;
}

export class WriteError extends Error {
  /** Whether standard output is a pipe whose reader is gone, and needs no more. */
  readonly isClosedPipe: boolean;
  /** The number of bytes that the call has written. */
  written: number;

  constructor(name: string, error: unknown, written: number, isStdout = false) {
    super(`${name}: ${reason(error)}`);
    this.isClosedPipe = isStdout && codeOf(error) === 'EPIPE';
    this.written = written;
  }
}
