// nearprint/web: all of nearprint once its WebAssembly, a file of its own, has come.
import { compile } from './boot/web.js';
import * as nearprint from './index.js';

let loading;

export function load(source = new URL('nearprint.wasm', import.meta.url)) {
  loading ??= compile(source).then(
    () => nearprint,
    (error) => {
      loading = undefined; // the next call may try again
      throw error;
    },
  );
  return loading;
}
