// For Workers and Vercel's Edge runtime, which refuse to compile bytes at run time: the bundler provides a compiled
// WebAssembly.Module.
import module from '#wasm';

/** The resolve condition, and the specifier of the module. scripts/build.mjs defines these names. */
declare const CONDITION: string;
declare const SPECIFIER: string;

export function compiled(): WebAssembly.Module {
  // Not `instanceof`: the local Edge runtime of Next.js provides a module of another realm.
  if (Object.prototype.toString.call(module) === '[object WebAssembly.Module]') return module as WebAssembly.Module;
  throw new Error(
    `nearprint: ${SPECIFIER} is not a WebAssembly.Module, as the resolve condition "${CONDITION}" requires: have the ` +
      'bundler import that file as a compiled module, or remove the condition',
  );
}
