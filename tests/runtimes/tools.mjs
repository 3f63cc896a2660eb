// Shared by the checks.
import assert from 'node:assert/strict';
import buffer from 'node:buffer';
import { execFile, spawn } from 'node:child_process';
import events from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { browserPath, noBrowser } from '../../scripts/browsers.mjs';
import { fileIn, serve } from '../../scripts/serve.mjs';

/** The error for a tool that is not on this machine. */
export class Missing extends Error {}

const require = createRequire(import.meta.url);

/** The folder of an installed package. */
export function folderOf(name) {
  const folder = join(import.meta.dirname, 'node_modules', name);
  if (!existsSync(folder)) throw new Missing(`${name} is not installed: it may not exist for this platform`);
  return folder;
}

export const versionOf = (name) => JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8')).version;

/** The path of a program of an installed package. */
export function programOf(name, program = name) {
  const { bin } = JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'));
  return join(folderOf(name), typeof bin === 'string' ? bin : bin[program]);
}

/** The program of a Node of nodes/package.json. */
export const npmNode = (name) =>
  join(folderOf(`../nodes/node_modules/${name}-${process.platform}-${process.arch}`), 'bin', 'node');

/** Runs a program and returns what it prints. */
export async function run(program, args, options) {
  try {
    const { stdout } = await promisify(execFile)(program, args, { timeout: 600_000, maxBuffer: 1e8, ...options });
    return stdout.trim();
  } catch (error) {
    throw new Error(`${program} ${args.join(' ')}\n${error.stdout}${error.stderr}`, { cause: error });
  }
}

/** The answers of the Node that runs the tests. They pass every vector, and every other runtime must give the same. */
export async function nodeAnswers({ project }) {
  const answers = await run(process.execPath, ['esm.mjs'], { cwd: project });
  const { vectors, index } = JSON.parse(answers);
  assert.equal(vectors.wrong, 0);
  assert.equal(index.wrong, 0);
  return answers;
}

const policy = "script-src 'self' 'wasm-unsafe-eval'";

/** Serves a folder, opens its page in a browser, and returns what the page reports. */
export async function browse(browser, folder, { csp = policy } = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'nearprint-profile-'));
  let child;
  let server;
  try {
    return await new Promise((resolve, reject) => {
      const requested = [];
      const locate = (path) => {
        requested.push(path);
        return fileIn(folder, path);
      };
      const open = (started) => {
        server = started;
        const url = `http://localhost:${server.address().port}/`;
        child = spawn(browser.path, [...browser.args(profile), url], { stdio: 'ignore', detached: true });
        child.on('error', reject);
        const late = () => reject(new Error(`no report in 5 minutes; the page requested ${requested.join(' ')}`));
        setTimeout(late, 300_000).unref();
      };
      serve(locate, { headers: { 'content-security-policy': csp }, receive: resolve }).then(open, reject);
    });
  } finally {
    if (child?.exitCode === null) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      process.kill(-child.pid, 'SIGKILL'); // with its child processes, which write to the profile
      await gone;
    }
    server?.close();
    server?.closeAllConnections();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Returns a function that finds a browser of the system. `variable` can name its path. */
const browser = (variable, args) => () => {
  const path = browserPath(variable);
  if (!path) throw new Missing(noBrowser(variable));
  return { path, args, version: async () => /[\d.]+/.exec(await run(path, ['--version']))[0] };
};

export const chromium = browser('CHROMIUM', (profile) => [
  ...['--headless=new', `--user-data-dir=${profile}`, '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-gpu', '--disable-dev-shm-usage'],
  // Chromium's sandbox does not work as root, which CI is.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]);

export const firefox = browser('FIREFOX', (profile) => ['--headless', '--no-remote', '--profile', profile]);

/** Makes an empty folder in the project for the files of a check. */
export function emptyFolder({ project }, name) {
  const folder = join(project, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Copies the files of the package into the folder of a page. */
export function servePackage({ project }, folder) {
  // Jest, which runs later, rejects a second package of the same name.
  const filter = (path) => !path.endsWith('package.json');
  cpSync(join(project, 'node_modules', 'nearprint'), join(folder, 'nearprint'), { recursive: true, filter });
}

/** Writes a page with one module script. */
export function writePage(folder, script) {
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>t</title><script type="module" src="${script}"></script>`,
  );
}

/** Asserts that a bundle's page reports the expected answers in Chromium. */
export async function sameInChromium(folder, expected) {
  assert.equal(await browse(chromium(), folder), expected);
}

/** Bundles a Worker as wrangler does, and returns the modules in miniflare's form. */
export async function bundleWorker(entry, folder, conditions) {
  const { build } = await tool('esbuild');
  // Its rules for modules include `**/*.wasm?module`.
  const setup = ({ onResolve }) => {
    onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => {
      const name = basename(path, '?module');
      cpSync(join(resolveDir, name), join(folder, name));
      return { path: `./${name}?module`, external: true };
    });
  };
  await build({
    ...{ entryPoints: [entry], outfile: join(folder, 'worker.mjs'), conditions, logLevel: 'error' },
    ...{ bundle: true, format: 'esm', external: ['cloudflare:*'], plugins: [{ name: 'wrangler', setup }] },
  });
  return readdirSync(folder)
    .sort((a) => (a === 'worker.mjs' ? -1 : 1))
    .map((name) => ({
      type: name.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule',
      path: name.endsWith('.wasm') ? `${name}?module` : name,
      contents: readFileSync(join(folder, name)),
    }));
}

/**
 * Bundles a program as Vercel does: an import of `*.wasm?module` is a variable that the runtime provides. Returns the answer of
 * Vercel's Edge runtime, which compiles no bytes here.
 */
export async function edgeAnswer(contents, resolveDir, conditions = []) {
  const { build } = await tool('esbuild');
  const { EdgeRuntime } = await tool('edge-runtime');
  const modules = {};
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: /\.wasm(\?module)?$/ }, ({ path, importer }) => ({
      path: join(dirname(importer), path.replace('?module', '')),
      namespace: 'module',
    }));
    // The modules of Node that Vercel provides.
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path: path.slice('node:'.length), namespace: 'builtin' }));
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({ contents: `module.exports = builtins.${path};` }));
    onLoad({ filter: /./, namespace: 'module' }, ({ path }) => {
      const name = `wasm${Object.keys(modules).length}`;
      modules[name] = new WebAssembly.Module(readFileSync(path));
      return { contents: `export default ${name};` };
    });
  };
  const { outputFiles } = await build({
    ...{ bundle: true, write: false, format: 'esm', logLevel: 'error', conditions },
    ...{ stdin: { contents, resolveDir }, plugins: [{ name: 'vercel', setup }] },
  });
  const runtime = new EdgeRuntime({
    codeGeneration: { strings: false, wasm: false },
    extend: (context) => Object.assign(context, modules, { builtins: { events, buffer } }),
    // The program may have an `await` at its top level.
    initialCode: `globalThis.started = (async () => {${outputFiles[0].text}})();`,
  });
  await runtime.evaluate('started');
  return (await runtime.dispatchFetch('http://localhost/')).text();
}

/** Imports an installed tool. */
export const tool = (name) => import(require.resolve(name));
