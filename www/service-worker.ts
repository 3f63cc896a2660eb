// Keeps the page for offline use.

declare const self: ServiceWorkerGlobalScope;

/** The name of the cache, with the page's version. The build sets it (scripts/page.mjs). */
declare const CACHE: string;

/** The page's files. The build sets them. */
declare const FILES: string[];

self.addEventListener('install', (event) => {
  // Bypasses the HTTP cache: all files must be of one version.
  const requests = FILES.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
  // No skipWaiting: an open page keeps its version, which its Worker must have too.
});

self.addEventListener('activate', (event) => {
  const deleteOldCaches = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith('nearprint ') && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(deleteOldCaches());
});

/** Answers from the cache. The samples are not in the file list; they are cached when first requested. */
async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request, { ignoreSearch: true });
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'GET' && new URL(url).origin === location.origin) event.respondWith(answer(event.request));
});
