// Elements as plain values: the build writes them as HTML, and the page turns them into nodes. User text is only ever text.

export interface Markup {
  tag: string;
  /** An attribute that is `false` or `undefined` is left out; `true` means an empty value. */
  attributes: Readonly<Record<string, string | number | boolean | undefined>>;
  children: readonly Content[];
}

/** An element or a text. */
export type Content = Markup | string;

export const markup = (tag: string, attributes: Markup['attributes'] = {}, ...children: Content[]): Markup => ({
  tag,
  attributes,
  children,
});

const SVG = 'http://www.w3.org/2000/svg';
const svgTags = new Set(['svg', 'line', 'path', 'circle', 'rect', 'text']);

const attributesOf = ({ attributes }: Markup): [name: string, value: string][] =>
  Object.entries(attributes).flatMap(([name, value]): [string, string][] =>
    value === false || value === undefined ? [] : [[name, value === true ? '' : `${value}`]],
  );

/** Returns a text as HTML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Returns the HTML of a content. */
export function htmlOf(content: Content): string {
  if (typeof content === 'string') return escaped(content);
  const { tag, children } = content;
  const attributes = attributesOf(content).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `<${tag}${attributes.join('')}>${children.map(htmlOf).join('')}</${tag}>`;
}

/** Returns the node of a content. */
export function nodeOf(content: Content): Node {
  if (typeof content === 'string') return document.createTextNode(content);
  const { tag, children } = content;
  const element = svgTags.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of attributesOf(content)) element.setAttribute(name, value);
  element.append(...children.map(nodeOf));
  return element;
}

/** Returns a sentence with contents in its slots: `{name}` stands for the contents of that name. */
export const fill = (sentence: string, slots: Readonly<Record<string, readonly Content[]>>): Content[] =>
  sentence.split(/\{(\w+)\}/).flatMap((part, at) => (at % 2 === 1 ? (slots[part] ?? []) : part === '' ? [] : [part]));
