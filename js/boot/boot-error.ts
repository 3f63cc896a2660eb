/** Returns an error with an instruction, for an error that was thrown while the WebAssembly was compiled. */
export function bootError(error: unknown): unknown {
  const say = (what: string): Error => new Error(`nearprint: ${what}`, { cause: error });
  if (typeof WebAssembly === 'undefined') return say('this runtime has no WebAssembly, which nearprint needs');
  const { message = '' } = error as Error;
  if (/disallowed by embedder/.test(message)) {
    // Vercel's Edge runtime defines this name.
    const condition = 'EdgeRuntime' in globalThis ? 'edge-light' : 'workerd';
    return say(`this runtime compiles no WebAssembly at run time: bundle with the resolve condition "${condition}"`);
  }
  // Browsers mention the policy or the missing keyword, but have no error class for it.
  if (/content.security.policy|unsafe-eval|\bcsp\b/i.test(message)) {
    // Chromium, Firefox and Safari name the scheme differently.
    return globalThis.location?.protocol.endsWith('extension:')
      ? say("the extension's manifest forbids WebAssembly: add 'wasm-unsafe-eval' to script-src of its extension_pages")
      : say("the page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src");
  }
  return error;
}
