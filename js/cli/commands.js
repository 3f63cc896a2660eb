// nearprint hash, compare and query.

import { summarize } from '../core/short-text.js';
import { cosine, Deduplicator, distance, MIN_FEATURES, similarity, toHex, toSigned } from '../index.js';
import { htmlReader } from '../node/html.js';
import { UserError } from '../node/user-error.js';
import { reason } from './errors.js';
import { chunks, contents, nameOf } from './input.js';
import { Output } from './output.js';
import { ByResemblance } from './rules.js';
import { loadIndex, originalId } from './snapshots.js';

const formats = {
  hex: toHex,
  decimal: (fingerprint) => String(fingerprint),
  signed: (fingerprint, bits) => String(toSigned(fingerprint, bits)),
};

/** As `sketch.toHex()`, and faster. */
const hexOf = (sketch) => Buffer.from(sketch.toBytes()).toString('hex');

/** Warns about JSON Lines read as one text. */
function checkKind(files, io) {
  const file = files.find((name) => /\.(jsonl|ndjson)(\.gz|\.zst)?$/i.test(name));
  if (file) io.note(`${file} is read as one text; with --jsonl, each line is a document`);
}

export async function hash(files, options, io) {
  const fingerprinter = options.fingerprinter();
  const { bits, id: scheme } = fingerprinter;
  const show = (fingerprint) => formats[options.format](fingerprint, bits);
  if (options.jsonl && options.sketch) {
    const settings = { scheme, summary: ByResemblance.summary, ...options.reading };
    for await (const { documents } of io.batches(files, settings)) {
      const row = ({ id, summary }) => `${JSON.stringify({ id, sketch: hexOf(summary) })}\n`;
      await Output.stdout.write(documents.map(row).join(''));
    }
    return;
  }
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
    const stream = fingerprinter.stream();
    if (mainText) stream.update(mainText((await contents(path, io)).toString()));
    else for await (const chunk of chunks(path, io)) stream.update(chunk);
    return options.sketch ? stream.sketch().toHex() : show(stream.digest());
  };
  const fingerprints = io.eachFile(files, async function* (path) {
    yield { path, fingerprint: await fingerprintOf(path) };
  });
  for await (const { path, fingerprint } of fingerprints) {
    if (io.signal.aborted) return;
    await Output.stdout.write(`${fingerprint}  ${path}\n`);
  }
}

export async function compare(files, options, io) {
  const fingerprinter = options.fingerprinter();
  const { bits } = fingerprinter;
  const mainText = options.reading.html ? await htmlReader() : null;
  const sides = [];
  for (const path of files) {
    let text;
    try {
      const bytes = await contents(path, io);
      text = mainText && !io.signal.aborted ? mainText(bytes.toString()) : bytes;
    } catch (error) {
      throw new UserError(`${nameOf(path)}: ${reason(error)}`);
    }
    if (io.signal.aborted) return;
    const fingerprint = fingerprinter.fingerprint(text);
    sides.push({ path, fingerprint, features: fingerprinter.distinct, sketch: fingerprinter.sketch(text) });
  }
  const [a, b] = sides.map(({ fingerprint }) => fingerprint);
  const differing = distance(a, b);
  const resemblance = sides[0].sketch.resemblance(sides[1].sketch);
  const { isNear, verdict } = options.given.maxDistance
    ? verdictByDistance(differing, bits, options.maxDistance(bits))
    : verdictByResemblance(resemblance, options.minResemblance ?? new Deduplicator().minResemblance);
  const rows = [
    verdict,
    `resemblance ${resemblance.toFixed(4)} (estimated)`,
    `distance    ${differing}`,
    `similarity  ${similarity(a, b, bits).toFixed(4)}`,
    `cosine      ${cosine(a, b, bits).toFixed(4)}`,
    ...sides.map(({ path, fingerprint }) => `${toHex(fingerprint, bits)}  ${path}`),
  ];
  await Output.stdout.write(`${rows.join('\n')}\n`);
  for (const { path, features } of sides) {
    if (features >= MIN_FEATURES) continue;
    io.note(
      `${path} is short: it has ${features} different features; a text of fewer than ${MIN_FEATURES} is a ` +
        'near-duplicate only of a text with the same words',
    );
  }
  if (!isNear) io.exitCode = 1;
}

function verdictByResemblance(resemblance, minResemblance) {
  const isNear = resemblance >= minResemblance;
  const shared = `the texts share about ${Math.round(100 * resemblance)} % of their word pairs`;
  const rule = `near-duplicates share at least ${Number((100 * minResemblance).toFixed(1))} %`;
  return { isNear, verdict: `${isNear ? 'near-duplicates' : 'different'}: ${shared}; ${rule}` };
}

function verdictByDistance(differing, bits, maxDistance) {
  const isNear = differing <= maxDistance;
  const name = differing === 0 ? 'the same fingerprint' : isNear ? 'near-duplicates' : 'different';
  const rule = `near-duplicates differ in up to ${maxDistance}`;
  return { isNear, verdict: `${name}: ${differing} of ${bits} bits differ; ${rule}` };
}

/** Returns a function from a summary to the documents of the index that are near it. */
function searchOf(index, options) {
  if (index instanceof Deduplicator) {
    if (options.given.maxDistance)
      throw new UserError('--max-distance takes an index of fingerprints, not of sketches');
    const rule = new ByResemblance(index);
    return (summary) => {
      const hit = rule.nearest(summary);
      return hit === undefined ? [] : [{ id: originalId(hit.id), ...ByResemblance.row(hit) }];
    };
  }
  const maxDistance = options.given.maxDistance ? options.maxDistance(index.bits) : index.maxDistance;
  return ({ fingerprint, words }) =>
    index
      .query(fingerprint, { maxDistance: words === undefined ? maxDistance : 0, limit: options.limit })
      .map((hit) => ({ id: originalId(hit.id), distance: hit.distance }));
}

export async function query([path, ...files], options, io) {
  const index = loadIndex(path);
  if (index === null) throw new UserError(`${path}: no such file or directory`);
  const fingerprinter = options.fingerprinter(index, path);
  const near = searchOf(index, options);
  const summary = index instanceof Deduplicator ? ByResemblance.summary : 'fingerprint';
  const row = ({ id, summary }) => `${JSON.stringify({ id, near: near(summary) })}\n`;
  const from = files.length > 0 ? files : ['-'];
  if (options.jsonl) {
    for await (const { documents } of io.batches(from, { scheme: fingerprinter.id, summary, ...options.reading })) {
      await Output.stdout.write(documents.map(row).join(''));
    }
    return;
  }
  checkKind(from, io);
  const mainText = options.reading.html ? await htmlReader() : (text) => text;
  const summaryOf =
    summary === ByResemblance.summary ? (text) => fingerprinter.sketch(text) : (text) => summarize(fingerprinter, text);
  const documents = io.eachFile(from, async function* (path) {
    const bytes = await contents(path, io);
    yield { id: path, summary: summaryOf(options.reading.html ? mainText(bytes.toString()) : bytes) };
  });
  for await (const document of documents) {
    if (io.signal.aborted) return;
    await Output.stdout.write(row(document));
  }
}
