// Makes elements of the page. Texts are always text: nothing here, or anywhere else, reads HTML.

/** An element: its attributes, listeners (`onclick`), and children, which are elements or texts. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  set(made, attributes);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Sets attributes, classes (`class`), style properties (`style`) and listeners of an element. */
export function set(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made[name] = value;
    else if (name === "style") for (const [property, worth] of Object.entries(value)) made.style.setProperty(property, worth);
    else if (value === null || value === undefined || value === false) made.removeAttribute(name);
    else if (made.getAttribute(name) !== String(value === true ? "" : value)) made.setAttribute(name, value === true ? "" : value);
  }
}

/** An element of a drawing. */
export function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Sets the children of an element in order, moving only those out of place, so that the focus stays. */
export function arrange(parent, children) {
  let next = parent.firstChild;
  for (const child of children) {
    if (child === next) next = next.nextSibling;
    else parent.insertBefore(child, next);
  }
  while (next) {
    const after = next.nextSibling;
    next.remove();
    next = after;
  }
}

/** Elements by key, created on demand, and dropped when a drawing did not ask for them. */
export class Kept {
  constructor() {
    this.elements = new Map();
    this.asked = new Set();
  }
  get(key, make) {
    this.asked.add(key);
    if (!this.elements.has(key)) this.elements.set(key, make());
    return this.elements.get(key);
  }
  forget() {
    for (const key of this.elements.keys()) if (!this.asked.has(key)) this.elements.delete(key);
    this.asked.clear();
  }
}
