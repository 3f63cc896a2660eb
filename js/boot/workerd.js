// Workers refuse to compile bytes at run time: the bundler hands over a WebAssembly.Module that is compiled already.
import { start } from '#bindings';
import module from '#wasm';

export function boot() {
  if (module instanceof WebAssembly.Module) return start(module);
  throw new Error(
    'nearprint: the bundler did not make a WebAssembly.Module of nearprint.wasm, as it must with the condition ' +
      '"workerd": treat *.wasm files as compiled modules (wrangler does), or leave the condition out',
  );
}
