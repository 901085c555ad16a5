// What this browser keeps: all pages of a host can write there, so it may be of any shape, and it may be full.

/** The value of the JSON under a name, of any shape; null if there is none. */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

/** Keeps a text under a name, if there is room for it; whether there is. */
export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}
