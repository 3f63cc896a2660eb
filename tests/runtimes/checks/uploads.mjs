// The sizes of three programs as the tools of users build them: what wrangler uploads, what a page of Next.js loads, what a
// bundler writes. Each must be within `uploads` of budget.json, in bytes.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../../../scripts/run.mjs';
import { emptyFolder, npmNode, programOf, run, versionOf } from '../tools.mjs';
import { bundlers } from './bundlers.mjs';
import { buildNext } from './edge.mjs';
import { buildNitro } from './nitro.mjs';

/** Each program is a module that exports `answer`. */
const programs = {
  fingerprint: `import { fingerprint } from 'nearprint/simhash';
    export const answer = (text) => String(fingerprint(text));`,
  'sketch with D1': `import { sketch } from 'nearprint';
    import { d1Store } from 'nearprint/store/d1';
    export const answer = async (text, env) =>
      JSON.stringify(await d1Store(env.DB).observe([{ id: 'a', sketch: sketch(text) }]));`,
  dedupe: `import { dedupe } from 'nearprint';
    export const answer = async (text) => {
      const kept = [];
      for await (const { status, document } of dedupe(text.split('\\n'))) if (status === 'new') kept.push(document);
      return kept.join('\\n');
    };`,
};
const names = Object.keys(programs);

/** A program without the package: frameworks have code of their own, which is subtracted. */
const empty = 'export const answer = (text) => text;';

const { uploads: limits } = JSON.parse(readFileSync(join(root, 'budget.json'), 'utf8'));

/** Returns the size of files, and the sum of their sizes after gzip. */
function sizeOf(files) {
  const all = files.map((file) => readFileSync(file));
  const sum = (lengthOf) => all.reduce((total, bytes) => total + lengthOf(bytes), 0);
  return { raw: sum((bytes) => bytes.length), gzip: sum((bytes) => gzipSync(bytes).length) };
}

const minus = (a, b) => ({ raw: a.raw - b.raw, gzip: a.gzip - b.gzip });

/** Returns the programs and modules in a folder. */
const codeIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.(m?js|wasm)(\?module)?$/.test(name))
    .map((name) => join(folder, name));

/** Calls `measure` with each program, and returns the sizes by its name. */
async function measureEach(measure) {
  const sizes = {};
  for (const name of names) sizes[name] = await measure(programs[name]);
  return sizes;
}

/** Calls `measure` with each program and with an empty one, and returns what each program adds to the empty one. */
async function measureAdded(measure) {
  const without = await measure(empty);
  return measureEach(async (program) => minus(await measure(program), without));
}

/** A Worker as wrangler uploads it: the files that it would upload, and the sizes that it prints. */
async function uploadOfWrangler(context, program) {
  const folder = emptyFolder(context, 'upload');
  writeFileSync(join(folder, 'answer.mjs'), program);
  writeFileSync(
    join(folder, 'worker.mjs'),
    `import { answer } from './answer.mjs';
    export default {
      async fetch(request, env) {
        return new Response(await answer(await request.text(), env));
      },
    };`,
  );
  writeFileSync(
    join(folder, 'wrangler.json'),
    JSON.stringify({
      ...{ name: 'upload', main: 'worker.mjs', compatibility_date: '2026-01-01', send_metrics: false },
      d1_databases: [{ binding: 'DB', database_name: 'seen', database_id: '00000000-0000-0000-0000-000000000000' }],
    }),
  );
  const args = [programOf('wrangler'), 'deploy', '--dry-run', '--outdir', 'out'];
  const env = { ...process.env, CI: '1', NO_COLOR: '1', WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_PATH: folder };
  // It needs Node 22.
  const node = Number.parseInt(process.versions.node, 10) >= 22 ? process.execPath : npmNode('node-lts');
  const printed = await run(node, args, { cwd: folder, env });
  const [, raw, gzip] = /Total Upload: ([\d.]+) KiB \/ gzip: ([\d.]+) KiB/.exec(printed);
  const files = codeIn(join(folder, 'out'));
  // It prints hundredths of a KiB.
  assert.ok(Math.abs(sizeOf(files).raw - 1024 * raw) < 64, `${printed}\n${files}: ${sizeOf(files).raw}`);
  return { raw: Math.round(1024 * raw), gzip: Math.round(1024 * gzip) };
}

/** The file that a browser loads: a bundler's bundle of a module script. */
function bundleOf(name) {
  return (context) =>
    measureEach(async (program) => {
      const folder = emptyFolder(context, 'bundle');
      writeFileSync(join(context.project, 'upload-answer.mjs'), program);
      writeFileSync(
        join(context.project, 'upload.mjs'),
        `import { answer } from './upload-answer.mjs';
        Promise.resolve(answer(document.title, {})).then((text) => { document.body.textContent = text; });`,
      );
      await (bundlers[name] ?? bundleByBun)(context.project, 'upload.mjs', folder);
      return sizeOf(codeIn(folder));
    });
}

async function bundleByBun(project, entry, folder) {
  const args = ['build', join(project, entry), '--minify', '--target=browser', `--outdir=${folder}`];
  await run(programOf('bun'), args, { cwd: project });
}

