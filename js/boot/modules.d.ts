// The modules that scripts/build.mjs resolves for each bundle.

/** The file of this folder that loads the WebAssembly. */
declare module '#boot' {
  export function compiled(): WebAssembly.Module;
}

/** The glue of the WebAssembly; the bindings are its other exports. */
declare module '#glue' {
  const _default: unknown;
  export default _default;
  export function initSync(module: { module: WebAssembly.Module }): { readonly memory: WebAssembly.Memory };
  export function scheduleRestart(): void;
  export function finishRestart(): void;
}

/** The WebAssembly: the string of its bytes, or a compiled module where a bundler imports `.wasm` files. */
declare module '#wasm' {
  const wasm: string | WebAssembly.Module;
  export default wasm;
}
