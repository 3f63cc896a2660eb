/** An error that says what to do, of one that came while the WebAssembly was compiled. */
export function explained(error) {
  const say = (what) => new Error(`nearprint: ${what}`, { cause: error });
  if (typeof WebAssembly === 'undefined') return say('there is no WebAssembly here, and nearprint is made of it');
  if (/disallowed by embedder/.test(error.message)) {
    return say('this runtime takes no WebAssembly at run time: have the bundler resolve with the condition "workerd"');
  }
  // The inline module is a string of characters up to U+00FF, and starts with that of its first byte, 0.
  if (/magic/.test(error.message)) {
    return say('the bytes were read in another encoding: have the page say <meta charset="utf-8">');
  }
  // The browsers name the policy or the keyword it lacks; there is no error class for it.
  if (/content.security.policy|unsafe-eval|\bcsp\b/i.test(error.message)) {
    return say("the page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src");
  }
  return error;
}
