// The WebAssembly module, started by the first call that needs it.
import { boot } from '#boot';

let booted;

/** The module's bindings and its memory. */
export const core = () => (booted ??= boot());
