// The text of a page. Its declaration names no type of parse5, which only users of this entry have.

/** The number of words of the text of a page that is compared, and of all text of the page. */
export interface PageWords {
  /** The number of words of the text that is compared. */
  used: number;
  /** The number of all words of the page. */
  all: number;
}

/** The text of a page that is compared. */
export interface PageText {
  /** The text that is compared. */
  text: string;
  /** The numbers of words. */
  words: PageWords;
}
