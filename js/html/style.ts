// Whether the `style` attribute of an element hides it.

/** The values of properties that hide an element. */
const hiding: Readonly<Record<string, RegExp>> = {
  display: /^none$/,
  visibility: /^(?:hidden|collapse)$/,
  'content-visibility': /^hidden$/,
};

const decodeEscape = (_: string, code: string): string => {
  const point = Number.parseInt(code, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
};

function withoutComments(style: string): string {
  let rest = style;
  let plain = '';
  for (let start = rest.indexOf('/*'); start >= 0; start = rest.indexOf('/*')) {
    plain += rest.slice(0, start);
    const end = rest.indexOf('*/', start + 2);
    rest = end < 0 ? '' : rest.slice(end + 2);
  }
  return plain + rest;
}

/** Removes comments, replaces escapes such as `\6e` by their characters, and lowers the case. */
const plainStyle = (style: string): string =>
  withoutComments(style)
    .replace(/\\([\da-f]{1,6})\s?/gi, decodeEscape)
    .toLowerCase();

/** Returns whether a `style` attribute hides its element. Of several declarations of a property, the last important one counts, or the last. */
export function hidesElement(style: string): boolean {
  const declared = new Map<string, { isHiding: boolean; isImportant: boolean }>();
  for (const declaration of plainStyle(style).split(';')) {
    const [, name, value, important] = /^\s*([a-z-]+)\s*:\s*([a-z-]+)\s*(!\s*important\s*)?$/.exec(declaration) ?? [];
    if (name === undefined || !Object.hasOwn(hiding, name)) continue;
    const isImportant = important !== undefined;
    if (isImportant || !declared.get(name)?.isImportant)
      declared.set(name, { isHiding: hiding[name].test(value), isImportant });
  }
  return [...declared.values()].some(({ isHiding }) => isHiding);
}
