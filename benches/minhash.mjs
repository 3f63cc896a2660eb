// The method that nearprint is compared with: MinHash of 128 hashes with LSH at a resemblance of 0.7, by the Python package datasketch
// (benches/minhash.py). A document is dropped if LSH finds a kept one. The features are word triples (runs of five
// characters in texts of Han, Kana or Thai), those from which the evaluation computes the truth.
//
//     PYTHON=python3 node ../shared/eval/scale.mjs --module benches/minhash.mjs
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('minhash.py', import.meta.url));

export function* dedupe(documents) {
  const input = documents.map(({ id, text }) => `${JSON.stringify({ id, text })}\n`).join('');
  const output = execFileSync(process.env.PYTHON ?? 'python3', [program], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  for (const line of output.trimEnd().split('\n')) {
    const [id, duplicateOf] = JSON.parse(line);
    yield { id, duplicateOf };
  }
}

/** The evaluation measures its time, which is nothing here. */
export const fingerprintAll = () => [];
