// Asks the browser to keep the site, so that it works without a network from the second visit on.

/** Milliseconds before the site is kept: somebody may go on at once to where something runs. */
const PATIENCE = 2500;
const root = new URL(document.body.dataset.root || "./", document.baseURI);
if ("serviceWorker" in navigator && isSecureContext) {
  const keep = () => navigator.serviceWorker.register(new URL("keeper.js", root), { scope: root.pathname }).catch(() => {});
  if (document.getElementById("status")) addEventListener("engine-ready", keep, { once: true }); // first what this visit needs
  else addEventListener("load", () => setTimeout(keep, PATIENCE));
}
