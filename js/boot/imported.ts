// For Workers and Vercel's Edge runtime, which refuse to compile bytes at run time: the bundler provides a compiled
// WebAssembly.Module.

export function compiled(module: unknown): WebAssembly.Module {
  // Not `instanceof`: the local Edge runtime of Next.js provides a module of another realm.
  if (Object.prototype.toString.call(module) === '[object WebAssembly.Module]') return module as WebAssembly.Module;
  throw new Error(
    'nearprint: .wasm?module must be imported as a WebAssembly.Module: configure the bundler, or remove its resolve condition ' +
      '"workerd" or "edge-light"',
  );
}
