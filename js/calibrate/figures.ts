// Statistics: the confidence interval of a count, its extrapolation to a larger collection, and the best threshold.

/** A number of documents, and its 95 % confidence interval. */
export interface Figure {
  count: number;
  /** The lower end of the range. */
  low: number;
  /** The upper end of the range. */
  high: number;
}

/** The effect of a threshold, in documents. */
export interface Figures {
  /** Documents that are dropped. */
  dropped: Figure;
  /** Dropped documents whose exact resemblance to every kept document is below `different`. */
  wrong: Figure;
  /** Documents that are kept though their exact resemblance to an earlier kept document is at least `same`. */
  left: Figure;
}

/** The counts of {@link Figures}. @internal */
export type Counts = Record<keyof Figures, number>;

/** The quantile of the normal distribution for an interval that contains the true value 95 times in 100. */
const Z = 1.96;

/** Returns the interval of Wilson (1927) for a count out of `total`, in documents. @internal */
export function wilsonInterval(count: number, total: number): Figure {
  if (total === 0) return { count: 0, low: 0, high: 0 };
  const share = count / total;
  const middle = share + Z ** 2 / (2 * total);
  const halfWidth = Z * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2));
  const bound = (value: number) => (total * value) / (1 + Z ** 2 / total);
  return {
    count,
    low: count === 0 ? 0 : bound(middle - halfWidth),
    high: count === total ? total : bound(middle + halfWidth),
  };
}

/**
 * The odds that a document is dropped, wrongly dropped or left grow with these powers of the collection's size. Measured by
 * benches/calibrate_study.mjs; see DESIGN.md. The interval assumes powers from 0 to 1: when the collection grows, the number
 * of a document's near-duplicates does not shrink, and grows at most in proportion.
 */
const growth: Counts = { dropped: 0.57, wrong: 0.4, left: 0.4 };

/** Returns the interval for `expected` documents, given the interval of a sample of `size` documents. @internal */
export function extrapolate({ count, low, high }: Figure, power: number, size: number, expected: number): Figure {
  const times = expected / size;
  if (times === 1) return { count, low, high };
  const at = (number: number, power: number) => {
    const odds = (number / (size - number)) * times ** power;
    return odds === Infinity ? expected : (expected * odds) / (1 + odds);
  };
  return { count: at(count, power), low: at(low, times > 1 ? 0 : 1), high: at(high, times > 1 ? 1 : 0) };
}

/** Returns the figures for `expected` documents, given the counts of a sample of `size` documents. @internal */
export function forecast(counts: Counts, size: number, expected: number): Figures {
  const figure = (name: keyof Counts) => extrapolate(wilsonInterval(counts[name], size), growth[name], size, expected);
  return { dropped: figure('dropped'), wrong: figure('wrong'), left: figure('left') };
}

const costOf = ({ wrong, left }: Pick<Counts, 'wrong' | 'left'>, cost: number): number => cost * wrong + left;

/**
 * Returns the position of the threshold with the lowest cost on labels; of several, the nearest to `defaultAt`.
 *
 * @internal
 */
export function thresholdOfLabels(
  rows: readonly Pick<Figures, 'wrong' | 'left'>[],
  defaultAt: number,
  cost: number,
): number {
  const costs = rows.map(({ wrong, left }) => costOf({ wrong: wrong.count, left: left.count }, cost));
  const least = Math.min(...costs);
  const best = [...costs.keys()].filter((at) => costs[at] === least);
  return best.reduce((nearest, at) => (Math.abs(at - defaultAt) < Math.abs(nearest - defaultAt) ? at : nearest));
}

/** The share of the default's cost that another threshold must save. */
const MIN_GAIN = 0.2;

/**
 * Returns the position of the threshold with the lowest cost, `cost` times the wrong drops plus the near-duplicates left. It
 * is `defaultAt` unless another threshold is clearly better: by a fifth, and by more than two standard errors of the
 * difference, which is estimated from the differences between the counts of the two.
 *
 * @internal
 */
export function bestThreshold(
  rows: readonly Pick<Counts, 'wrong' | 'left'>[],
  defaultAt: number,
  cost: number,
): number {
  const defaultCost = costOf(rows[defaultAt], cost);
  let best = defaultAt;
  for (const [at, row] of rows.entries()) {
    if (costOf(row, cost) >= costOf(rows[best], cost)) continue;
    const gain = defaultCost - costOf(row, cost);
    const [wrong, left] = [rows[defaultAt].wrong - row.wrong, rows[defaultAt].left - row.left];
    const error = Math.sqrt(cost ** 2 * Math.abs(wrong) + Math.abs(left));
    if (gain > 2 * error && gain >= MIN_GAIN * defaultCost) best = at;
  }
  return best;
}
