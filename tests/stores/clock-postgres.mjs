// A client of PostgreSQL whose server has the time of the test.

const setup = `
  CREATE TABLE IF NOT EXISTS clock (milliseconds bigint);
  INSERT INTO clock SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM clock);
  CREATE OR REPLACE FUNCTION clock() RETURNS timestamptz LANGUAGE plpgsql AS
    $$ BEGIN RETURN (SELECT to_timestamp(0) + milliseconds * interval '1 ms' FROM clock); END $$;
`;

/**
 * Returns a client (pg, postgres.js or PGlite) for `postgresStore`, by which `now()`, in seconds, is the time of the server. All
 * stores of the database that are used by such clients have one time.
 */
export function withClock(client, now) {
  let ready;
  let time;
  const run = (statement) => client.unsafe?.(statement).simple() ?? client.exec?.(statement) ?? client.query(statement);
  const prepare = async () => {
    ready ??= run(setup);
    await ready;
    const milliseconds = Math.round(1000 * now());
    if (milliseconds === time) return;
    time = milliseconds;
    await run(`UPDATE clock SET milliseconds = ${milliseconds}`);
  };
  const rewrite = (statement) => statement.replaceAll('clock_timestamp()', 'clock()');
  const send =
    (method) =>
    async (statement, ...values) => {
      await prepare();
      return client[method](rewrite(statement), ...values);
    };
  if (client.unsafe === undefined) return { query: send('query'), ...(client.exec && { exec: send('exec') }) };
  return {
    unsafe(statement, ...values) {
      if (values.length > 0) return send('unsafe')(statement, ...values);
      return { simple: () => prepare().then(() => client.unsafe(rewrite(statement)).simple()) };
    },
  };
}
