// Runs the recipes of the documents that need packages of Python, whose folder is in RECIPES_PYTHONPATH.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { blocks, makeFolder, runBlock } from './blocks.mjs';
import { textOf } from './command.mjs';
import { root } from './packed.mjs';
import { temporary } from './temporary.mjs';

const packages = process.env.RECIPES_PYTHONPATH;
const skip = packages === undefined ? 'RECIPES_PYTHONPATH is not set' : false;
const env = { PYTHONPATH: packages };

/** The documents that both recipes get. */
const documents = [1, 2, 1, 3, 2].map((seed, at) => ({ id: `https://example.org/${at}`, text: textOf(seed) }));
const kept = ['https://example.org/0', 'https://example.org/1', 'https://example.org/3'];

/** Writes the documents as a web archive and as Parquet. */
const program = `
import io, json, sys
import duckdb
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

documents = json.load(sys.stdin)
with open('pages.warc.gz', 'wb') as file:
    writer = WARCWriter(file, gzip=True)
    writer.write_record(writer.create_warcinfo_record('pages.warc.gz', {'software': 'test'}))
    for document in documents:
        for kind in ['text/html; charset=utf-8', 'image/png']:
            headers = StatusAndHeaders('200 OK', [('Content-Type', kind)], protocol='HTTP/1.1')
            page = ('<!doctype html><main><p>' + document['text'] + '</main>').encode()
            record = writer.create_warc_record(document['id'], 'response', payload=io.BytesIO(page), http_headers=headers)
            writer.write_record(record)
duckdb.sql('CREATE TABLE pages (id TEXT, text TEXT)')
duckdb.executemany('INSERT INTO pages VALUES (?, ?)', [[each['id'], each['text']] for each in documents])
duckdb.sql("COPY pages TO 'pages.parquet'")
`;

test('the recipes for WARC and Parquet print what the page says', { skip }, () => {
  const modules = temporary();
  cpSync(join(root, 'pkg'), join(modules, 'nearprint'), { recursive: true });
  for (const name of ['parse5', 'entities']) {
    const nested = join(root, 'node_modules', 'parse5', 'node_modules', name);
    const from = name === 'parse5' ? join(root, 'node_modules', name) : nested;
    symlinkSync(from, join(modules, name), 'junction');
  }
  // Python finds no function of the shell.
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../nearprint/cli.js', join(modules, '.bin', 'nearprint'));
  const folder = makeFolder(modules);
  const python = (code, input) =>
    spawnSync('python3', ['-c', code], { cwd: folder, input, encoding: 'utf8', env: { ...process.env, ...env } });
  const written = python(program, JSON.stringify(documents));
  assert.equal(written.status, 0, written.stderr);
  const recipes = blocks('docs/command-line.md').filter(({ runner }) => runner === 'python');
  assert.equal(recipes.length, 3);
  for (const recipe of recipes) {
    runBlock(recipe, folder, env);
    const lines = readFileSync(join(folder, 'unique.jsonl'), 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).id),
      kept,
      recipe.name,
    );
  }
  const { stdout, stderr } = python(
    `import duckdb; print(duckdb.sql("SELECT count(*) FROM 'unique.parquet'").fetchall())`,
  );
  assert.equal(stdout, '[(3,)]\n', stderr);
});
