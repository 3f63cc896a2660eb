// Downloads the packages of a collection with the ordinary clients of their registries, checks their SHA-256 sums, and
// caches the documents in build/quality. A change of the versions or of the reader makes another cache.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readObjects } from '../lines.mjs';

const cache = fileURLToPath(new URL('../../build/quality', import.meta.url));
const shell = process.platform === 'win32';
const sha256 = (data) => createHash('sha256').update(data).digest('hex');

/** A collection cannot be downloaded on this machine. */
export class Unavailable extends Error {}

/** Runs a program quietly. Its error messages are in the error that it throws. */
function run(command, args, folder) {
  const options = { cwd: folder, shell: shell && command === 'npm', stdio: ['ignore', 'ignore', 'pipe'] };
  execFileSync(command, args, { ...options, maxBuffer: 2 ** 26 });
}

/** For each registry: the programs it takes, and how a package is downloaded into a folder and unpacked there. */
const clients = {
  npm: {
    programs: ['npm', 'tar'],
    download: ({ name, version }, folder) => run('npm', ['pack', '--loglevel=error', `${name}@${version}`], folder),
    unpack: (archive, folder) => run('tar', ['-xzf', archive], folder),
  },
  pip: {
    programs: ['python3', 'pip'],
    download: ({ name, version }, folder) =>
      run('pip', ['download', '--quiet', '--no-deps', '--only-binary=:all:', `${name}==${version}`], folder),
    unpack: (archive, folder) => run('python3', ['-m', 'zipfile', '-e', archive, '.'], folder),
  },
  apt: {
    programs: ['apt-get', 'dpkg-deb'],
    download: ({ name, version }, folder) =>
      run('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', `${name}=${version}`], folder),
    // The pages only: the pictures take forty times as much.
    unpack: (archive, folder) =>
      run('sh', ['-c', `dpkg-deb --fsys-tarfile '${archive}' | tar -x --wildcards '*.html'`], folder),
  },
};

function isInstalled(program) {
  try {
    run(program, ['--version']);
    return true;
  } catch {
    return false;
  }
}

function download(client, source, folder) {
  try {
    client.download(source, folder);
  } catch (error) {
    const reason = `${error.stderr}`.split('\n').find((line) => /error|^E:/i.test(line) && !/ code /.test(line));
    throw new Unavailable(`${source.name} ${source.version} cannot be downloaded: ${reason}`);
  }
}

/** Downloads a package, and returns what `read` yields of it. */
function documentsOf(source, client, read) {
  const folder = mkdtempSync(join(cache, 'package-'));
  try {
    download(client, source, folder);
    const [archive] = readdirSync(folder);
    const sum = sha256(readFileSync(join(folder, archive)));
    if (sum !== source.sha256) throw new Error(`${archive} must have the SHA-256 sum ${source.sha256}, got ${sum}`);
    client.unpack(archive, folder);
    return [...read(folder, source)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The documents that have different texts, the first ones. */
function distinct(documents) {
  const byText = new Map();
  for (const document of documents) if (!byText.has(document.text)) byText.set(document.text, document);
  return [...byText.values()];
}

/** Returns the documents of a collection. */
export function load(name, { client, packages, read }) {
  const file = join(cache, `${name}-${sha256(JSON.stringify(packages) + read).slice(0, 12)}.jsonl`);
  if (!existsSync(file)) {
    const missing = clients[client].programs.find((program) => !isInstalled(program));
    if (missing) throw new Unavailable(`${missing} is not installed`);
    mkdirSync(cache, { recursive: true });
    const all = packages.flatMap((source) => documentsOf(source, clients[client], read));
    const lines = distinct(all).map((document) => `${JSON.stringify(document)}\n`);
    writeFileSync(`${file}.new`, lines.join(''));
    renameSync(`${file}.new`, file);
  }
  return readObjects(file);
}
