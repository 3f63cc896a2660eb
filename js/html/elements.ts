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

/** Returns a pattern of words in a class or an id. The content of a page `has-sidebar`, but is not one. */
const wordsIn = (words: string): RegExp =>
  new RegExp(`(?:^|[\\s_-])(?<!(?:has|no|with|without)[_-])(?:${words})(?:$|[\\s_-])`, 'i');

/** Words that sites give to parts that are hardly ever the main text, and to parts that sometimes are. */
const boilerplate = wordsIn(
  'breadcrumbs?|consent|cookies?|copyright|footer|gdpr|navbar|navigation|newsletter|onetrust|pagination|share|sharing|' +
    'subscribe|subscription',
);
const extras = wordsIn('ads?|advert\\w*|comments?|promo|recommend\\w*|related|sidebar|social|sponsor\\w*|widgets?');

const headings = setOf('h1 h2 h3 h4 h5 h6');

/**
 * What an element says about the text in it. The text of a `secondary` part is not main text, whatever its blocks look like.
 * `boilerplate` and `extra` parts are told by names that their authors chose, and may be wrong. The title in a `heading` may be a
 * link to what it is the title of.
 */
export type Role = 'main' | 'article' | 'header' | 'heading' | 'secondary' | 'boilerplate' | 'extra';

export function rolesOf({ tagName, attrs }: Tree.Element): Role[] {
  const attribute = (wanted: string) => attrs.find(({ name }) => name === wanted)?.value;
  const role = attribute('role');
  if (secondary.has(tagName) || (role !== undefined && secondaryRoles.has(role))) return ['secondary'];
  if (attribute('hidden') !== undefined || attribute('aria-hidden') === 'true') return ['secondary'];
  if (tagName === 'main' || role === 'main') return ['main'];
  if (tagName === 'html' || tagName === 'body') return [];
  const names = `${attribute('id') ?? ''} ${attribute('class') ?? ''}`.replace(/(?<=[a-z])(?=[A-Z])/g, '-');
  const roles: Role[] = boilerplate.test(names) ? ['boilerplate'] : extras.test(names) ? ['extra'] : [];
  if (headings.has(tagName)) roles.push('heading');
  if (tagName === 'article' || tagName === 'header') roles.push(tagName);
  return roles;
}
