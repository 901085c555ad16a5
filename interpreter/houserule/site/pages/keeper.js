// The service worker: keeps the files of this version of the site, and lets no page ask anybody else.

const FILES = "FILES", CACHE = `houserule-${"VERSION"}`;
/** Files that are fetched at the same time. */
const AT_ONCE = 6;
const { href: root, origin } = new URL("./", self.location);

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then(async (kept) => {
    const left = [...FILES];
    const take = async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const address = new URL(name, root).href;
        if (!await kept.match(address)) await kept.add(new Request(address, { cache: "no-cache" }));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, take));
    await self.skipWaiting();
  }));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("houserule-") && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { url, method, mode } = event.request;
  if (new URL(url).origin !== origin) {
    event.respondWith(Response.error());
    return;
  }
  if (method !== "GET" || !url.startsWith(root)) return;
  const address = new URL(url);
  address.search = "";
  address.hash = "";
  if (address.pathname.endsWith("/")) address.pathname += "index.html";
  event.respondWith((async () => {
    const kept = await (await caches.open(CACHE)).match(address.href);
    if (kept) return kept;
    try {
      return await fetch(event.request);
    } catch {
      return mode === "navigate" ? (await caches.match(new URL("index.html", root).href)) ?? Response.error() : Response.error();
    }
  })());
});
