// The example of the crate, examples/dedupe_lines.rs, writes what the command line writes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { before } from 'node:test';
import { exhaustive as test } from '../tier.mjs';
import { bin } from './command.mjs';
import { root } from './packed.mjs';
import { random } from './random.mjs';

const example = join(root, 'target', 'debug', 'examples', `dedupe_lines${process.platform === 'win32' ? '.exe' : ''}`);

before(() => {
  const args = [
    'build',
    '--quiet',
    '--locked',
    '--package',
    'nearprint',
    '--all-features',
    '--example',
    'dedupe_lines',
  ];
  const { status, stderr } = spawnSync('cargo', args, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

const run = (program, args, input) => spawnSync(program, args, { input, maxBuffer: 1 << 30 });

/** Lines with texts of 30 words, and messy lines between them. Every third text is an edit of an earlier one. */
function messyLines() {
  const below = random(62);
  const words = Array.from({ length: 2000 }, (_, at) => `w${(at * 7919) % 100_003}`);
  const texts = [];
  const lines = [];
  for (let at = 0; at < 3000; at++) {
    const text =
      at % 3 === 2 ? [...texts[below(texts.length)]] : Array.from({ length: 30 }, () => words[below(words.length)]);
    if (at % 3 === 2) text[below(text.length)] = 'edited';
    texts.push(text);
    lines.push(JSON.stringify({ id: at % 7 === 0 ? 1 : `${at}`, text: text.join(at % 5 === 0 ? '\n' : ' ') }));
    const messy = [
      '',
      '   ',
      `\r`,
      ` { "text" : "spaces ${at}" } \r`,
      `{"text":"first","text":"the last of equal keys counts ${at % 40}"}`,
      `{"text":"\\u00e9t\\u00E9 \\ud83d\\ude00 \\/ ${at % 50}"}`,
      `{"text":"","id":${at}}`,
      `{"id":${at}}`,
      `{"text":null}`,
      `{"text":"cut`,
      `not JSON ${at}`,
      `{"text":"İstanbul, ﬁne, 北京 ${at % 30}","nested":{"text":[1,{"a":null}]},"number":1e300}`,
      `{"text":"${'long '.repeat(at % 20 === 0 ? 5000 : 1)}"}`,
      `{"text":"control \t character"}`,
    ];
    if (below(4) === 0) lines.push(messy[below(messy.length)]);
  }
  return lines;
}

test('it writes the same bytes as the command line', () => {
  const lines = messyLines();
  for (const ending of ['', '\n']) {
    const input = lines.join('\n') + ending;
    const ours = run(example, [], input);
    const theirs = run(process.execPath, [bin, 'dedupe', '--format', 'jsonl', '--quiet'], input);
    assert.ok(ours.stdout.length > 200_000 && ours.stdout.length < input.length);
    assert.ok(ours.stdout.equals(theirs.stdout), String(theirs.stderr).slice(0, 2000));
    assert.deepEqual([ours.status, theirs.status], [2, 2]);
  }
  const whole = lines.filter((line) => line.startsWith('{"id"') && line.includes('"text":"w'));
  const ours = run(example, [], whole.join('\n'));
  assert.deepEqual([ours.status, String(ours.stderr)], [0, '']);
  assert.ok(ours.stdout.equals(run(process.execPath, [bin, 'dedupe', '--format', 'jsonl'], whole.join('\n')).stdout));
});

test('a line that it cannot read is named, and the exit code is 2', () => {
  const { status, stdout, stderr } = run(
    example,
    [],
    '{"text":"a"}\n{"text":"\\ud800"}\n\n{"text":"b"}\n{"text":7}\n{"text":"c","size":1e400}\n',
  );
  assert.equal(String(stdout), '{"text":"a"}\n{"text":"b"}\n');
  assert.equal(String(stderr), [2, 5, 6].map((place) => `line ${place} is not JSON with a text\n`).join(''));
  assert.equal(status, 2);
});
