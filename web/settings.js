/* What this browser remembers. A browser that refuses to store anything has
 * the defaults again with each visit. */

const PREFIX = "akin.";

export function load(key, standard) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key)) ?? standard;
  } catch {
    return standard;
  }
}

/* False: it could not be stored. */
export function store(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function applyTheme() {
  const theme = load("theme", "auto");
  document.documentElement.dataset.theme = theme;
}
