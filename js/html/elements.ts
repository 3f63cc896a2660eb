// The roles of HTML elements in the text of a page.
import type { TokenizerMode, DefaultTreeAdapterTypes as Tree } from 'parse5';
import { isDialog, type NamedRole, roleOfClasses, roleOfId, separateWords, setOf } from './names.js';
import { hidesElement } from './style.js';

/** Elements that start and end a block. Without these borders, words of neighbouring items would be joined. */
export const borders: ReadonlySet<string> = setOf(
  'address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol ' +
    'optgroup option p plaintext pre search section select summary table tbody td textarea tfoot th thead tr ul xmp',
);
/** Elements whose content is not part of the page's text. */
export const withoutText: ReadonlySet<string> = setOf('iframe noembed noframes noscript script style template title');
/** Elements that are not content, and ARIA roles with the same meaning. */
const surroundings = setOf(
  'amp-ad amp-consent amp-sidebar amp-user-notification audio canvas datalist dialog footer nav object search select textarea video',
);
/** Elements for labels and commands, which are content if they have prose. */
const labels = setOf('button menu svg');
const surroundingRoles = setOf('alertdialog contentinfo dialog menu menubar navigation search');
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

const controls = setOf('button input select textarea');
const headings = setOf('h1 h2 h3 h4 h5 h6');
const paragraphs = setOf('p dd li td');
/** Elements for comments of readers. What a manual says about a part of a program is in none of its own. */
const threads = setOf('article li ol ul');
/** Elements for a passage of text. Their names say nothing about a part of the page. */
const passages = setOf('a b code dd dt em font i mark p pre q small span strong td th tt');

/**
 * The role of the text in an element, by the element and its attributes.
 *
 * - `surroundings`: an element or ARIA role for what is not content, such as `nav`
 * - `label`: a control or a picture, whose text is a label
 * - `hidden`: hidden by the attribute `hidden` or `style`
 * - `ariaHidden`: hidden from screen readers, which may be visible, as the page behind a dialog is; a closed dialog is `hidden`
 */
export type Role =
  | 'page'
  | 'main'
  | 'article'
  | 'aside'
  | 'heading'
  | 'paragraph'
  | 'details'
  | 'table'
  | 'headerCell'
  | 'surroundings'
  | 'label'
  | 'hidden'
  | 'ariaHidden'
  | NamedRole;

/** The roles of an element, from the outside to the inside. */
export interface ElementRoles {
  readonly roles: readonly Role[];
  /** Its id, if the id names a role. */
  readonly id?: string;
  /** Its id, if it is hidden: a control may open it. */
  readonly hiddenId?: string | undefined;
}

/** Attributes that say something about the text in an element. */
export const knownAttributes: ReadonlySet<string> = setOf(
  'aria-controls aria-hidden class hidden href id role shadowrootmode srcdoc style',
);

type Attributes = Pick<Tree.Element, 'attrs'>;

/** Returns the value of an attribute; undefined if the element has none of this name. */
export const attributeOf = ({ attrs }: Attributes, wanted: string): string | undefined =>
  attrs.find(({ name }) => name === wanted)?.value;

/** Returns whether the reader opens a hidden part on demand: a panel of tabs, or a passage that a search in the page opens. */
const isOpened = (role: string, names: string, hidden: string | undefined): boolean =>
  role === 'tabpanel' ||
  hidden === 'until-found' ||
  /(?:^|[\s_-])tabs?[_-]*(?:content|pan(?:e|el))(?:$|[\s_-])/i.test(names);

/** Returns whether a control is the caption of a part of the text: a tab of its panel, or a heading that opens its section. */
const isCaption = (role: string, parent: Tree.ParentNode | null): boolean =>
  role === 'tab' || (parent !== null && headings.has(parent.nodeName));

/** Returns whether an element is a link. An `a` without `href` is an anchor. */
export const isLink = ({ tagName, attrs }: Pick<Tree.Element, 'tagName' | 'attrs'>): boolean =>
  tagName === 'a' && attributeOf({ attrs }, 'href') !== undefined;

/** Returns whether an element is for the reader to act on: a link or a control. */
export const isControl = (element: Pick<Tree.Element, 'tagName' | 'attrs'>): boolean =>
  controls.has(element.tagName) ||
  isLink(element) ||
  element.attrs.some(({ name, value }) => name === 'role' && value === 'button');

export function rolesOf({ tagName, attrs, parentNode }: Tree.Element): ElementRoles {
  if (tagName === 'html' || tagName === 'body') return { roles: [] };
  const attributes: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    attrs.filter(({ name }) => knownAttributes.has(name)).map(({ name, value }) => [name, value]),
  );
  const [role = ''] = attributes.role?.toLowerCase().match(/\S+/) ?? [];
  if (surroundings.has(tagName) || surroundingRoles.has(role)) return { roles: ['surroundings'] };
  const id = separateWords(attributes.id ?? '');
  const classes = separateWords(attributes.class ?? '');
  const names = `${id} ${classes}`;
  const roles: Role[] = [];
  if (!isOpened(role, names, attributes.hidden)) {
    const isAriaHidden = attributes['aria-hidden'] === 'true';
    if ((isAriaHidden && isDialog(names)) || attributes.hidden !== undefined || hidesElement(attributes.style ?? ''))
      roles.push('hidden');
    else if (isAriaHidden) roles.push('ariaHidden');
  }
  if (labels.has(tagName) && !isCaption(role, parentNode)) return { roles: [...roles, 'label'] };
  if (tagName === 'main' || role === 'main') return { roles: [...roles, 'main'] };
  if (headings.has(tagName)) return { roles: [...roles, 'heading'] };
  if (tagName === 'aside' || role === 'complementary') roles.push('aside');
  const isPassage = passages.has(tagName);
  const byClass = isPassage ? undefined : roleOfClasses(classes);
  const byId = isPassage || byClass !== undefined ? undefined : roleOfId(id);
  const named = byClass ?? byId;
  if (named !== undefined) roles.push(named === 'comment' && threads.has(tagName) ? 'comments' : named);
  if (paragraphs.has(tagName)) roles.push('paragraph');
  if (tagName === 'details') roles.push('details');
  if (tagName === 'table') roles.push('table');
  if (tagName === 'th') roles.push('headerCell');
  if (tagName === 'article') roles.push('article');
  const hiddenId = roles.includes('hidden') && !isDialog(names) ? attributes.id : undefined;
  return byId === undefined ? { roles, hiddenId } : { roles, id, hiddenId };
}
