// The roles of HTML elements in the text of a page.
import type { TokenizerMode, DefaultTreeAdapterTypes as Tree } from 'parse5';

const setOf = (names: string): Set<string> => new Set(names.split(' '));

/** Elements that start and end a block. Without these borders, words of neighbouring items would be joined. */
export const borders: ReadonlySet<string> = setOf(
  'address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol ' +
    'optgroup option p plaintext pre search section select summary table tbody td textarea tfoot th thead tr ul xmp',
);
/** Elements whose content is not part of the page's text. */
export const hidden: ReadonlySet<string> = setOf('iframe noembed noframes noscript script style template title');
/** Elements that have no main text, and ARIA roles with the same meaning. */
const secondary = setOf(
  'aside audio button canvas datalist dialog footer menu nav object search select svg textarea video',
);
const secondaryRoles = setOf('alert banner complementary contentinfo dialog menu menubar navigation search');
/** Elements whose content the tokenizer reads as text up to the end tag, with the tokenizer's state for it. */
export const rawStates: ReadonlyMap<string, keyof typeof TokenizerMode> = new Map<string, keyof typeof TokenizerMode>([
  ['iframe', 'RAWTEXT'],
  ['noembed', 'RAWTEXT'],
  ['noframes', 'RAWTEXT'],
  ['noscript', 'RAWTEXT'],
  ['plaintext', 'PLAINTEXT'],
  ['script', 'SCRIPT_DATA'],
  ['style', 'RAWTEXT'],
  ['textarea', 'RCDATA'],
  ['title', 'RCDATA'],
  ['xmp', 'RAWTEXT'],
]);

/** Words of a class or an id that sites give to a notice about cookies or to the form for a newsletter. */
const notice = /(?:^|[\s_-])(?:cookies?|consent|gdpr|newsletter)(?:$|[\s_-])/i;

/** The part of an element in its page, innermost first: an element without one belongs to the part around it. */
export type Part = 'main' | 'article' | 'header' | 'notice' | 'secondary';

/**
 * Returns the part that an element begins. The text of `secondary` parts is not main text, whatever its blocks look like. A `notice`
 * is told by names that its authors chose, and may be wrong.
 */
export function partOf({ tagName, attrs }: Tree.Element): Part | undefined {
  const attribute = (wanted: string) => attrs.find(({ name }) => name === wanted)?.value;
  const role = attribute('role');
  if (secondary.has(tagName) || (role !== undefined && secondaryRoles.has(role))) return 'secondary';
  if (attribute('hidden') !== undefined || attribute('aria-hidden') === 'true') return 'secondary';
  if (tagName === 'main' || role === 'main') return 'main';
  if (tagName === 'article' || tagName === 'header') return tagName;
  if (tagName === 'html' || tagName === 'body') return undefined;
  return notice.test(`${attribute('id') ?? ''} ${attribute('class') ?? ''}`) ? 'notice' : undefined;
}
