// Serves files over HTTP, on this machine only.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Pages and scripts declare no encoding, as on many hosts. */
const types = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Returns the file of a folder at the path of a URL, or null. A parsed URL has no `..`, and escapes are not decoded. */
export function fileIn(folder, path) {
  const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
  try {
    return statSync(file).isFile() ? file : null;
  } catch {
    return null; // The file does not exist, or its name is too long.
  }
}

/**
 * Serves the files that `locate` returns for the path of a URL. `receive` gets the body of each POST request. Resolves to the
 * server, which listens on `port`, or on a free one if another program has it. Files are read for each request.
 */
export function serve(locate, { port = 0, headers = {}, receive = () => {} } = {}) {
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      receive(await text(request));
      return response.end();
    }
    // Not a base and a relative URL: `//` would be invalid.
    const { pathname } = new URL(`http://localhost${request.url}`);
    const file = locate(pathname);
    // An icon that a page lacks is empty: browsers ask for it, and report 404 as an error.
    if (file === null) return response.writeHead(pathname === '/favicon.ico' ? 200 : 404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain; charset=utf-8', ...headers });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.on('error', (error) => {
      if (error.code === 'EADDRINUSE') server.listen(0, '127.0.0.1');
      else reject(error);
    });
    server.on('listening', () => resolve(server));
    server.listen(port, '127.0.0.1');
  });
}

/** Serves a folder, as any static host does, on a free port. */
export const serveFolder = (folder, options) => serve((path) => fileIn(folder, path), options);
