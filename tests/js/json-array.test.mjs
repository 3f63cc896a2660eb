// An array of objects as JSON Lines. The oracle is JSON.parse on each element as it is written.
import assert from 'node:assert/strict';
import { importSource } from '../source.mjs';
import { test } from '../tier.mjs';
import { random } from './random.mjs';

const { elementsOf } = await importSource('js/cli/json-array.ts');

const gaps = ['', ' ', '\n', '\r\n', '\t', ' \n ', '\n\n', '\f', '\v', '\n\f'];

/** Returns the value of JSON; undefined for another text. */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Writes a value with gaps between tokens and, rarely, in them. */
function spread(json, below) {
  const parts = json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^"{}[\],:]+/g);
  return parts
    .map((part) => {
      const at = below(part.length);
      const isCut = part.length > 1 && part[at - 1] !== '\\' && below(40) === 0;
      return (isCut ? part.slice(0, at) + gaps[below(gaps.length)] + part.slice(at) : part) + gaps[below(5)];
    })
    .join('');
}

function randomValue(below, depth = 0) {
  const kind = below(depth > 2 ? 5 : 7);
  if (kind === 5) return Array.from({ length: below(4) }, () => randomValue(below, depth + 1));
  if (kind === 6) return { id: randomValue(below, depth + 1), b: randomValue(below, depth + 1) };
  return [12, -0.5, true, null, 'a "quoted, [text]"\\'][kind];
}

/** Returns the lines of an array, which arrives in random parts. */
async function linesOf(array, below) {
  const bytes = Buffer.from(array);
  const parts = [];
  for (let at = 0; at < bytes.length; at += parts.at(-1).length) parts.push(bytes.subarray(at, at + 1 + below(7)));
  let lines = '';
  for await (const chunk of elementsOf(parts, new AbortController().signal)) lines += chunk;
  return lines.split('\n').slice(0, -1);
}

test('an element of an array has the value that it has alone, or none', async () => {
  const below = random(11);
  for (let trial = 0; trial < 2000; trial++) {
    const elements = Array.from({ length: 1 + below(4) }, () => spread(JSON.stringify(randomValue(below)), below));
    const lines = await linesOf(`[${elements.join(',')}]`, below);
    assert.deepEqual(lines.map(parsed), elements.map(parsed), JSON.stringify(elements));
  }
});

test('a line break between two words does not make one word of them', async () => {
  for (const element of ['1\n2', 'tr\nue', '-\r\n1', '1\n\t .5', '{"id": 1\n2}', '[true\nfalse]', '1\n\f2']) {
    const lines = await linesOf(`[${element},{"a":\n1}]`, random(1));
    assert.equal(parsed(element), undefined);
    assert.deepEqual(lines.map(parsed), [undefined, { a: 1 }], JSON.stringify(element));
  }
});
