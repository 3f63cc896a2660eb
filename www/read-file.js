// The text of a file that was dropped or chosen.

/** Why a file cannot be read: the key of a sentence, and its values. */
export class Unreadable extends Error {
  constructor(key, values) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** Characters that no text has, and every binary format soon does. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

function decode(bytes) {
  const [first, second] = bytes;
  const utf16 = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff && 'utf-16be';
  // GB 18030 is what Chinese text was long kept in; what is neither fails the strict decoders.
  for (const encoding of utf16 ? [utf16] : ['utf-8', 'gb18030']) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return binary.test(text) ? null : text;
    } catch {
      // The next, then.
    }
  }
  return null;
}

const blocks =
  'address,article,aside,blockquote,br,dd,div,dl,dt,figcaption,footer,form,h1,h2,h3,h4,h5,h6,header,hr,li,main,nav,ol,p,pre,section,table,td,th,title,tr,ul';

/** The words of an HTML document. It is parsed apart from the page: nothing in it runs or loads. */
function htmlText(source) {
  const { body } = new DOMParser().parseFromString(source, 'text/html');
  for (const element of body.querySelectorAll('script,style,noscript,template,svg')) element.remove();
  for (const element of body.querySelectorAll(blocks)) element.before('\n');
  return body.textContent
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}

const megabytes = (bytes) => Math.round(bytes / 1e5) / 10;

/** Rejects with `Unreadable`. */
export async function readText(file, limit) {
  const { name, size } = file;
  if (size > limit) throw new Unreadable('fileTooLarge', { name, size: megabytes(size), limit: megabytes(limit) });
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Unreadable('fileUnreadable', { name });
  }
  const text = decode(bytes);
  if (text === null) throw new Unreadable('fileBinary', { name });
  return /\.x?html?$/i.test(name) || file.type === 'text/html' ? htmlText(text) : text;
}
