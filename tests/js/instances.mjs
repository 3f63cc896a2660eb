// The package, with access to its WebAssembly: its memory can be exhausted, and a call can trap.
import assert from 'node:assert/strict';

/** The exports of the instances that the package has created, in the order of their creation. */
export const instances = [];
/** The constructors that trap, each of one module of the main entry. The last one tells the modules apart. */
const constructors = { text: 'weighted_new', sets: 'nearindex_new' };
/** Whether the next call of the constructor of each module traps. */
const isTrapping = { text: false, sets: false };

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
export const compat = await import('../../pkg/compat.js');

/** Returns the current instance of a module of the main entry, or of nearprint/compat. */
export function instanceOf(module) {
  const is = (exports, name) => constructors[name] in exports;
  return instances.findLast((exports) =>
    module === 'compat' ? !is(exports, 'text') && !is(exports, 'sets') : is(exports, module),
  );
}

/** Allocates the rest of the memory of modules, so that they cannot grow. */
export function exhaust(...modules) {
  for (const module of modules.length > 0 ? modules : ['text', 'sets']) {
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
  text: () => nearprint.fingerprintHashes(BigUint64Array.of(1n)),
  sets: () => new nearprint.NearIndex(),
};

/** Makes modules trap, by default those of the main entry. Each restarts with new memory. */
export function trap(...modules) {
  for (const module of modules.length > 0 ? modules : ['text', 'sets']) {
    isTrapping[module] = true;
    assert.throws(
      calls[module],
      /^Error: nearprint: the WebAssembly module trapped .*ran out of memory.*restarted.*are lost/,
    );
    // Without any memory, the call traps before it reaches the constructor.
    isTrapping[module] = false;
  }
}
