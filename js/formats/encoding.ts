// The encoding of a text, by its first bytes.
import sniff from 'html-encoding-sniffer';

/** The number of first bytes that the Encoding Standard examines. */
export const EXAMINED = 1024;

/** UTF-16 without a byte-order mark, by its first characters in Latin-1. */
const unmarked: readonly [start: RegExp, label: string][] = [
  [/^[^\0]\0[^\0]\0/, 'utf-16le'],
  [/^\0[^\0]\0[^\0]/, 'utf-16be'],
];

/** Returns the encoding that an XML declaration names. One that can be read is not in UTF-16, whatever it says. */
function declaredIn(start: string): string | undefined {
  const [, label] = /^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]+)/.exec(start) ?? [];
  return label && (/^utf-?16/i.test(label) ? 'utf-8' : label);
}

export interface Encoding {
  stated: string | undefined;
  isPage: boolean;
}

/** Returns the encoding of a page by the algorithm of the HTML standard. A failure of the library is an error of this page. */
function sniffed(head: Uint8Array, options: Parameters<typeof sniff>[1]): string {
  try {
    return sniff(head, options).toLowerCase();
  } catch (error) {
    throw new Error(`the encoding cannot be recognised: ${(error as Error).message}; --encoding states it`);
  }
}

/**
 * Returns the encoding by the first bytes: of a byte-order mark, as stated, or as a page declares. Default: UTF-8. Throws for UTF-16
 * without a mark.
 */
export function encodingOf(bytes: Uint8Array, { stated, isPage }: Encoding): string {
  const head = bytes.subarray(0, EXAMINED);
  const start = String.fromCharCode(...head);
  const label = stated ?? (isPage ? declaredIn(start) : undefined);
  const options = { xml: !isPage, defaultEncoding: 'UTF-8', ...(label && { transportLayerEncodingLabel: label }) };
  const encoding = sniffed(head, options);
  const [, wide] = unmarked.find(([pattern]) => pattern.test(start)) ?? [];
  if (wide !== undefined && encoding === 'utf-8')
    throw new Error(`the text is in ${wide.toUpperCase()} without a byte-order mark; --encoding ${wide} reads it`);
  return encoding;
}
