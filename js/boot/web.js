// For nearprint/web: the module is a separate file, which load() fetches.
import { start } from '#bindings';
import { bootError } from './boot-error.js';

let module;

export const boot = () => start(module);

/** Compiles the module from a compiled module, bytes, a URL or a response. */
export async function compile(source) {
  try {
    module = await compiled(await source);
  } catch (error) {
    throw bootError(error);
  }
}

async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = source instanceof Response ? source : await fetch(source);
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || type.startsWith('text/html')) {
    throw new Error(
      `nearprint: ${response.url} is not nearprint.wasm (HTTP ${response.status}, ${type || 'no content type'}): ` +
        'put that file of the package there, or pass its URL to load()',
    );
  }
  // Compiles while the file is downloaded; browsers allow that for this content type only.
  if (type.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
