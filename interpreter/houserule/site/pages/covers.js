// Draws pieces of games on the pages that tell of them.

import { covers } from "./place.js";
import { cover, patterns } from "./shapes.js";

const found = await covers();
const credits = [...document.querySelectorAll(".cover")].map((made) => {
  const about = found[made.dataset.game] ?? {};
  made.replaceChildren(cover(about));
  return about.credit;
});
document.getElementById("credit").textContent = credits.find(Boolean) ?? "";
document.body.append(patterns());
