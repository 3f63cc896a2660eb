// Texts of error messages.

/** The message on one line, without control characters, which a terminal would execute. */
export const oneLine = (message) => message.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** The text of a system error without code and call: "no such file or directory". */
export const reason = (error) => /^[A-Z0-9_]+: (.*?)(?:, \w+.*)?$/s.exec(error.message)?.[1] ?? error.message;

/** A failed write to an output. */
export class WriteError extends Error {
  constructor(name, error, written) {
    super(`${name}: ${reason(error)}`);
    this.isClosedPipe = error.code === 'EPIPE';
    /** The number of bytes that the call has written. */
    this.written = written;
  }
}
