// nearprint/web: the WebAssembly is a file of its own, which load() fetches.
import { start } from '#bindings';
import { bootError } from './boot-error.js';

let module;

export const boot = () => start(module);

/** Compiles a module, a file's bytes, or what a URL or a response gives, while it comes in if the server says what it is. */
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
      `nearprint: ${response.url} is not nearprint.wasm (HTTP ${response.status}, ${type || 'of no type'}): ` +
        'put that file of the package there, or give load() its URL',
    );
  }
  if (type.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
