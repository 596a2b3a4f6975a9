/* Elements of the page. What people wrote, as the name of a file, goes in as
 * text and never as markup: a name with a tag in it is shown as it is. */

const SVG = "http://www.w3.org/2000/svg";

function apply(node, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false)
      continue;
    if (key.startsWith("on"))
      node.addEventListener(key.slice(2), value);
    else
      node.setAttribute(key, value === true ? "" : value);
  }
}

function append(node, children) {
  for (const child of children.flat(Infinity))
    if (child !== undefined && child !== null && child !== false)
      node.append(child);
  return node;
}

/* el("button", {class: "quiet", onclick: f}, "text", another) */
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  apply(node, properties);
  return append(node, children);
}

export function svg(tag, properties = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  apply(node, properties);
  return append(node, children);
}

/* Other children in place of those there are. */
export function fill(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

/* Pictures that are still on their way are not asked for any more. One of a
 * drawing says itself that it is there, by its class. */
export function dropPictures(node) {
  for (const image of node.querySelectorAll("img"))
    if (!image.complete)
      image.removeAttribute("src");
  for (const image of node.querySelectorAll("image:not(.loaded)"))
    image.removeAttribute("href");
}

/* Does this element take letters itself? Then they are no keys of the page. */
export function takesLetters(node) {
  return node.matches("input:not([type=checkbox]), select, textarea");
}

/* A picture of a control, which its text explains: nothing to read aloud. */
const SHAPES = {
  good: "M4 12.5l5 5L20 6.5",
  bad: "M6 6l12 12M18 6L6 18",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  search: "M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14zM20 20l-4-4",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9.5h.01",
  document: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  vector: "M5 19V9M10 19V5M15 19v-7M20 19V8",
  why: "M12 21a9 9 0 1 0 0-18a9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3"
    + "c-.7.4-1 .9-1 1.7M12 17h.01",
  upload: "M12 16V5M7 9l5-5 5 5M4 19h16",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  history: "M4 5v5h5M4.5 10A8 8 0 1 1 4 13M12 8v5l3 2",
  learn: "M4 19h16M5 15l5-5 4 3 6-7",
  jobs: "M12 21a9 9 0 1 1 9-9M12 7v5l3 2",
  saved: "M5 12.5l4.5 4.5L19 7.5",
  unsaved: "M12 4v9M12 18h.01",
  close: "M6 6l12 12M18 6L6 18",
  more: "M6 9l6 6 6-6",
  person: "M12 12a4 4 0 1 0 0-8a4 4 0 0 0 0 8zM4 20c1-4 4-6 8-6s7 2 8 6",
  open: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
};

export function icon(name) {
  return svg("svg", {
    class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true",
    focusable: "false",
  }, svg("path", { d: SHAPES[name] }));
}

/* A button with a picture and a text; `label` where the text is not enough. */
export function button(text, onclick, { shape, kind = "", label, ...rest } = {}) {
  return el("button", {
    type: "button", class: `button ${kind}`, "aria-label": label, onclick,
    ...rest,
  }, shape && icon(shape), el("span", {}, text));
}

/* A button with a picture alone; its text is its label and its tip. */
export function iconButton(shape, text, onclick, { kind = "", ...rest } = {}) {
  return el("button", {
    type: "button", class: `button bare ${kind}`, "aria-label": text,
    title: text, onclick, ...rest,
  }, icon(shape));
}
