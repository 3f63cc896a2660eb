// The host's encoder and decoder of UTF-8, created on first use: Jest's jsdom environment loads modules without them.

let hostEncoder: TextEncoder | undefined;
let hostDecoder: TextDecoder | undefined;

function useEncoder(): TextEncoder {
  hostEncoder ??= new TextEncoder();
  return hostEncoder;
}

export const encoder: Pick<TextEncoder, 'encode' | 'encodeInto'> = {
  encode: (text) => useEncoder().encode(text),
  encodeInto: (text, to) => useEncoder().encodeInto(text, to),
};

/** Invalid UTF-8 becomes U+FFFD in the same way on every host (WHATWG Encoding). A byte order mark is a character. */
export const decoder: Pick<TextDecoder, 'decode'> = {
  decode(bytes) {
    hostDecoder ??= new TextDecoder('utf-8', { ignoreBOM: true });
    return hostDecoder.decode(bytes);
  },
};
