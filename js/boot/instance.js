// The instance of the WebAssembly module. The first call that needs it creates it, and a trap replaces it: after a trap
// its memory may be inconsistent.
import { boot } from '#boot';

let booted;
let restarts = 0;

/** True during a call, and after a trap until the module is restarted. */
let isUnsettled = false;

/** Returns the bindings of the instance, and its memory. */
export function instance() {
  booted ??= guarded(boot());
  if (isUnsettled) restart();
  return booted;
}

/** Returns the number of the current instance. Objects of an earlier instance are lost. */
export function generation() {
  if (isUnsettled) restart();
  return restarts;
}

/** Replaces the instance. If that fails, for lack of stack for example, the next call tries again. */
function restart() {
  booted.memory.grow(0); // detaches the views of the old memory
  booted.restart();
  restarts++;
  isUnsettled = false;
}

/** The generation in which each object of the bindings was created. */
const createdIn = new WeakMap();

/** Wraps every function of the bindings, so that a trap restarts the module and errors have a clear message. */
function guarded(module) {
  const { bindings } = module;
  const guard = (call) =>
    function (...args) {
      if (isUnsettled) restart();
      isUnsettled = true;
      let result;
      try {
        result = new.target ? new call(...args) : call.apply(this, args);
      } catch (error) {
        throw translateError(error);
      }
      isUnsettled = false;
      if (typeof result === 'object' && result?.free) createdIn.set(result, restarts);
      return result;
    };
  for (const [name, binding] of Object.entries(bindings)) {
    bindings[name] = guard(binding);
    guardMembers(binding, bindings[name], guard);
    if (binding.prototype) guardMembers(binding.prototype, binding.prototype, guard);
  }
  return module;
}

function guardMembers(from, to, guard) {
  for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
    // The glue calls those that start with `__` itself, inside a guarded call.
    if (name === 'constructor' || name === 'prototype' || name.startsWith('__')) continue;
    if (typeof value === 'function') Object.defineProperty(to, name, { value: guard(value) });
    if (get) Object.defineProperty(to, name, { get: guard(get) });
  }
}

/** Frees an object of the bindings, unless it is freed already or belongs to an earlier instance. */
export function free(object) {
  if (createdIn.get(object) !== generation()) return;
  createdIn.delete(object);
  object.free();
  instance().memory.grow(0); // detaches the views of the object's memory
}

/**
 * Returns the error to throw for an error of a call. It can run with almost no stack left, so it uses no regular
 * expression: V8 aborts the process if it has no stack to compile one.
 */
function translateError(error) {
  if (isStackOverflow(error)) {
    // The next call restarts the module. It has more stack.
    return new Error(`nearprint: the call stack is full. Indexes and streams created before are lost`, {
      cause: error,
    });
  }
  if (error instanceof WebAssembly.RuntimeError) {
    try {
      restart();
    } catch {
      // The next call restarts the module.
    }
    const message =
      `nearprint: the WebAssembly module trapped (${error.message}), probably because it ran out of memory. It has ` +
      'been restarted. Indexes and streams created before are lost';
    return new Error(message, { cause: error });
  }
  isUnsettled = false;
  // The crate throws a RangeError with a complete message. The glue throws a plain Error, only for an object that is
  // gone.
  if (error.constructor !== Error) return error;
  return new Error('nearprint: this object was freed, or lost when the WebAssembly module trapped: create a new one', {
    cause: error,
  });
}

/** There is no class for it, and every engine has its own words. Messages of the crate start with "nearprint". */
const isStackOverflow = ({ message }) =>
  !message.startsWith('nearprint') && (message.includes('call stack') || message.includes('recursion'));
