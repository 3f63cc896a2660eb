// Serves the demo page, for `npm start` and the tests.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { pageFolder, policy } from './page.mjs';
import { root } from './run.mjs';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Returns the file at a URL, or null. The tests also need the package, which is at /pkg. */
function locate(url) {
  try {
    // A parsed URL has no `..`, and no file here has a percent sign in its name.
    const path = new URL(url, 'http://localhost').pathname.slice(1) || 'index.html';
    const file = join(path.startsWith('pkg/') ? root : pageFolder, path);
    return statSync(file).isFile() ? file : null;
  } catch {
    return null; // The file does not exist, or the URL is invalid.
  }
}

/**
 * Serves the page, on this machine only: on `port`, or on a free port if another program has it. Resolves to the server. Files
 * are read for each request, so `npm run build:www` updates the page.
 */
export function serve(port) {
  const server = createServer((request, response) => {
    const file = locate(request.url);
    if (file === null) return response.writeHead(404).end('Not found\n');
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'text/plain; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policy(),
      'x-content-type-options': 'nosniff',
    });
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
