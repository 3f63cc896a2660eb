// nearprint hash, compare and query.

import { summarize } from '../api/short-text.js';
import { cosine, distance, MIN_FEATURES, similarity, toHex, toSigned } from '../index.js';
import { htmlReader } from '../node/html.js';
import { UserError } from '../node/user-error.js';
import { reason } from './errors.js';
import { chunks, contents, nameOf } from './input.js';
import { Output } from './output.js';
import { loadIndex, originalId } from './snapshots.js';

const formats = {
  hex: toHex,
  decimal: (fingerprint) => String(fingerprint),
  signed: (fingerprint, bits) => String(toSigned(fingerprint, bits)),
};

/** Warns about JSON Lines read as one text. */
function checkKind(files, io) {
  const file = files.find((name) => /\.(jsonl|ndjson)(\.gz)?$/i.test(name));
  if (file) io.note(`${file} is read as one text; with --jsonl, each line is a document`);
}

export async function hash(files, options, io) {
  const fingerprinter = options.fingerprinter();
  const { bits, id: scheme } = fingerprinter;
  const show = (fingerprint) => formats[options.format](fingerprint, bits);
  if (options.jsonl) {
    for await (const { documents } of io.batches(files, { scheme, ...options.reading })) {
      const row = ({ id, summary }) => `${JSON.stringify({ id, fingerprint: show(summary.fingerprint) })}\n`;
      await Output.stdout.write(documents.map(row).join(''));
    }
    return;
  }
  checkKind(files, io);
  const mainText = options.reading.html ? await htmlReader() : null;
  const fingerprintOf = async (path) => {
    if (mainText) return fingerprinter.fingerprint(mainText((await contents(path, io)).toString()));
    const stream = fingerprinter.stream();
    for await (const chunk of chunks(path, io)) stream.update(chunk);
    return stream.digest();
  };
  const fingerprints = io.eachFile(files, async function* (path) {
    yield { path, fingerprint: await fingerprintOf(path) };
  });
  for await (const { path, fingerprint } of fingerprints) {
    if (io.signal.aborted) return;
    await Output.stdout.write(`${show(fingerprint)}  ${path}\n`);
  }
}

export async function compare(files, options, io) {
  const fingerprinter = options.fingerprinter();
  const { bits } = fingerprinter;
  const maxDistance = options.maxDistance(bits);
  const mainText = options.reading.html ? await htmlReader() : null;
  const sides = [];
  for (const path of files) {
    let bytes;
    try {
      bytes = await contents(path, io);
    } catch (error) {
      throw new UserError(`${nameOf(path)}: ${reason(error)}`);
    }
    if (io.signal.aborted) return;
    const fingerprint = fingerprinter.fingerprint(mainText ? mainText(bytes.toString()) : bytes);
    sides.push({ path, fingerprint, features: fingerprinter.distinct });
  }
  const [a, b] = sides.map(({ fingerprint }) => fingerprint);
  const differing = distance(a, b);
  const verdict = differing === 0 ? 'the same fingerprint' : differing <= maxDistance ? 'near-duplicates' : 'different';
  const rows = [
    `${verdict}: ${differing} of ${bits} bits differ; near-duplicates differ in up to ${maxDistance}`,
    `distance    ${differing}`,
    `similarity  ${similarity(a, b, bits).toFixed(4)}`,
    `cosine      ${cosine(a, b, bits).toFixed(4)}`,
    ...sides.map(({ path, fingerprint }) => `${toHex(fingerprint, bits)}  ${path}`),
  ];
  await Output.stdout.write(`${rows.join('\n')}\n`);
  for (const { path, features } of sides) {
    if (features >= MIN_FEATURES) continue;
    io.note(
      `${path} is short: it has ${features} different features, and the distance is reliable from ${MIN_FEATURES} on`,
    );
  }
  if (differing > maxDistance) io.exitCode = 1;
}

export async function query([path, ...files], options, io) {
  const index = loadIndex(path);
  if (index === null) throw new UserError(`${path}: no such file or directory`);
  const fingerprinter = options.fingerprinter(index, path);
  const maxDistance = options.given.maxDistance ? options.maxDistance(index.bits) : index.maxDistance;
  const near = ({ fingerprint, words }) =>
    index
      .query(fingerprint, { maxDistance: words === undefined ? maxDistance : 0, limit: options.limit })
      .map((hit) => ({ id: originalId(hit.id), distance: hit.distance }));
  const row = ({ id, summary }) => `${JSON.stringify({ id, near: near(summary) })}\n`;
  const from = files.length > 0 ? files : ['-'];
  if (options.jsonl) {
    for await (const { documents } of io.batches(from, { scheme: fingerprinter.id, ...options.reading })) {
      await Output.stdout.write(documents.map(row).join(''));
    }
    return;
  }
  checkKind(from, io);
  const mainText = options.reading.html ? await htmlReader() : (text) => text;
  const documents = io.eachFile(from, async function* (path) {
    const bytes = await contents(path, io);
    yield { id: path, summary: summarize(fingerprinter, options.reading.html ? mainText(bytes.toString()) : bytes) };
  });
  for await (const document of documents) {
    if (io.signal.aborted) return;
    await Output.stdout.write(row(document));
  }
}
