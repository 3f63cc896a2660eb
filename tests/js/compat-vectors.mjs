// Reads the vectors of nearprint/compat, in Node and in a browser.

/** A text of tests/compat.json: a string, or code units if it has a lone surrogate. */
const text = (value) => (typeof value === 'string' ? value : String.fromCharCode(...value.utf16));

/** The input of a vector of tests/compat.json. */
export const inputOf = ({ input }) =>
  Array.isArray(input) ? input.map(([word, weight]) => [text(word), weight]) : text(input);

/** The vectors that fail, with the fingerprint `got`. The first argument is the module nearprint/compat. */
export const failures = ({ fingerprint, toHex }, vectors) =>
  vectors
    .map((vector) => {
      const { scheme, bits } = vector;
      return { ...vector, got: toHex(fingerprint(inputOf(vector), { scheme, bits }), bits) };
    })
    .filter(({ hex, got }) => hex !== got);
