// The package, with access to its WebAssembly: its memory can be exhausted, and a call can trap.
import assert from 'node:assert/strict';

/** The exports of the instances that the package has created, in the order of their creation. */
export const instances = [];
/** The constructors that trap, each of one module. They tell the modules apart. */
const constructors = { dedupe: 'deduplicator_new', simhash: 'nearindex_new' };
/** Whether the next call of the constructor of each module traps. */
const isTrapping = { dedupe: false, simhash: false };

const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    const { exports } = this;
    instances.push(exports);
    const replaced = Object.entries(constructors).map(([module, name]) => [
      name,
      (...args) => {
        if (!isTrapping[module]) return exports[name](...args);
        isTrapping[module] = false;
        throw new WebAssembly.RuntimeError('unreachable');
      },
    ]);
    const present = Object.fromEntries(replaced.filter(([name]) => name in exports));
    Object.defineProperty(this, 'exports', { value: { ...exports, ...present } });
  }
};

export const nearprint = await import('../../pkg/index.js');
export const simhash = await import('../../pkg/simhash.js');
export const compat = await import('../../pkg/compat.js');

/** Returns the current instance of the module `dedupe`, `simhash` or `compat`. */
export function instanceOf(module) {
  const is = (exports, name) => constructors[name] in exports;
  return instances.findLast((exports) =>
    module === 'compat' ? !is(exports, 'dedupe') && !is(exports, 'simhash') : is(exports, module),
  );
}

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
