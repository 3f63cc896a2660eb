// The text of a page. Its declaration names no type of parse5, which only users of this entry have.

/** The number of words of the text of a page that is compared, and of all text of the page. */
export interface PageWords {
  used: number;
  all: number;
}

/** The text of a page that is compared. */
export interface PageText {
  text: string;
  words: PageWords;
}
