// Makes HTML from templates. A value in a template is text and is escaped, unless a template made it.

export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template. `undefined`, `null` and `false` write nothing. */
export type Content = Markup | string | number | undefined | null | false | readonly Content[];

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns Unicode's picture of a control character. */
const picture = (char: string): string =>
  char === '\x7f' ? '\u2421' : String.fromCharCode(0x2400 | char.charCodeAt(0));

/** Escapes text. Control characters that HTML does not allow become pictures. */
const escaped = (text: string): string =>
  text
    .replace(/[&<>"']/g, (char) => references[char])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, picture)
    .toWellFormed();

function render(value: Content): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return value ? value.map(render).join('') : '';
}

/** The tag of a template: values are text, templates, or arrays of them. */
export function html(strings: readonly string[], ...values: Content[]): Markup {
  return new Markup(strings.reduce((all, string, at) => all + render(values[at - 1]) + string));
}
