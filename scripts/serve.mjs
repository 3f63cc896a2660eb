// A static file server for the demo page, on this machine only.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pageFiles, policy, serviceWorker } from './page.mjs';
import { root } from './run.mjs';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'application/jsonl; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

const serviceWorkerFile = join(root, 'www', 'sw.js');

/** Where the file of an address is, or null. Beside the page there is the rest of the package, for the tests. */
function locate(url) {
  const path = decodeURIComponent(new URL(url, 'http://localhost').pathname).slice(1);
  const known = pageFiles().get(path || 'index.html');
  if (known) return known;
  const folder = join(root, 'pkg');
  const file = normalize(join(root, path));
  return file.startsWith(folder + sep) && statSync(file).isFile() ? file : null;
}

/** Listens on `port`, or on the next that is free. Resolves to the server. */
export function serve(port) {
  const server = createServer((request, response) => {
    let file = null;
    try {
      file = locate(request.url);
    } catch {
      // No such file, or no such path: both are 404.
    }
    if (file === null) return response.writeHead(404).end('Not found\n');
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'no-cache',
      'content-security-policy': policy(),
      'x-content-type-options': 'nosniff',
    });
    if (file === serviceWorkerFile) return response.end(serviceWorker());
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
