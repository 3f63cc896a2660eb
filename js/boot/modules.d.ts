/** The WebAssembly: the string of its bytes, or a compiled module where a bundler imports `.wasm` files. */
declare module '#wasm' {
  const wasm: string | WebAssembly.Module;
  export default wasm;
}
