// The modules that scripts/build.mjs resolves for each bundle.

/** The file of this folder that loads the WebAssembly. */
declare module '#boot' {
  import type { Module } from './module.js';

  export function boot(): Module;
}

/** The file of this folder that starts the WebAssembly with its bindings. */
declare module '#bindings' {
  import type { Module } from './module.js';

  export function start(module: WebAssembly.Module): Module;
}

/** The WebAssembly: the string of its bytes, or a compiled module where a bundler imports `.wasm` files. */
declare module '#wasm' {
  const wasm: string | WebAssembly.Module;
  export default wasm;
}
