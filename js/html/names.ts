// What the names of an element, its id and classes, say about the text in it. Authors choose names, so they may mislead.

/**
 * - `comments`: a list of comments; `comment`: one comment, or the description of a part of a program in a manual
 * - `notice`: a notice that asks for consent or a subscription
 * - `cookies`: a notice about cookies, or a recipe for them
 * - `promotion`: advertising
 * - `sharing`: links for sharing, or what a text says about shares
 * - `related`: links to other pages, next to the content or around it
 * - `navigation`: navigation, or the end of each page
 */
export type NamedRole =
  | 'comments'
  | 'comment'
  | 'notice'
  | 'cookies'
  | 'promotion'
  | 'sharing'
  | 'related'
  | 'navigation';

/** Returns a pattern of words in names. The content of a page `has-sidebar`, but is not one. */
const wordsIn = (words: string): RegExp =>
  new RegExp(`(?:^|[\\s_-])(?<!(?:has|no|with|without)[_-])(?:${words})(?:$|[\\s_-])`, 'i');

const patterns: readonly (readonly [NamedRole, RegExp])[] = [
  ['comments', wordsIn('comments|disqus')],
  ['comment', wordsIn('comment')],
  ['notice', wordsIn('consent|gdpr|newsletter|onetrust|subscribe')],
  ['cookies', wordsIn('cookies?')],
  ['promotion', wordsIn('ads?|advert\\w*|promo|sponsor\\w*')],
  ['sharing', wordsIn('share|sharing|social')],
  ['related', wordsIn('menu|recommend\\w*|related|sidebar|widgets?')],
  ['navigation', wordsIn('breadcrumbs?|copyright|footer|nav|navbar|navfooter|navheader|navigation|pagination')],
];

const dialogs = wordsIn('dialog|drawer|lightbox|modal|off-?canvas|overlay|pop-?(?:over|up)|tool-?tip');

/** Returns whether names say that an element opens over the page. Such an element may be open, so it has no role. */
export const isDialog = (names: string): boolean => dialogs.test(names);

const roleOf = (names: string): NamedRole | undefined => patterns.find(([, pattern]) => pattern.test(names))?.[0];

/** Classes of more than four words, which name no role: in manuals, they are made from titles. */
const titles = /(?<!\S)[_-]*(?:[^\s_-]+[_-]+){4}[^\s_-]\S*/g;

/** Returns the role that the classes of an element name. */
export const roleOfClasses = (names: string): NamedRole | undefined => roleOf(names.replace(titles, ''));

/** The maximum number of words of an id that names a role. In manuals, ids have the words of all sections around them. */
const MAX_ID_WORDS = 2;

/** The maximum length of an id that names a role, in UTF-16 units. */
const MAX_ID_LENGTH = 200;

/** Returns the role that an id names. In a longer one, only the first word counts, and only of a notice: `cookie-law-info-bar`. */
export function roleOfId(id: string): NamedRole | undefined {
  if (id.length > MAX_ID_LENGTH) return undefined;
  const words = id.split(/[\s_-]+/);
  if (words.length <= MAX_ID_WORDS) return roleOf(id);
  const role = roleOf(words[0]);
  return role === 'notice' || role === 'cookies' ? role : undefined;
}

/** Separates the words of names such as `commentList`. */
export const separateWords = (names: string): string => names.replace(/(?<=[a-z])(?=[A-Z])/g, '-');

const lowerWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns whether an id is made from a heading: `sec-comments` from `2.1 Comments`, in a manual that has such a section. */
export function isMadeFrom(heading: string, id: string): boolean {
  const words = new Set(lowerWords(heading));
  return lowerWords(id).every((word, at) => words.has(word) || (at === 0 && /^(?:..?|sect?|section)$/u.test(word)));
}
