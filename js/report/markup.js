// Makes HTML of templates. Whatever is put into a template is text, and is escaped, unless a template made it.

class Markup {
  constructor(text) {
    this.text = text;
  }
}

const references = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Control characters that HTML does not allow, as the pictures that Unicode has for them. */
const picture = (char) => (char === '\x7f' ? '\u2421' : String.fromCharCode(0x2400 + char.charCodeAt(0)));

const escaped = (text) =>
  text
    .replace(/[&<>"']/g, (char) => references[char])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, picture)
    .toWellFormed();

function render(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return value === undefined || value === null || value === false ? '' : escaped(String(value));
}

/** The tag of a template: values are text, templates, or arrays of them. */
export function html(strings, ...values) {
  return new Markup(strings.reduce((all, string, at) => all + render(values[at - 1]) + string));
}
