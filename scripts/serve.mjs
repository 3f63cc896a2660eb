// A static file server for the built page, on this machine only. `npm run build:www` updates the page while it runs.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pageFolder, policy } from './page.mjs';
import { root } from './run.mjs';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'application/jsonl; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** Returns the file at a URL, or null. The tests also need the package, which is at /pkg. */
function locate(url) {
  const path = decodeURIComponent(new URL(url, 'http://localhost').pathname).slice(1) || 'index.html';
  const folder = path.startsWith('pkg/') ? root : pageFolder;
  const file = normalize(join(folder, path));
  const allowed = path.startsWith('pkg/') ? join(root, 'pkg') : pageFolder;
  return file.startsWith(allowed + sep) && statSync(file).isFile() ? file : null;
}

/** Listens on `port`, or on the next free port. Resolves to the server. */
export function serve(port) {
  const server = createServer((request, response) => {
    let file = null;
    try {
      file = locate(request.url);
    } catch {
      // The file does not exist, or the URL is invalid: 404.
    }
    if (file === null) return response.writeHead(404).end('Not found\n');
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'no-cache',
      'content-security-policy': policy(),
      'x-content-type-options': 'nosniff',
    });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    let tries = 20;
    server.on('error', (error) => {
      if (error.code !== 'EADDRINUSE' || --tries === 0) return reject(error);
      console.error(`nearprint: port ${port} is taken, trying ${++port}`);
      server.listen(port, '127.0.0.1');
    });
    server.on('listening', () => resolve(server));
    server.listen(port, '127.0.0.1');
  });
}
