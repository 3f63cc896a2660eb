// Texts of error messages.

/** Returns a message on one line, without control characters, which a terminal would execute. */
export const oneLine = (message: string): string => message.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Returns the code of a system error, such as `ENOENT`; undefined if the error has none. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined | null)?.code;

/** Returns the message of a system error without code and call: "no such file or directory". */
export function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /^[A-Z0-9_]+: (.*?)(?:, \w+.*)?$/s.exec(message)?.[1] ?? message;
}

/** A failed write to an output. */
export class WriteError extends Error {
  readonly isClosedPipe: boolean;
  /** The number of bytes that the call has written. */
  written: number;

  constructor(name: string, error: unknown, written: number) {
    super(`${name}: ${reason(error)}`);
    this.isClosedPipe = codeOf(error) === 'EPIPE';
    this.written = written;
  }
}
