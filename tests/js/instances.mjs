// The package, with access to its WebAssembly: its memory can be exhausted, and a call can trap.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { exportsOf, moduleFile, packageModules } from '../../scripts/build-wasm.mjs';

/** The instances that the package has created, in the order of their creation: the name of the module, and its memory. */
export const instances = [];
/** The constructors that trap, each of one module. */
const constructors = { dedupe: 'deduplicator_new', simhash: 'nearindex_new' };
/** Whether the next call of the constructor of each module traps. */
const isTrapping = { dedupe: false, simhash: false };

/** Returns the name of the module with these bytes. */
const nameOf = (bytes) => packageModules.find((name) => readFileSync(moduleFile(name)).equals(bytes));

/** Maps compiled modules to their names. */
const names = new WeakMap();
const { Module, Instance } = WebAssembly;
WebAssembly.Module = class extends Module {
  constructor(bytes) {
    super(bytes);
    names.set(this, nameOf(bytes));
  }
};
WebAssembly.Instance = class extends Instance {
  constructor(module, imports) {
    super(module, imports);
    const { exports } = this;
    const name = names.get(module);
    const short = exportsOf(name);
    instances.push({ module: name, memory: exports[short.memory] });
    if (!(name in constructors)) return;
    const construct = (...args) => {
      if (!isTrapping[name]) return exports[short[constructors[name]]](...args);
      isTrapping[name] = false;
      throw new WebAssembly.RuntimeError('unreachable');
    };
    Object.defineProperty(this, 'exports', { value: { ...exports, [short[constructors[name]]]: construct } });
  }
};

export const nearprint = await import('../../pkg/index.js');
export const simhash = await import('../../pkg/simhash.js');
export const compat = await import('../../pkg/compat.js');

/** Returns the current instance of the module `dedupe`, `simhash` or `compat`. */
export const instanceOf = (name) => instances.findLast(({ module }) => module === name);

/** Allocates the rest of the memory of modules, so that they cannot grow. */
export function exhaust(...modules) {
  for (const module of modules.length > 0 ? modules : ['dedupe', 'simhash']) {
    const { memory } = instanceOf(module);
    for (let pages = 2 ** 15; pages >= 1; pages /= 2) {
      try {
        for (;;) memory.grow(pages);
      } catch {
        // Less than that is left.
      }
    }
  }
}

const calls = {
  dedupe: () => new nearprint.Deduplicator(),
  simhash: () => new simhash.NearIndex(),
};

/** Makes modules trap, by default those of both wings. Each restarts with new memory. */
export function trap(...modules) {
  for (const module of modules.length > 0 ? modules : ['dedupe', 'simhash']) {
    isTrapping[module] = true;
    assert.throws(
      calls[module],
      /^Error: nearprint: the WebAssembly module trapped .*ran out of memory.*restarted.*are lost/,
    );
    // Without any memory, the call traps before it reaches the constructor.
    isTrapping[module] = false;
  }
}
