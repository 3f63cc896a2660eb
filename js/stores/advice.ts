// Errors of an engine, with what to do about them.

/** What to do about the errors that match a pattern. */
export type Advice = readonly (readonly [pattern: RegExp, whatToDo: string])[];

/** Returns the error to throw for an error of an engine. */
export function withAdvice(error: unknown, advice: Advice): unknown {
  const { message, code = '', name } = error as Error & { code?: unknown };
  if (typeof message !== 'string' || message.startsWith('nearprint: ')) return error;
  const found = advice.find(([pattern]) => pattern.test(`${message} ${code} ${name}`));
  return found === undefined ? error : new Error(`nearprint: ${message}: ${found[1]}`, { cause: error });
}
