/** The bytes that the code units of a string are. */
export function bytes(string) {
  const result = new Uint8Array(string.length);
  for (let at = 0; at < result.length; at++) result[at] = string.charCodeAt(at);
  return result;
}
