/** An error that says what to do, of one that came while the WebAssembly was compiled. */
export function bootError(error) {
  const say = (what) => new Error(`nearprint: ${what}`, { cause: error });
  if (typeof WebAssembly === 'undefined') return say('there is no WebAssembly here, and nearprint is made of it');
  if (/disallowed by embedder/.test(error.message)) {
    return say('this runtime takes no WebAssembly at run time: have the bundler resolve with the condition "workerd"');
  }
  // The browsers name the policy or the keyword it lacks; there is no error class for it.
  if (/content.security.policy|unsafe-eval|\bcsp\b/i.test(error.message)) {
    return say("the page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src");
  }
  return error;
}
