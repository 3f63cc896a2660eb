// Values that come in pairs: one for each of the two texts of the compare view.

/** The first or the second text. */
export type Side = 'a' | 'b';

export type Pair<T> = Record<Side, T>;

export const sides: readonly Side[] = ['a', 'b'];
