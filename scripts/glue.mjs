// Adapts the glue of a module, which wasm-bindgen generates, to the package. Another version of wasm-bindgen may write other code: an
// edit that finds nothing fails the build.

/**
 * The edits, in order: what each does, a pattern of the code, and what replaces it. Only the glue of modules that export classes
 * has the code of an edit with `isForClasses`.
 *
 * The first edits remove effects at loading, since a bundler drops an unused import only without effects. The others
 * shorten the glue: wrangler does not minify, so a Worker is uploaded with each repetition.
 */
const edits = [
  {
    what: 'Assign no `Symbol.dispose` to prototypes: the classes of js/ have it.',
    isForClasses: true,
    pattern: /^if \(Symbol\.dispose\) .*$/gm,
    replacement: '',
  },
  {
    what: 'Use the decoder of js/common/utf8.ts.',
    pattern: /new TextDecoder\([^)]*\)/g,
    replacement: 'decoder',
  },
  {
    what: 'Do not warm the decoder up.',
    pattern: /^ *cachedTextDecoder\.decode\(\);$/gm,
    replacement: '',
  },
  {
    what: 'Use the encoder of js/common/utf8.ts.',
    pattern: /new TextEncoder\(\)/g,
    replacement: 'encoder',
  },
  {
    what: 'Compile no bytes: js/boot passes a compiled module, and for a module of another realm `instanceof` is false.',
    pattern: /if \(!\(module instanceof WebAssembly\.Module\)\) \{[^}]*\}/g,
    replacement: '',
  },
  {
    what: 'Pass every string as its encoded bytes: without the loop for ASCII, which pays off only for long strings.',
    pattern: /if \(realloc === undefined\) (\{[^}]*\})[\s\S]*?\n\}/g,
    replacement: '$1\n}',
  },
  {
    what: 'Do not replace a missing `encodeInto`, which strings do not need.',
    pattern: /^if \(!\('encodeInto' in cachedTextEncoder\)\) \{[\s\S]*?\n\}$/gm,
    replacement: '',
  },
  {
    what: 'Do not renew the decoder, which is shared.',
    pattern: /numBytesDecoded \+= [\s\S]*?(?=return cachedTextDecoder)/g,
    replacement: '',
  },
  {
    what: 'At a restart, do not reset what is set before each use.',
    pattern: /^ *if \(typeof (?:numBytesDecoded|WASM_VECTOR_LEN).*$/gm,
    replacement: '',
  },
  {
    what: 'Restart in `finishRestart` only: js/common/module.ts calls it after `scheduleRestart`, and nothing else schedules a restart.',
    pattern: /(?<!function finishRestart\(\) \{\s*)__wbg_call_guard\(\);/g,
    replacement: '',
  },
  {
    what: 'Take the module as `{ module }` only, without the deprecated form and its warning.',
    pattern: /if \(module !== undefined\) \{[\s\S]*?\n {4}\}\n/g,
    replacement: '({ module } = module);\n',
  },
  {
    what: 'Check that an object is of the current instance by a function.',
    isForClasses: true,
    pattern:
      /if \(\(?(\w+)\)?\.__wbg_inst !== undefined && [^{]*\{\s*throw new Error\('Invalid stale object from previous Wasm instance'\);\s*\}/g,
    replacement: 'checkInstance($1);',
  },
  {
    what: 'Set the address of an object, and register it, by a function.',
    isForClasses: true,
    pattern:
      /(this|obj)\.__wbg_ptr = (ret\[0\]|ret|ptr);\s*Object\.defineProperty\(\1, '__wbg_inst', \{[^}]*\}\);(?:\s*\1\.__wbg_ptr = ptr;)?\s*(\w+)\.register\(\1, \{[^}]*\}, \1\);/g,
    replacement: 'adopt($1, $2, $3);',
  },
  {
    what: 'Throw the error of a call by a function.',
    isForClasses: true,
    pattern: /if \((ret\[\d\])\) \{\s*throw takeFromExternrefTable0\((ret\[\d\])\);\s*\}/g,
    replacement: 'throwIf($1, $2);',
  },
  {
    what: 'Free an object by a function.',
    isForClasses: true,
    pattern:
      /__destroy_into_raw\(\) \{[^}]*?(\w+)\.unregister\(this\);[^}]*\}\s*free\(\) \{[^}]*wasm\.(\w+)\(ptr, 0\);\s*\}/g,
    replacement: "free() {\n        release(this, $1, '$2');\n    }",
  },
  {
    what: 'Create registries by a function.',
    isForClasses: true,
    pattern:
      /\(typeof FinalizationRegistry === 'undefined'\)\s*\? \{ register[^}]*\}, unregister[^}]*\} \}\s*: new FinalizationRegistry\([^{]*\{[^}]*\}\) => \{\s*if \(instance === __wbg_instance_id\) wasm\.(\w+)\(ptr, 1\);\s*\}\)/g,
    replacement: "/* @__PURE__ */ newRegistry('$1')",
  },
];

/** The functions that edits call. */
const functions = `
function checkInstance(object) {
  if (object.__wbg_inst !== undefined && object.__wbg_inst !== __wbg_instance_id) {
    throw new Error('stale');
  }
}
function adopt(object, ptr, registry) {
  object.__wbg_ptr = ptr;
  Object.defineProperty(object, '__wbg_inst', { value: __wbg_instance_id, writable: true });
  registry.register(object, { ptr, instance: __wbg_instance_id }, object);
}
function throwIf(failed, error) {
  if (failed) throw takeFromExternrefTable0(error);
}
function release(object, registry, free) {
  const ptr = object.__wbg_ptr;
  object.__wbg_ptr = 0;
  registry.unregister(object);
  wasm[free](ptr, 0);
}
function newRegistry(free) {
  return typeof FinalizationRegistry === 'undefined'
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(({ ptr, instance }) => {
        if (instance === __wbg_instance_id) wasm[free](ptr, 1);
      });
}`;

/** Returns the adapted glue of a module. Throws if an edit finds nothing to replace. */
export function adaptGlue(glue, module) {
  let adapted = glue;
  const hasClasses = /^export class /m.test(glue);
  for (const { what, isForClasses = false, pattern, replacement } of edits) {
    if (isForClasses && !hasClasses) continue;
    if (adapted.search(pattern) < 0) {
      throw new Error(`an edit in scripts/glue.mjs finds nothing in the glue of ${module}: "${what}" (${pattern})`);
    }
    adapted = adapted.replace(pattern, replacement);
  }
  return `import { decoder, encoder } from '#utf8';\n${adapted}${functions}`;
}
