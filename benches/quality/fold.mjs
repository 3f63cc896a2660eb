// Words as people read them: the truth takes spellings of one word for one. It has the rules by which sketches fold words, and is
// written without nearprint, so that it can find its mistakes. Spellings of one word differ in case, accents, apostrophes,
// letters with an equivalent, and line ends inside it.

/** Scripts written without spaces. Each of their characters is a token. */
const unspaced = [
  'Balinese',
  'Bopomofo',
  'Cham',
  'Egyptian_Hieroglyphs',
  'Han',
  'Hiragana',
  'Javanese',
  'Katakana',
  'Khmer',
  'Lao',
  'Myanmar',
  'New_Tai_Lue',
  'Sundanese',
  'Tai_Le',
  'Tai_Tham',
  'Tai_Viet',
  'Thai',
  'Yi',
];

/** Matches a character of these scripts, and the mark of long vowels. */
export const dense = `[ー${unspaced.map((script) => `\\p{Script=${script}}`).join('')}]`;

const spaced = `(?!${dense})\\p{L}`;

/** A hyphen at a line end inside a word, with the white space after it. */
const brokenWord = new RegExp(
  `(?<=${spaced}\\p{M}*)[\\u00ad\\u2010-][\\n\\v\\f\\r\\u0085\\u2028\\u2029]\\s*(?=${spaced})`,
  'gu',
);

/** Accents, points and vowel signs. The marks of Indic scripts, Thai and kana are letters, and stay. */
const marks = new RegExp(
  `[${[
    '\\u0300-\\u036f\\u0483-\\u0487\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20f0\\ufe20-\\ufe2f',
    // Hebrew.
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7',
    // Arabic and Syriac.
    '\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed',
    '\\u0711\\u0730-\\u074a\\u08ca-\\u08e1\\u08e3-\\u08ff',
  ].join('')}]`,
  'gu',
);

/** Apostrophes, middle dots, and the line that stretches Arabic words. */
const joiner = "['·\\u02b9-\\u02bf\\u055a\\u05f3\\u05f4\\u0640\\u07f4‘’‚‛‧]";

/** A joiner with a letter on at least one side. Between digits it separates: `5'10` is not `510`. */
const joinerAtLetter = new RegExp(`(?<=[\\p{L}\\p{M}])${joiner}|${joiner}(?=\\p{L})`, 'gu');

const letters = {
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
  '\u0671': '\u0627',
  '\u0649': '\u064a',
  '\u06cc': '\u064a',
  '\u06a9': '\u0643',
};

const variant = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu');

/** Returns the text with one spelling of each word. */
export const fold = (text) =>
  text
    .replace(brokenWord, '')
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    // Both, since ß has a capital of two letters.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replace(marks, '')
    .normalize('NFC')
    .replace(joinerAtLetter, '')
    .replace(variant, (letter) => letters[letter]);
