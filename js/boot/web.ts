// For nearprint/web: the module is a separate file, which load() fetches.
import type { Source } from '../web.js';
import { bootError } from './boot-error.js';

let module: WebAssembly.Module | undefined;

export function compiled(): WebAssembly.Module {
  if (module === undefined) throw new Error('nearprint: call load() of nearprint/web first');
  return module;
}

/** Compiles the module. */
export async function compile(source: Source | PromiseLike<Source>): Promise<void> {
  try {
    module = await moduleOf(await source);
  } catch (error) {
    throw bootError(error);
  }
}

async function moduleOf(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  const response = source instanceof Response ? source : await fetch(source as string | URL | Request);
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || type.startsWith('text/html')) {
    throw new Error(
      `nearprint: ${response.url} is not nearprint.wasm (HTTP ${response.status}, ${type || 'no content type'}): ` +
        'put that file of the package there, or pass its URL to load()',
    );
  }
  // Compiles during the download, which browsers allow for this content type only.
  if (type.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
