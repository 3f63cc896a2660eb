// The vectors of nearprint/compat, shared by the tests in Node and in browsers.

/** A text of tests/compat.json: a string, or code units where it has a lone surrogate. */
const text = (value) => (typeof value === 'string' ? value : String.fromCharCode(...value.utf16));

/** A description of a vector of tests/compat.json. */
export const inputOf = ({ input }) =>
  Array.isArray(input) ? input.map(([word, weight]) => [text(word), weight]) : text(input);

/** The vectors that fail, with their results. `compat` is the module nearprint/compat. */
export const failures = ({ fingerprint, toHex }, vectors) =>
  vectors
    .map((vector) => {
      const { scheme, bits } = vector;
      return { ...vector, got: toHex(fingerprint(inputOf(vector), { scheme, bits }), bits) };
    })
    .filter(({ hex, got }) => hex !== got);
