// Removes the conditions of writes, so that a test of concurrent clients must fail.
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns a text without a part that it must have. */
function without(text, part) {
  if (!text.includes(part)) throw new Error(`the condition ${part} is not found`);
  return text.replace(part, '');
}

/** The time between read and write, in milliseconds: the other processes go on, whether or not each has a processor. */
const GAP = 1;

/** Each changes a client: what others add between its read and its write is not noticed. */
const changes = {
  /** The transaction begins with the first write, after all reads. */
  sqlite(client) {
    let isWriting = false;
    const run = (text, values = []) => client.prepare(text).run(...values);
    const begin = () => {
      if (isWriting) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GAP);
      isWriting = true;
      run('BEGIN IMMEDIATE');
    };
    const end = (text) => {
      if (isWriting) run(text);
      isWriting = false;
    };
    return {
      exec: (text) => client.exec(text),
      prepare(text) {
        if (text === 'BEGIN IMMEDIATE') return { reader: false, run() {} };
        if (text === 'COMMIT' || text === 'ROLLBACK') return { reader: false, run: () => end(text) };
        const statement = client.prepare(text);
        if (statement.reader || text.includes('SAVEPOINT') || text.startsWith('RELEASE')) return statement;
        return {
          reader: false,
          run(...values) {
            begin();
            return statement.run(...values);
          },
        };
      },
    };
  },
  /** `removeConditions` changes the function that writes. */
  postgres: (client) => ({
    async query(statement, values) {
      if (statement.includes('_write(')) await sleep(GAP);
      return client.query(statement, values);
    },
  }),
  /** The script that writes has no check of what was added. */
  redis: (client) => ({
    async sendCommand([command, script, ...values], options) {
      if (command === 'EVALSHA' || command === 'evalsha') throw new Error('NOSCRIPT');
      if (!script.includes('local function is_added')) return client.sendCommand([command, script, ...values], options);
      await sleep(GAP);
      const changed = without(script, 'holds = holds and not is_added(strings[names[key + at]], low)');
      return client.sendCommand([command, changed, ...values], options);
    },
  }),
};

/** Returns the client of a kind of store without the conditions of its writes. */
export const withoutConditions = (kind, client) => changes[kind](client);

/** Removes the conditions that are in the database of a store: in PostgreSQL, a function has them. */
export async function removeConditions({ store, client }) {
  const [write] = /CREATE OR REPLACE FUNCTION \w+_write\(.*?END \$function\$;/s.exec(store.schema()) ?? [];
  if (write === undefined) return;
  await client.query(without(write, / *unseen := ARRAY\(.*?\);\n/s.exec(write)[0]));
}
