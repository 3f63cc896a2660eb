// A binding of D1 whose database has the time of a test.

/**
 * Returns a binding for `d1Store` by which `now()`, in seconds, is the time of the database when a batch arrives; undefined for its own
 * clock.
 */
export const withClock = (client, now) => ({
  prepare: (statement) => ({ bind: (...values) => ({ statement, values }) }),
  batch(statements) {
    const seconds = now();
    const textOf = (statement) =>
      seconds === undefined ? statement : statement.replaceAll("unixepoch('subsec')", `${seconds}`);
    return client.batch(statements.map(({ statement, values }) => client.prepare(textOf(statement)).bind(...values)));
  },
});
