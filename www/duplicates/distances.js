// Counts the distances of all pairs of a collection.
import { distance, Fingerprinter } from 'nearprint';

/** A larger collection is sampled: this many texts have 4.5 million pairs, which take 0.7 s. */
const SAMPLE = 3000;

/** Rows of pairs between two progress reports. */
const REPORT_EVERY = 64;

/**
 * Returns `{ counts, counted }`: `counts[d]` is the number of pairs at distance `d`, and `counted` the number of texts
 * that were compared. `progress` gets the share of pairs that are done.
 */
export function countDistances(texts, options, progress) {
  const counted = Math.min(texts.length, SAMPLE);
  const sample = Array.from({ length: counted }, (_, at) => texts[Math.floor((at * texts.length) / counted)]);
  const fingerprinter = new Fingerprinter(options);
  const fingerprints = sample.map((text) => fingerprinter.fingerprint(text));
  const counts = new Float64Array(fingerprinter.bits + 1);
  for (let a = 0; a < counted; a++) {
    for (let b = a + 1; b < counted; b++) counts[distance(fingerprints[a], fingerprints[b])]++;
    // Row `a` has `counted - a - 1` pairs, so the share of pairs is not the share of rows.
    if (a % REPORT_EVERY === 0) progress(1 - (1 - a / counted) ** 2);
  }
  return { counts, counted };
}
