// Searches the site: games, rulebooks, house rules and the manual, by words in titles and texts.

const root = new URL(document.body.dataset.root || "./", document.baseURI);
const box = document.getElementById("search"), found = document.getElementById("found"), count = document.getElementById("count");
const MOST = 20;
let index = null;

/** The places with all of the words: those in a title count more, whole words most. */
function places(words) {
  return index.map(([title, kind, address, text]) => {
    const [head, body] = [title.toLowerCase(), `${kind} ${text}`.toLowerCase()];
    let worth = 0;
    for (const word of words) {
      if (head === word) worth += 20;
      else if (head.split(/\W+/).includes(word)) worth += 10;
      else if (head.includes(word)) worth += 6;
      else if (body.includes(word)) worth += 1;
      else return null;
    }
    return { title, kind, address, text, worth };
  }).filter(Boolean).sort((one, other) => other.worth - one.worth || one.title.length - other.title.length);
}

function row({ title, kind, address, text }) {
  const link = Object.assign(document.createElement("a"), { href: new URL(address, root).href, textContent: title });
  const small = Object.assign(document.createElement("span"), { className: "small", textContent: ` · ${kind}` });
  const line = document.createElement("li");
  line.append(link, small, Object.assign(document.createElement("p"), { className: "small", textContent: text }));
  return line;
}

box?.addEventListener("input", async () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  index ??= await (await fetch(new URL("search.json", root))).json();
  const all = words.length ? places(words) : [];
  found.replaceChildren(...all.slice(0, MOST).map(row));
  found.hidden = !words.length;
  count.textContent = words.length ? String(all.length) : "";
});
