// The instance of the WebAssembly module. The first call that needs it creates it, and a trap replaces it: after a trap
// its memory may be inconsistent.
import { compiled } from '#boot';
import * as glue from '#glue';
import { ArgumentError } from '../core/argument-error.js';

/** The bindings of the main module. */
export type Bindings = typeof glue;
/** The bindings of the module of nearprint/compat. */
export type CompatBindings = typeof import('../../build/wasm/nearprint_compat/nearprint_compat.js');
/** The bindings of the command line's module: the bindings of the main module, and `Lines`. */
export type ToolBindings = typeof import('../../build/wasm/nearprint_tools/nearprint_tools.js');

interface Instance<B> {
  /** The functions and classes of the module by name. */
  readonly bindings: B;
  /** The memory of the current instance. */
  readonly memory: WebAssembly.Memory;
}

let started: Instance<Record<string, unknown>> | undefined;
let restarts = 0;

/** True during a call, and after a trap or a stack overflow until the module is restarted. */
let isUnsettled = false;

/** Returns the bindings of the instance, and its memory. */
export function instance<B = Bindings>(): Instance<B> {
  started ??= start();
  if (isUnsettled) restart();
  return started as Instance<B>;
}

/** Returns the number of the current instance. Objects of an earlier instance are lost. */
export function generation(): number {
  if (isUnsettled) restart();
  return restarts;
}

/** Replaces the instance. If that fails, for lack of stack for example, the next call tries again. */
function restart(): void {
  started?.memory.grow(0); // detaches the views of the old memory
  glue.scheduleRestart();
  glue.finishRestart();
  restarts++;
  live = new WeakSet();
  isUnsettled = false;
}

/** An object of the bindings. */
interface Handle {
  free(): void;
}

/** The objects of the current instance that are not freed. */
let live = new WeakSet<Handle>();

type Call = (this: unknown, ...args: never[]) => unknown;

/** Creates the instance. Wraps every function of the bindings: a trap restarts the module, and errors have a clear message. */
function start(): Instance<Record<string, unknown>> {
  const module = compiled();
  glue.initSync({ module });
  const bindings: Record<string, unknown> = {};
  for (const [name, binding] of Object.entries(glue) as [string, Call][]) {
    const wrapped = guard(binding);
    bindings[name] = wrapped;
    guardMembers(binding, wrapped);
    if (binding.prototype) guardMembers(binding.prototype, binding.prototype);
  }
  return {
    bindings,
    get memory() {
      return glue.initSync({ module }).memory;
    },
  };
}

const guard = (call: Call): Call =>
  function (this: unknown, ...args) {
    if (isUnsettled) restart();
    isUnsettled = true;
    let result: unknown;
    try {
      result = new.target ? Reflect.construct(call, args) : Reflect.apply(call, this, args);
    } catch (error) {
      throw translateError(error);
    }
    isUnsettled = false;
    if (result instanceof Object && 'free' in result) live.add(result as Handle);
    return result;
  };

function guardMembers(from: object, to: object): void {
  for (const [name, { value, get, set }] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
    // The glue itself calls functions that start with `__`, inside a guarded call.
    if (name === 'constructor' || name === 'prototype' || name.startsWith('__')) continue;
    if (typeof value === 'function') Object.defineProperty(to, name, { value: guard(value) });
    if (get) Object.defineProperty(to, name, { get: guard(get as Call) });
    if (set) Object.defineProperty(to, name, { set: guard(set as Call) });
  }
}

/** Frees an object of the bindings, unless it is freed already or belongs to an earlier instance. */
export function free(object: Handle): void {
  if (isUnsettled) restart();
  if (live.delete(object)) object.free();
}

/**
 * Returns the error to throw for an error of a call. It can run with almost no stack left, so it uses no regular
 * expression: V8 aborts the process if it has no stack to compile one.
 */
function translateError(error: unknown): unknown {
  if (isStackOverflow(error)) {
    // The next call restarts the module. It has more stack.
    return new Error('nearprint: the call stack is full. Indexes and streams created before are lost', {
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
  if (Array.isArray(error)) {
    const [argument, requirement, got] = error;
    return new ArgumentError(argument, requirement, undefined, got);
  }
  // The crate's other errors have a complete message. The glue throws a plain `Error` only for a freed or lost object.
  const { message = '' } = error as Error;
  if ((error as Error).constructor !== Error || message.startsWith('nearprint: ')) return error;
  return new Error('nearprint: this object was freed, or lost when the WebAssembly module trapped: create a new one', {
    cause: error,
  });
}

/** Recognised by its message, since it has no class of its own. */
function isStackOverflow(error: unknown): boolean {
  const { message } = error as Error;
  if (typeof message !== 'string' || message.startsWith('nearprint')) return false;
  return message.includes('call stack') || message.includes('recursion');
}
