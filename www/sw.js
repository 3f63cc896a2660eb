// Keeps the page for when there is no network. The server fills in the version and the files: see scripts/page.mjs.
const CACHE = 'nearprint @VERSION@';
const FILES = ['@FILES@'];

addEventListener('install', (event) => {
  // Past the HTTP cache: the files of one version belong together.
  const requests = FILES.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
  // No skipWaiting: a page that is open goes on with its own version, which its Worker must be of, too.
});

addEventListener('activate', (event) => {
  const forget = async () => {
    const stale = (await caches.keys()).filter((name) => name.startsWith('nearprint ') && name !== CACHE);
    await Promise.all(stale.map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(forget());
});

/** What is kept comes from the cache; the samples are kept once they were asked for. */
async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'GET' && new URL(url).origin === location.origin) event.respondWith(answer(event.request));
});
