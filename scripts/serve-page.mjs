// Serves the demo page, for `npm start` and the tests.
import { pageFolder, policy } from './page.mjs';
import { root } from './run.mjs';
import { fileIn, serve } from './serve.mjs';

/** Serves the page on `port`, or on a free one. Resolves to the server. The tests also need the package, which is at /pkg. */
export const servePage = (port) =>
  serve((path) => fileIn(path.startsWith('/pkg/') ? root : pageFolder, path), {
    port,
    headers: {
      'cache-control': 'no-cache', // `npm run build:www` updates the page.
      'content-security-policy': policy(),
      'x-content-type-options': 'nosniff',
    },
  });
