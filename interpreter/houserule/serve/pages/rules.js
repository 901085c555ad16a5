// What can be read about a game.

import { arrange, element } from "./dom.js";
import { ask, head, notice } from "./page.js";
import { currentLanguage, say } from "./words.js";

const id = decodeURIComponent(location.pathname.split("/")[2]);

async function load() {
  const game = await ask(`/api/games/${encodeURIComponent(id)}/rules?language=${encodeURIComponent(currentLanguage())}`);
  const [low, high] = game.players;
  const part = (title, ...children) => element("section", {}, element("h2", {}, title), ...children);
  const named = (rows) => element("dl", {}, rows.map(([title, text]) => [element("dt", {}, title), text && element("dd", {}, text)]));
  arrange(document.body, [
    head(game.title, () => load().catch(failed)),
    element("main", { class: "reading", lang: game.language },
      part(say("about"), element("p", {}, game.text), element("p", {}, low === high ? say("for_number", { low }) : say("for_players", { low, high }))),
      game.steps.length > 0 && part(say("course"), named(game.steps.map((step) => [step.title, step.text]))),
      game.scoring.length > 0 && part(say("scoring"), element("ul", {}, game.scoring.map((title) => element("li", {}, title)))),
      game.kinds.length > 0 && part(say("pieces"), game.kinds.map((kind) => [element("h3", {}, kind.title), named(kind.members.map((one) => [one.count > 1 && kind.is_piece ? `${one.title} ×${one.count}` : one.title, one.text]))])),
      game.house_rules.length > 0 && part(say("house_rules"), element("ul", {}, game.house_rules.map((rule) => element("li", {}, rule.title || rule.id)))),
      game.options.length > 0 && part(say("options"), named(game.options.map((one) => [`${one.title}: ${one.default}`, one.text]))),
      game.assumptions.length > 0 && part(say("assumed"), element("ul", { lang: "en" }, game.assumptions.map((reason) => element("li", {}, reason))))),
  ]);
}

function failed(wrong) {
  notice(wrong.message);
}

load().catch(failed);
