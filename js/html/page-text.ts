// The text of a page. Its declaration names no type of parse5, which only users of this entry have.

/** The text of a page that is compared. */
export interface PageText {
  text: string;
  /** The number of words of the text, and of all text of the page. */
  words: { used: number; all: number };
}
