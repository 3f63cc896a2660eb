// Runs clients in processes of their own.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const client = fileURLToPath(new URL('client.mjs', import.meta.url));

/** A process that runs client.mjs. `records` has the calls that have ended, and `begun` the record of the last one that began. */
export class Client {
  records = [];
  begun;
  errors = '';
  /** Whether it has made all its calls. */
  isDone = false;
  #process;
  #rest = '';

  constructor(settings) {
    this.#process = spawn(process.execPath, [client, JSON.stringify(settings)]);
    this.ended = new Promise((resolve) => {
      this.#process.once('close', (code, signal) => {
        this.isDone = code === 0;
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

/**
 * Runs clients of a store at once, until they have made all calls. `kill(clients)` is called `kills` times, each time when some more of
 * `total` calls have ended: it kills some of the clients, or makes all fail. When its promise is fulfilled, another process goes on
 * with the call that was interrupted. Returns the records of all calls.
 */
export async function runAll(settings, { clients: parts, total = 0, kills = 0, kill }) {
  const records = [];
  /** The processes that run, with the number of kills before each began. */
  const running = new Map();
  let killed = 0;
  let killing;

  async function start(first) {
    const client = new Client({ ...settings, from: first, parts });
    running.set(client, killed);
    await client.ready;
    return client;
  }

  async function follow(client, first) {
    client.go();
    await client.ended;
    const before = running.get(client);
    running.delete(client);
    records.push(...client.records);
    if (client.isDone) return;
    if (client.errors !== '' && killed === before) throw new Error(client.errors);
    if (client.interrupted !== undefined) records.push(client.interrupted);
    await killing;
    const next = client.records.length === 0 ? first : client.records.at(-1).at + parts;
    await follow(await start(next), next);
  }

  const clients = await Promise.all(Array.from({ length: parts }, (_, from) => start(from)));
  let isEnded = false;
  const ended = Promise.all(clients.map(follow)).finally(() => (isEnded = true));
  for (; killed < kills && !isEnded; await sleep(2)) {
    const made = [...running.keys()].reduce((sum, each) => sum + each.records.length, records.length);
    if (made < (total * (killed + 1)) / (kills + 1)) continue;
    killed++;
    killing = kill([...running.keys()]);
    await killing;
  }
  await ended;
  return records;
}
