// A static file server for the demo page, on this machine only.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { root } from './run.mjs';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'application/jsonl; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** The folders that are served, by the start of the path. */
const mounts = { '/pkg/': join(root, 'pkg'), '/': join(root, 'www') };

function locate(url) {
  const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
  const [prefix, folder] = Object.entries(mounts).find(([start]) => path.startsWith(start));
  const file = normalize(join(folder, path.slice(prefix.length) || 'index.html'));
  return file.startsWith(folder) && statSync(file).isFile() ? file : null;
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
