// Runs clients in processes of their own.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const client = fileURLToPath(new URL('client.mjs', import.meta.url));

/** A process that runs client.mjs. `records` has the calls that have ended, and `begun` the record of the last one that began. */
export class Client {
  records = [];
  begun;
  errors = '';
  #process;
  #rest = '';

  constructor(settings) {
    this.#process = spawn(process.execPath, [client, JSON.stringify(settings)]);
    this.ended = new Promise((resolve) => {
      this.#process.once('close', (code, signal) => {
        if (code !== 0 && !this.#process.killed) this.errors += `ended with ${signal ?? code}`;
        resolve();
      });
    });
    this.#process.stderr.on('data', (data) => {
      this.errors += data;
    });
    this.ready = new Promise((resolve) => {
      this.#process.stdout.on('data', (data) => {
        const lines = (this.#rest + data).split('\n');
        this.#rest = lines.pop();
        for (const line of lines) {
          if (line === 'ready') resolve();
          else this.#add(JSON.parse(line));
        }
      });
      this.ended.then(resolve);
    });
    this.#process.stdin.on('error', () => {});
  }

  #add(record) {
    if (record.end === undefined) this.begun = record;
    else this.records.push(record);
  }

  /** The record of the call that did not end, if there is one. */
  get interrupted() {
    return this.begun?.at === this.records.at(-1)?.at ? undefined : this.begun;
  }

  go() {
    this.#process.stdin.write('go\n');
  }

  kill() {
    this.#process.kill('SIGKILL');
  }
}

/** Runs several clients at once to their end. Returns their records. */
export async function runAll(settings, parts) {
  const clients = Array.from({ length: parts }, (_, from) => new Client({ ...settings, from, parts }));
  await Promise.all(clients.map(({ ready }) => ready));
  for (const each of clients) each.go();
  await Promise.all(clients.map(({ ended }) => ended));
  const errors = clients.map(({ errors }) => errors).join('');
  if (errors) throw new Error(errors);
  return clients.flatMap(({ records }) => records);
}
