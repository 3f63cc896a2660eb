// Reads from the names of an element, its id and classes, what kind of text is in it. Authors choose names, so they may mislead.

/**
 * - `comments`: a list of comments; `comment`: one comment, or the description of a part of a program in a manual
 * - `notice`: a notice that asks for a subscription, or about rights
 * - `cookies`: a notice about cookies or consent, or a text about them
 * - `promotion`: advertising
 * - `sharing`: links for sharing or of sponsors, or what a text says about shares
 * - `related`: links to other pages, next to the content or around it; or a part whose name is about something else, such as
 *   `related-work`
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

/** Returns the set of words that are separated by spaces. */
export const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** The words that name a role, and words that are only parts of names with this role. */
const naming: readonly (readonly [role: NamedRole, words: RegExp, others: ReadonlySet<string>])[] = [
  [
    'comments',
    /^(?:comments|disqus|comentarios|commentaires|commenti|kommentare)$/,
    setOf('add by count form load more new no reply respond template thread tree view wp'),
  ],
  [
    'comment',
    /^(?:comment|comentario|commentaire|commento|kommentar)$/,
    setOf(
      'admin anonymous author avatar by child children copy date depth even form meta metadata name new node odd ping ' +
        'permalink replies reply respond score submitted thread time tree user vote votes',
    ),
  ],
  ['notice', /^(?:gdpr|newsletter|onetrust|subscribe)$/, setOf('abo anmeldung email input now page register sdk sign')],
  [
    'cookies',
    /^(?:consent|cookies?)$/,
    setOf('accept compliance gdpr hinweis law management manager preferences privacy tool'),
  ],
  [
    'promotion',
    /^(?:ads?|advert\w*|promo|publicidad|publicite|werbung)$/,
    setOf('gpt google leaderboard mpu native sense sky'),
  ],
  [
    'sharing',
    /^(?:share|sharing|social|sponsor\w*)$/,
    setOf(
      'article bluesky email facebook follow instagram like linkedin logo logos mail mastodon media network networks page pinterest ' +
        'post posts profiles reddit share sharing telegram this twitter whatsapp youtube',
    ),
  ],
  ['related', /^(?:menu|recommend\w*|related|sidebar|widgets?)$/, new Set()],
  [
    'navigation',
    /^(?:breadcrumbs?|copyright|footer|nav|navbar|navfooter|navheader|navigation|pagination)$/,
    setOf('next previous prev'),
  ],
];

/** Words for the shape, the place and the state of a part. They say nothing about its content. */
const shapes = setOf(
  'active ajax app area background banner bar base block blocks body border bottom box btn btns button buttons callout card cards cell center ' +
    'clearfix close closed col column columns component container content control controls cta custom dark default desktop dialog drawer ' +
    'element fixed float floating footer form full group head header heading hidden hide holder horizontal icon icons image img ' +
    'info inline inner input item items js label large layout left light line link links list lists main message middle mobile modal ' +
    'module nav notice notification off on open outer overlay pane panel parent placeholder plugin popup position position primary ' +
    'region right root row screen secondary section sections show sidebar signup single slot small space static sticky strip style ' +
    'summary template text title toggle toolbar tools top type ul unit up vertical view visible widget widgets wide wrap wrapper wrapped zone',
);

/** The start of a name that is followed by a word for something else: the content of a page `has-sidebar`, but is not one. */
const denials = setOf('has no with without');

/** The maximum number of words of a class that names a role. In manuals, longer ones are made from titles. */
const MAX_CLASS_WORDS = 4;

/** Returns the words of a name such as `comment-list`. */
const wordsIn = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[_-]+/)
    .filter((word) => word !== '');

/** Returns whether a word of a name is a number, an abbreviation or a random suffix: `cookie-bar_x7Yz`. */
const isCode = (word: string): boolean => word.length <= 2 || /\d/.test(word) || !/[aeiouy]/.test(word);

/**
 * Returns the role that a name states. The words after the one that states it must be about a part of a page: `cookie-banner` is a notice,
 * and `cookie-recipes` is `related`, as all names are that only mention a role.
 */
function roleOf(words: readonly string[]): NamedRole | undefined {
  let mentioned = false;
  for (const [role, pattern, others] of naming) {
    const at = words.findIndex((word, at) => pattern.test(word) && !denials.has(words[at - 1]));
    if (at < 0) continue;
    if (words.slice(at + 1).every((word) => pattern.test(word) || shapes.has(word) || others.has(word) || isCode(word)))
      return role;
    mentioned = true;
  }
  return mentioned ? 'related' : undefined;
}

const dialogs =
  /(?:^|[\s_-])(?<!(?:has|no|with|without)[_-])(?:dialog|drawer|lightbox|modal|off-?canvas|overlay|pop-?(?:over|up)|tool-?tip)(?:$|[\s_-])/i;

/** Returns whether names say that an element opens over the page. Such an element may be open, so it has no role. */
export const isDialog = (names: string): boolean => dialogs.test(names);

/** The order of the roles: if the classes of an element name several, the first one counts. */
const order: readonly NamedRole[] = naming.map(([role]) => role);

/** Returns the role that the classes of an element name. */
export function roleOfClasses(classes: string): NamedRole | undefined {
  let first: NamedRole | undefined;
  for (const name of classes.split(/\s+/)) {
    const words = wordsIn(name);
    const role = words.filter((word) => !isCode(word)).length > MAX_CLASS_WORDS ? undefined : roleOf(words);
    if (role !== undefined && (first === undefined || order.indexOf(role) < order.indexOf(first))) first = role;
  }
  return first;
}

/** The maximum number of words of an id that names a role. In manuals, ids have the words of all sections around them. */
const MAX_ID_WORDS = 2;

/** The maximum length of an id that names a role, in UTF-16 units. */
const MAX_ID_LENGTH = 200;

/** Returns the role that an id names. In a longer one, only the first word counts, and only of a notice: `cookie-law-info-bar`. */
export function roleOfId(id: string): NamedRole | undefined {
  if (id.length > MAX_ID_LENGTH) return undefined;
  const words = wordsIn(id);
  const role = roleOf(words);
  if (words.length <= MAX_ID_WORDS || role === undefined) return role;
  return (role === 'notice' || role === 'cookies') && roleOf(words.slice(0, 1)) === role ? role : undefined;
}

/** Separates the words of names such as `commentList`. */
export const separateWords = (names: string): string => names.replace(/(?<=[a-z])(?=[A-Z])/g, '-');

const lowerWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns whether an id is made from a heading: `sec-comments` from `2.1 Comments`, in a manual that has such a section. */
export function isMadeFrom(heading: string, id: string): boolean {
  const words = new Set(lowerWords(heading));
  return lowerWords(id).every((word, at) => words.has(word) || (at === 0 && /^(?:..?|sect?|section)$/u.test(word)));
}
