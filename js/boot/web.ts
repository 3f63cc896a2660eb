// For nearprint/web: each module is a separate file, which load() fetches.
import { bootError } from './boot-error.js';

/** A WebAssembly module: the URL of its file, a response, its bytes, or a compiled module. */
export type Source = string | URL | Request | Response | BufferSource | WebAssembly.Module;

const modules: Record<string, WebAssembly.Module> = {};
const loading: Record<string, Promise<void>> = {};

export function compiled(name: unknown): WebAssembly.Module {
  const module = modules[name as string];
  if (module !== undefined) return module;
  throw new Error(`nearprint: call load() of nearprint/web first, with ${name}.wasm`);
}

/** Compiles a module once. After a failure, the next call tries again. */
export function compile(name: string, source: Source | PromiseLike<Source>): Promise<void> {
  loading[name] ??= load(name, source).catch((error: unknown) => {
    delete loading[name];
    throw bootError(error);
  });
  return loading[name];
}

async function load(name: string, source: Source | PromiseLike<Source>): Promise<void> {
  modules[name] = await moduleOf(name, await source);
}

async function moduleOf(name: string, source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  const response = source instanceof Response ? source : await fetch(source as string | URL | Request);
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || type.startsWith('text/html')) {
    throw new Error(
      `nearprint: ${response.url} is not ${name}.wasm (HTTP ${response.status}, ${type || 'no content type'}): ` +
        'put that file of the package there, or pass its URL to load()',
    );
  }
  // Compiles during the download, which browsers allow for this content type only.
  if (type.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
