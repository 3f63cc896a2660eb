// Statistics: how sure a count is, what a larger collection would give, and which threshold is best.

/** The quantile of the normal distribution for an interval that has the true value 95 times in 100. */
const Z = 1.96;

/** The interval of Wilson (1927) for a count out of `total`: `{ count, low, high }`, all as numbers of documents. */
export function counted(count, total) {
  if (total === 0) return { count: 0, low: 0, high: 0 };
  const share = count / total;
  const middle = share + Z ** 2 / (2 * total);
  const width = Z * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2));
  const bound = (value) => (total * value) / (1 + Z ** 2 / total);
  return { count, low: count === 0 ? 0 : bound(middle - width), high: count === total ? total : bound(middle + width) };
}

/**
 * How the odds that a document is dropped, dropped wrongly or left grow with the size of the collection: as its size to
 * this power. Measured by benches/calibrate_study.mjs; see DESIGN.md. In every collection the power is between 0 and 1: a
 * document has no fewer partners in a larger collection, and at most as many more as there are more documents.
 */
export const growth = { dropped: 0.57, wrong: 0.4, left: 0.4 };

/** What the interval of a sample of `size` documents would be for `expected` documents. */
export function extrapolated({ count, low, high }, power, size, expected) {
  const times = expected / size;
  if (times === 1) return { count, low, high };
  const at = (number, power) => {
    const odds = (number / (size - number)) * times ** power;
    return odds === Infinity ? expected : (expected * odds) / (1 + odds);
  };
  return { count: at(count, power), low: at(low, times > 1 ? 0 : 1), high: at(high, times > 1 ? 1 : 0) };
}

/** Another threshold must save this share of the cost of the usual one. */
const LEAST_GAIN = 0.2;

/**
 * The position of the threshold with the lowest cost, `cost` times the wrong drops plus the near-duplicates left. That of
 * `usual` is returned unless another one is clearly better: by a fifth, and by more than two standard errors of the
 * difference, which is that of the numbers of documents that only one of the two decides wrongly.
 */
export function bestThreshold(rows, usual, cost) {
  const costOf = ({ wrong, left }) => cost * wrong + left;
  const most = costOf(rows[usual]);
  let best = usual;
  for (const [at, row] of rows.entries()) {
    if (costOf(row) >= costOf(rows[best])) continue;
    const gain = most - costOf(row);
    const [wrong, left] = [rows[usual].wrong - row.wrong, rows[usual].left - row.left];
    const error = Math.sqrt(cost ** 2 * Math.abs(wrong) + Math.abs(left));
    if (gain > 2 * error && gain >= LEAST_GAIN * most) best = at;
  }
  return best;
}
