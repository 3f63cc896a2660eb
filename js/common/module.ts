// A WebAssembly module. The first call that needs it creates its instance, and a trap replaces it: after a trap its memory may
// be inconsistent.
import { ArgumentError } from './argument-error.js';

/** The functions of every module's bindings that start it and give access to its memory: see wasm/src/lib.rs and scripts/build-wasm.mjs. */
interface Glue {
  initSync(options: { module: WebAssembly.Module }): unknown;
  memory(): WebAssembly.Memory;
  scheduleRestart(): void;
  finishRestart(): void;
}

/** An object of the bindings. */
export interface Handle {
  free(): void;
}

/** Returns the compiled module of what a bundle has of the WebAssembly. js/boot has such functions. */
export type Compile = (wasm: unknown) => WebAssembly.Module;

type Call = (this: unknown, ...args: never[]) => unknown;

export class Module<B extends object> {
  readonly #source: Glue & { wasm: unknown };
  readonly #compile: Compile;
  readonly #stateful: string;
  #started: { module: WebAssembly.Module; bindings: B } | undefined;
  #restarts = 0;
  /** True during a call, and after a trap or a stack overflow until the module is restarted. */
  #isUnsettled = false;
  /** The objects of the current instance that are not freed. */
  #live = new WeakSet<Handle>();

  /**
   * `source` has the bindings, and as `wasm` what the bundle has of the WebAssembly (scripts/build-bundles.mjs), which
   * `compile` compiles. `stateful` names the objects that a trap destroys, for messages.
   */
  constructor(source: B, compile: Compile, stateful: string) {
    this.#source = source as B & Glue & { wasm: unknown };
    this.#compile = compile;
    this.#stateful = stateful;
  }

  /** The functions and classes of the module by name. */
  get bindings(): B {
    this.#started ??= this.#start();
    if (this.#isUnsettled) this.#restart();
    return this.#started.bindings;
  }

  get memory(): WebAssembly.Memory {
    this.#started ??= this.#start();
    return this.#source.memory();
  }

  /** The number of the current instance. Objects of an earlier instance are lost. */
  get generation(): number {
    if (this.#isUnsettled) this.#restart();
    return this.#restarts;
  }

  /** Frees an object of the bindings, unless it is freed already or belongs to an earlier instance. */
  free(object: Handle): void {
    if (this.#isUnsettled) this.#restart();
    if (this.#live.delete(object)) object.free();
  }

  /** Replaces the instance. If that fails, for lack of stack for example, the next call tries again. */
  #restart(): void {
    if (this.#started !== undefined) this.memory.grow(0); // detaches the views of the old memory
    this.#source.scheduleRestart();
    this.#source.finishRestart();
    this.#restarts++;
    this.#live = new WeakSet();
    this.#isUnsettled = false;
  }

  /** Creates the instance. Wraps every function of the bindings: a trap restarts the module, and errors have a clear message. */
  #start(): { module: WebAssembly.Module; bindings: B } {
    const module = this.#compile(this.#source.wasm);
    this.#source.initSync({ module });
    const bindings: Record<string, unknown> = {};
    for (const [name, binding] of Object.entries(this.#source) as [string, Call][]) {
      if (typeof binding !== 'function') continue;
      const guarded = this.#guard(binding);
      bindings[name] = guarded;
      this.#guardMembers(binding, guarded);
      if (binding.prototype) this.#guardMembers(binding.prototype, binding.prototype);
    }
    return { module, bindings: bindings as B };
  }

  #guard(call: Call): Call {
    const self = this;
    return function (this: unknown, ...args) {
      if (self.#isUnsettled) self.#restart();
      self.#isUnsettled = true;
      let result: unknown;
      try {
        result = new.target ? Reflect.construct(call, args) : Reflect.apply(call, this, args);
      } catch (error) {
        throw self.#translate(error);
      }
      self.#isUnsettled = false;
      if (result instanceof Object && 'free' in result) self.#live.add(result as Handle);
      return result;
    };
  }

  #guardMembers(from: object, to: object): void {
    for (const [name, { value, get, set }] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
      // The glue itself calls functions that start with `__`, inside a guarded call.
      if (name === 'constructor' || name === 'prototype' || name.startsWith('__')) continue;
      if (typeof value === 'function') Object.defineProperty(to, name, { value: this.#guard(value) });
      if (get) Object.defineProperty(to, name, { get: this.#guard(get as Call) });
      if (set) Object.defineProperty(to, name, { set: this.#guard(set as Call) });
    }
  }

  /**
   * Returns the error to throw for an error of a call. It can run with almost no stack left, so it uses no regular
   * expression: V8 aborts the process if it has no stack to compile one.
   */
  #translate(error: unknown): unknown {
    const lost = `${this.#stateful} created before are lost`;
    if (isStackOverflow(error)) {
      // The next call restarts the module. It has more stack.
      return new Error(`nearprint: the call stack is full. ${lost}`, { cause: error });
    }
    if (error instanceof WebAssembly.RuntimeError) {
      try {
        this.#restart();
      } catch {
        // The next call restarts the module.
      }
      const message =
        `nearprint: the WebAssembly module trapped (${error.message}), probably because it ran out of memory. It has ` +
        `been restarted. ${lost}`;
      return new Error(message, { cause: error });
    }
    this.#isUnsettled = false;
    if (Array.isArray(error)) {
      const [argument, requirement, got] = error;
      return new ArgumentError(argument, requirement, undefined, got);
    }
    // The crate's other errors have a complete message. The glue throws a plain `Error` only for a freed or lost object.
    const { message = '' } = error as Error;
    if ((error as Error).constructor !== Error || message.startsWith('nearprint: ')) return error;
    return new Error(
      'nearprint: this object was freed, or lost when the WebAssembly module trapped: create a new one',
      {
        cause: error,
      },
    );
  }
}

/** Recognised by its message, since it has no class of its own. */
function isStackOverflow(error: unknown): boolean {
  const { message } = error as Error;
  if (typeof message !== 'string' || message.startsWith('nearprint')) return false;
  return message.includes('call stack') || message.includes('recursion');
}
