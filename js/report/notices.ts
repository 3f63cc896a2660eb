// The numbers of a search that deserve a warning, on the command line and on the page.

/** A document with more duplicates than this, or than this share of all, is named; not for fewer than a handful. */
const [MANY, LARGE_SHARE, FEW] = [100, 0.1, 5];

/** Returns whether this number of duplicates of one document is suspicious. */
export const isLargeFamily = (duplicates: number, documents: number): boolean =>
  duplicates > MANY || (duplicates >= FEW && duplicates > LARGE_SHARE * documents);

/** The number of line breaks inside quotation marks for each row, from which a stray quotation mark is suspected. */
const MANY_BREAKS = 0.01;

/** Returns whether this number of line breaks inside quotation marks is suspicious. */
export const areManyBreaks = (breaks: number, rows: number): boolean => breaks > MANY_BREAKS * rows;
