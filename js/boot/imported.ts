// For Workers and Vercel's Edge runtime, which refuse to compile bytes at run time: the bundler provides a compiled
// WebAssembly.Module.

export function compiled(module: unknown): WebAssembly.Module {
  // Not `instanceof`: the local Edge runtime of Next.js provides a module of another realm.
  if (Object.prototype.toString.call(module) === '[object WebAssembly.Module]') return module as WebAssembly.Module;
  throw new Error(
    'nearprint: a file that is imported as .wasm?module must be a WebAssembly.Module, as the resolve conditions "workerd" ' +
      'and "edge-light" require: have the bundler import it as a compiled module, or remove the condition',
  );
}
