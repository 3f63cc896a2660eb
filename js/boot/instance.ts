// The instance of the WebAssembly module. The first call that needs it creates it, and a trap replaces it: after a trap
// its memory may be inconsistent.
import { boot } from '#boot';
import { ArgumentError } from '../core/argument-error.js';
import type { Bindings, Module } from './module.js';

/** A started module with typed bindings. */
interface Instance<B> {
  readonly bindings: B;
  readonly memory: WebAssembly.Memory;
}

let booted: Module | undefined;
let restarts = 0;

/** True during a call, and after a trap until the module is restarted. */
let isUnsettled = false;

/** Returns the bindings of the instance, and its memory. */
export function instance<B = Bindings>(): Instance<B> {
  booted ??= guarded(boot());
  if (isUnsettled) restart();
  return booted as Module & { bindings: B };
}

/** Returns the number of the current instance. Objects of an earlier instance are lost. */
export function generation(): number {
  if (isUnsettled) restart();
  return restarts;
}

/** Replaces the instance. If that fails, for lack of stack for example, the next call tries again. */
function restart(): void {
  const module = booted as Module;
  module.memory.grow(0); // detaches the views of the old memory
  module.restart();
  restarts++;
  isUnsettled = false;
}

/** An object of the bindings. */
interface Handle {
  free(): void;
}

/** The generation in which each object of the bindings was created. */
const createdIn = new WeakMap<Handle, number>();

type Call = (this: unknown, ...args: never[]) => unknown;
type Guard = (call: Call) => Call;

/** Wraps every function of the bindings, so that a trap restarts the module and errors have a clear message. */
function guarded(module: Module): Module {
  const { bindings } = module;
  const guard: Guard = (call) =>
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
      if (isHandle(result)) createdIn.set(result, restarts);
      return result;
    };
  for (const [name, binding] of Object.entries(bindings)) {
    const call = binding as Call;
    const wrapped = guard(call);
    bindings[name] = wrapped;
    guardMembers(call, wrapped, guard);
    if (call.prototype) guardMembers(call.prototype, call.prototype, guard);
  }
  return module;
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Handle>).free === 'function';

function guardMembers(from: object, to: object, guard: Guard): void {
  for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
    // The glue itself calls functions that start with `__`, inside a guarded call.
    if (name === 'constructor' || name === 'prototype' || name.startsWith('__')) continue;
    if (typeof value === 'function') Object.defineProperty(to, name, { value: guard(value) });
    if (get) Object.defineProperty(to, name, { get: guard(get as Call) });
  }
}

/** Frees an object of the bindings, unless it is freed already or belongs to an earlier instance. */
export function free(object: Handle): void {
  if (createdIn.get(object) !== generation()) return;
  createdIn.delete(object);
  object.free();
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
  // The crate's other errors have a complete message. The glue throws a plain Error, only for an object that is gone.
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
