// nearprint/web: all of nearprint, with its WebAssembly in a separate file.
import { compile } from './boot/web.js';
import * as nearprint from './index.js';

let loading;

export function load(source = new URL('nearprint.wasm', import.meta.url)) {
  loading ??= compile(source).then(
    () => nearprint,
    (error) => {
      loading = undefined; // the next call tries again
      throw error;
    },
  );
  return loading;
}
