// npm run test:runtimes: packs the package, installs it into an empty project, and runs every check of checks/ there: all
// runtimes and bundlers. Other arguments select checks by words of their names. `-- --write` writes the tables
// of docs/runtimes.md whose checks have all run.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { readArguments } from '../../scripts/arguments.mjs';
import { build } from '../../scripts/build.mjs';
import { root } from '../../scripts/run.mjs';
import { installPackages } from '../../scripts/setup.mjs';
import { formatTable, readTable, writeTable } from '../../scripts/table.mjs';
import uploads from './checks/uploads.mjs';
import { Missing, nodeAnswers } from './tools.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The document with the tables that the checks write. */
const DOCUMENT = 'docs/runtimes.md';

/** Makes an empty project with the packed package, in a folder from which the tools resolve. */
function makeProject() {
  const folder = mkdtempSync(join(tmpdir(), 'nearprint-runtimes-'));
  symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const project = join(folder, 'project');
  cpSync(join(here, 'script'), project, { recursive: true });
  const vectors = readFileSync(join(root, 'tests', 'vectors.json'), 'utf8');
  const answers = readFileSync(join(project, 'answers.mjs'), 'utf8');
  writeFileSync(join(project, 'vectors.mjs'), `export const vectors = ${vectors};`);
  writeFileSync(join(project, 'vectors.cjs'), `exports.vectors = ${vectors};`);
  writeFileSync(
    join(project, 'answers.cjs'),
    `${answers.replace('export function', 'function')}exports.answers = answers;`,
  );
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const quiet = ['--silent', '--no-audit', '--no-fund'];
  const shell = process.platform === 'win32';
  const packed = execFileSync('npm', ['pack', join(root, 'pkg'), '--json', ...quiet], { cwd: folder, shell });
  const [{ filename }] = Object.values(JSON.parse(packed));
  execFileSync('npm', ['install', join(folder, filename), '--offline', ...quiet], { cwd: project, shell });
  return { folder, project };
}

const { keep, write: isWriting, word: wanted } = readArguments('[--keep] [--write] [WORD ...]');
await build();
installPackages(here, 'the runtimes and bundlers, 1.1 GB');
installPackages(join(here, 'nodes'), 'the Nodes, 0.4 GB');
const created = makeProject();
const context = { ...created, expected: await nodeAnswers(created), uploads: [] };

const rows = [];
for (const name of readdirSync(join(here, 'checks')).sort()) {
  for (const check of (await import(`./checks/${name}`)).default) {
    const title = `${check.what}: ${check.how}`;
    if (wanted.length > 0 && !wanted.some((word) => title.toLowerCase().includes(word.toLowerCase()))) continue;
    const start = performance.now();
    try {
      const version = await check.run(context);
      rows.push({ ...check, version });
      console.log(`ok       ${title}, ${version} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      const missing = error instanceof Missing;
      rows.push({ ...check, failed: !missing || Boolean(process.env.CI), missing });
      console.log(
        `${missing ? 'MISSING ' : 'FAILED  '} ${title}\n${missing ? error.message : inspect(error, { depth: 5 })}`,
      );
    }
  }
}
if (!keep) rmSync(created.folder, { recursive: true, force: true });

/** The table of runtimes: one row per runtime and version, with its ways to load the package. */
function runtimesTable() {
  const byVersion = new Map();
  for (const { what, how, version } of rows.filter(({ version, unlisted }) => version && !unlisted)) {
    const row = byVersion.get(`${what} ${version}`) ?? { what, version, hows: [] };
    row.hows.push(how);
    byVersion.set(`${what} ${version}`, row);
  }
  const cells = [...byVersion.values()].map(({ what, version, hows }) => [what, version, hows.join(', ')]);
  return formatTable([['runtime or tool', 'version', 'how'], ...cells]);
}

const inKiB = ({ raw, gzip }) => `${(raw / 1024).toFixed(0)}, gzip ${(gzip / 1024).toFixed(0)}`;

/** The table of the sizes of programs, whose tools have all run. */
function uploadsTable() {
  const programs = Object.keys(context.uploads[0].sizes);
  const cells = context.uploads.map(({ what, how, sizes }) => [
    `${what}, ${how}`,
    ...programs.map((program) => inKiB(sizes[program])),
  ]);
  return formatTable([['tool', ...programs], ...cells]);
}

/** Fails if the table of sizes differs from the one of the document in more than small changes of its figures. */
function checkUploads(table) {
  const figure = /\d+/g;
  const written = readTable(DOCUMENT, 'uploads');
  const isSame = written.replace(figure, '0') === table.replace(figure, '0');
  const [known, measured] = [written, table].map((text) => text.match(figure));
  // A KiB for rounding.
  if (isSame && measured.every((size, at) => Math.abs(size - known[at]) <= 1 + 0.02 * size)) return;
  rows.push({ what: DOCUMENT, how: 'table of sizes', failed: true });
  console.log(`FAILED   the sizes in ${DOCUMENT} are out of date: npm run test:runtimes -- --write size,`);
}

if (wanted.length === 0) {
  console.log(`\n${runtimesTable()}`);
  if (isWriting) writeTable(DOCUMENT, 'runtimes', runtimesTable());
}
if (context.uploads.length === uploads.length) {
  const table = uploadsTable();
  console.log(`\n${table}`);
  if (isWriting) writeTable(DOCUMENT, 'uploads', table);
  else checkUploads(table);
}
const missing = rows.filter((row) => row.missing);
const failed = rows.filter((row) => row.failed);
if (missing.length > 0) console.log(`*** MISSING: ${missing.map(({ what, how }) => `${what}: ${how}`).join('; ')} ***`);
console.log(`${rows.length - failed.length - missing.length} of ${rows.length} passed`);
process.exit(failed.length > 0 ? 1 : 0);
