/* Short messages at the edge of the page, read aloud as well. */
import { el } from "./dom.js";

const SHOWN = 5000;  // milliseconds
const MOST = 2;      // at the same time

/* Read aloud, not shown. */
export function announce(text) {
  document.getElementById("status").textContent = text;
}

export function message(text, kind = "") {
  const node = el("p", { class: `message ${kind}`, role: kind === "error"
    ? "alert" : "status" }, text);
  const list = document.getElementById("messages");
  list.append(node);
  while (list.childElementCount > MOST)
    list.firstChild.remove();
  setTimeout(() => node.remove(), kind === "error" ? 2 * SHOWN : SHOWN);
}
