// The package, with access to its WebAssembly: its memory can be exhausted, and a call can trap.
import assert from 'node:assert/strict';

/** The exports of the instances that the package has created, in the order of their creation. */
export const instances = [];
/** Whether the next `new NearIndex()` traps. */
let isTrapping = false;

const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    const { exports } = this;
    instances.push(exports);
    const create = (...args) => {
      if (!isTrapping) return exports.nearindex_new(...args);
      isTrapping = false;
      throw new WebAssembly.RuntimeError('unreachable');
    };
    Object.defineProperty(this, 'exports', { value: { ...exports, nearindex_new: create } });
  }
};

export const nearprint = await import('../../pkg/index.js');
export const compat = await import('../../pkg/compat.js');

/** Allocates the rest of the memory of the last instance, so that the module cannot grow. */
export function exhaust() {
  const { memory } = instances.at(-1);
  for (let pages = 2 ** 15; pages >= 1; pages /= 2) {
    try {
      for (;;) memory.grow(pages);
    } catch {
      // Less than that is left.
    }
  }
}

/** Makes the main module trap. The module restarts with new memory. */
export function trap() {
  isTrapping = true;
  assert.throws(
    () => new nearprint.NearIndex(),
    /^Error: nearprint: the WebAssembly module trapped .*ran out of memory.*restarted.*are lost/,
  );
  // Without any memory, the call traps before it reaches the constructor.
  isTrapping = false;
}