/** Builds one application of Next.js whose pages and edge routes are the programs, and returns its folder. */
async function buildNextPrograms(context) {
  const folder = emptyFolder(context, 'next-upload');
  for (const file of ['next.config.mjs', 'app/layout.js']) {
    await cp(join(context.project, 'next', file), join(folder, file), { recursive: true });
  }
  for (const [at, program] of [empty, ...Object.values(programs)].entries()) {
    await mkdir(join(folder, 'app', `page-${at}`));
    await mkdir(join(folder, 'app', `edge-${at}`));
    writeFileSync(join(folder, `answer-${at}.js`), program);
    writeFileSync(
      join(folder, 'app', `page-${at}`, 'page.js'),
      `'use client';
      import { createElement, useState } from 'react';
      import { answer } from '../../answer-${at}.js';
      export default function Page() {
        const [shown, show] = useState('');
        return createElement('button', { onClick: async () => show(await answer(document.title, {})) }, shown);
      }`,
    );
    writeFileSync(
      join(folder, 'app', `edge-${at}`, 'route.js'),
      `import { answer } from '../../answer-${at}.js';
      export const runtime = 'edge';
      export const POST = async (request) => new Response(await answer(await request.text(), {}));`,
    );
  }
  await buildNext(folder);
  return folder;
}

let nextPrograms;

/** Returns the sizes that the programs add to an application of Next.js. `filesOf` returns the files of the application's program. */
async function measureNext(context, filesOf) {
  nextPrograms ??= buildNextPrograms(context);
  const folder = join(await nextPrograms, '.next');
  const [without, ...sizes] = [0, 1, 2, 3].map((at) => sizeOf(filesOf(folder, at)));
  return Object.fromEntries(names.map((name, at) => [name, minus(sizes[at], without)]));
}

/** The scripts that a prerendered page loads. */
function scriptsOfPage(folder, at) {
  const html = readFileSync(join(folder, 'server', 'app', `page-${at}.html`), 'utf8');
  const scripts = new Set(Array.from(html.matchAll(/\/_next\/(static\/[^"\\?]+\.js)/g), ([, path]) => path));
  return Array.from(scripts, (path) => join(folder, path));
}

function filesOfEdgeRoute(folder, at) {
  const { functions } = JSON.parse(readFileSync(join(folder, 'server', 'middleware-manifest.json'), 'utf8'));
  const { files, wasm } = functions[`/edge-${at}/route`];
  return [...files, ...wasm.map(({ filePath }) => filePath)].map((path) => join(folder, path));
}

/** The output of Nitro for a preset. `output` is the folder that is uploaded. */
function outputOfNitro(preset, output) {
  return (context) =>
    measureAdded(async (program) => {
      const route = `${program}
        export default defineEventHandler(async (event) => answer((await readRawBody(event)) ?? '', event.context.cloudflare?.env));`;
      return sizeOf(codeIn(join(await buildNitro(context.project, preset, route), output)));
    });
}

const tools = [
  {
    what: 'wrangler',
    how: 'the upload of a Worker',
    measure: (context) => measureEach((program) => uploadOfWrangler(context, program)),
  },
  {
    ...{ what: 'Nitro', name: 'nitropack', how: 'preset `cloudflare-module`' },
    measure: outputOfNitro('cloudflare-module', '.output/server'),
  },
  {
    ...{ what: 'Nitro', name: 'nitropack', how: 'preset `vercel-edge`' },
    measure: outputOfNitro('vercel-edge', '.vercel/output/functions/__fallback.func'),
  },
  {
    ...{ what: 'Next.js', name: 'next', how: 'edge route' },
    measure: (context) => measureNext(context, filesOfEdgeRoute),
  },
  {
    ...{ what: 'Next.js', name: 'next', how: 'client component' },
    measure: (context) => measureNext(context, scriptsOfPage),
  },
  { what: 'Vite', name: 'vite', how: 'module script', measure: bundleOf('vite') },
  { what: 'webpack', how: 'module script', measure: bundleOf('webpack') },
  { what: 'esbuild', how: 'module script', measure: bundleOf('esbuild') },
  { what: 'Bun', name: 'bun', how: 'module script', measure: bundleOf('bun') },
];

/** Fails if a size is above its limit. */
function checkLimits(what, sizes) {
  const over = [];
  for (const program of names) {
    for (const [kind, size] of Object.entries(sizes[program])) {
      const limit = limits[what]?.[program]?.[kind] ?? 0;
      if (size > limit) over.push(`${program}, ${kind}: ${size} of ${limit}`);
    }
  }
  assert.equal(over.join('; '), '', `${what}: over uploads of budget.json: ${JSON.stringify(sizes)}`);
}

export default tools.map(({ what, name = what, how, measure }) => ({
  what,
  how: `size, ${how}`,
  unlisted: true,
  async run(context) {
    const sizes = await measure(context);
    context.uploads.push({ what, how, sizes });
    checkLimits(`${what}, ${how}`, sizes);
    return versionOf(name);
  },
}));
