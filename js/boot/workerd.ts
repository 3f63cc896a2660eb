// For Workers, which refuse to compile bytes at run time: the bundler provides a compiled WebAssembly.Module.
import { start } from '#bindings';
import module from '#wasm';
import type { Module } from './module.js';

export function boot(): Module {
  if (module instanceof WebAssembly.Module) return start(module);
  throw new Error(
    'nearprint: nearprint.wasm is not a WebAssembly.Module, as the resolve condition "workerd" requires: have the ' +
      'bundler import *.wasm files as compiled modules (wrangler does), or remove the condition',
  );
}
