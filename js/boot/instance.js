// The WebAssembly module, started by the first call that needs it, and again after a trap.
import { boot } from '#boot';

let booted;

/** How often the module was started again. Objects of an earlier start are lost. */
export let restarts = 0;

/** The module's bindings and its memory. */
export const instance = () => (booted ??= guarded(boot()));

/** In which start of the module its objects were made. */
const madeIn = new WeakMap();

/** Has every call that traps, for want of memory or by a bug, start the module again: its memory may be in disorder. */
function guarded(core) {
  const { bindings } = core;
  const guard = (call) =>
    function (...args) {
      try {
        const result = new.target ? new call(...args) : call.apply(this, args);
        if (typeof result === 'object' && result?.free) madeIn.set(result, restarts);
        return result;
      } catch (error) {
        throw translateError(error, core);
      }
    };
  for (const [name, binding] of Object.entries(bindings)) {
    if (name === 'restart') continue;
    bindings[name] = guard(binding);
    guardMembers(binding, bindings[name], guard);
    if (binding.prototype) guardMembers(binding.prototype, binding.prototype, guard);
  }
  return core;
}

/** Frees an object of the bindings, if that has not been done and the module has not been started again since. */
export function free(object) {
  if (madeIn.get(object) !== restarts) return;
  madeIn.delete(object);
  object.free();
  instance().memory.grow(0); // empties the views of what was its own
}

function guardMembers(from, to, guard) {
  for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
    if (name === 'constructor' || name === 'prototype') continue;
    if (typeof value === 'function') Object.defineProperty(to, name, { value: guard(value) });
    if (get) Object.defineProperty(to, name, { get: guard(get) });
  }
}

/** What an error of a call means. The core throws RangeErrors that say it all. */
function translateError(error, { bindings, memory }) {
  if (error instanceof WebAssembly.RuntimeError || isStackOverflow(error)) {
    restarts++;
    bindings.restart(true);
    bindings.restart(false);
    memory.grow(0); // empties the views of the old one
    const message =
      `nearprint: the WebAssembly stopped (${error.message}), most likely for want of memory. It was started again, ` +
      'the next call, but indexes and streams that were made before are lost';
    return new Error(message, { cause: error });
  }
  // The glue throws plain errors, and only of objects that are no more.
  if (error.constructor === Error) {
    const message = 'nearprint: this object was freed, or lost when the WebAssembly stopped: make another one';
    return new Error(message, { cause: error });
  }
  return error;
}

/** There is no class for it, and every engine words it in its own way. */
const isStackOverflow = (error) => /call stack|recursion/.test(error.message) && !error.message.startsWith('nearprint');
