/* The caption of a photo: the names in it are marked where the server found
 * them, and a person corrects them. The server counts characters (code points),
 * texts of the browser count UTF-16; both are kept apart here. */
import { button, el, fill } from "./dom.js";
import { shownPerson } from "./face.js";
import { t } from "./text.js";
import { TypeAhead } from "./typeahead.js";

const SHOWN = 2000;  // of UTF-16

/* Code points before a place in a text. */
const pointsBefore = (text, at) => [...text.slice(0, at)].length;

/* The places of a text at which its code points begin, and its end. */
function placesOf(text) {
  const places = [0];
  for (const point of text)
    places.push(places.at(-1) + point.length);
  return places;
}

/* No half of a character. */
function cut(text) {
  const last = text.charCodeAt(SHOWN - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? SHOWN - 1 : SHOWN);
}

/* Mentions that are shown, none over another: {start, end, name}. */
export function marksOf(text, names) {
  const places = placesOf(text), found = [];
  for (const name of names)
    for (const [start, end] of name.mentions)
      if (end < places.length)
        found.push({ start: places[start], end: places[end], name });
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let at = 0;
  return found.filter((m) => {
    const free = m.start >= at;
    if (free)
      at = m.end;
    return free;
  });
}

const kindOf = (name) => name.in_picture === true ? "pictured"
  : name.in_picture === "credit" ? "credited" : "mentioned";

export class CaptionPart {
  /* `correct` gets an answer without its photo. */
  constructor(correct) {
    this.correct = correct;
    this.words = el("p", { class: "caption", dir: "auto" });
    this.others = el("p", { class: "caption-others" });
    this.tools = el("div", { class: "caption-tools", role: "group",
      "aria-label": t("captionTools"), hidden: true });
    this.field = new TypeAhead(t("captionAdd"),
      (name) => this.say({ kind: "person", name }));
    this.node = el("div", { class: "caption-part" }, this.words, this.others,
      this.tools, this.field.node);
    this.onSelect = () => this.selected();
    this.words.addEventListener("pointerup",
      () => setTimeout(this.onSelect, 0));
    this.words.addEventListener("keyup", this.onSelect);
  }

  draw(face, { names, readOnly }) {
    this.face = face;
    this.known = names;
    this.readOnly = readOnly;
    this.field.names = names;
    this.field.node.hidden = readOnly || !face;
    this.close();
    fill(this.others);
    if (!face?.caption) {
      this.text = "";
      fill(this.words, face && el("span", { class: "hint" },
        t("namesNoCaption")));
    } else {
      this.text = cut(face.caption);
      fill(this.words, this.inside(),
        face.caption.length > this.text.length && " …");
    }
    const unseen = (face?.names ?? []).filter((n) => n.mentions.length === 0);
    if (face && unseen.length > 0)
      fill(this.others, `${t("captionAlso")} `,
        unseen.map((name, i) => [i > 0 && ", ", this.mark(name, name.name)]));
  }

  inside() {
    const parts = [];
    let at = 0;
    for (const { start, end, name } of marksOf(this.text, this.face.names)) {
      parts.push(this.text.slice(at, start),
        this.mark(name, this.text.slice(start, end)));
      at = end;
    }
    parts.push(this.text.slice(at));
    return this.area = el("bdi", {}, parts);
  }

  mark(name, text) {
    const current = name.name === this.face.name;
    return el("mark", { class: `${kindOf(name)}${current ? " current" : ""}` },
      this.readOnly ? el("bdi", {}, text)
        : el("button", { type: "button", class: "mention", title: name.name,
          onclick: () => this.offer(name) }, el("bdi", {}, text)));
  }

  close() {
    this.tools.hidden = true;
    fill(this.tools);
  }

  open(...parts) {
    fill(this.tools, parts, button(t("cancel"), () => this.close(),
      { kind: "quiet" }));
    this.tools.hidden = false;
  }

  say(body) {
    this.close();
    this.correct(body);
  }

  /* What can be said of a name. */
  offer(name) {
    const [start, end] = name.mentions[0] ?? [];
    const at = start === undefined ? {} : { start, end };
    const full = new TypeAhead(t("captionMeans"), (other) => {
      if (other !== name.name)
        this.say({ kind: "means", name: name.name, other, ...at });
    });
    full.names = this.known;
    const seen = name.in_picture === true;
    this.open(shownPerson(name.name),
      button(t("captionNotPerson"), () => this.say(
        { kind: "not-person", name: name.name, ...at }), { shape: "bad" }),
      button(t(seen ? "captionNotSeen" : "captionSeen"), () => this.say(
        { kind: seen ? "not-in-picture" : "in-picture", name: name.name, ...at })),
      full.node);
    this.tools.querySelector("button").focus();
  }

  /* The words that are selected, without blanks around them; null: none. */
  selection() {
    const chosen = getSelection();
    if (this.readOnly || !this.text || chosen.rangeCount === 0
      || chosen.isCollapsed)
      return null;
    const range = chosen.getRangeAt(0);
    if (!this.area.contains(range.startContainer)
      || !this.area.contains(range.endContainer))
      return null;
    const before = document.createRange();
    before.selectNodeContents(this.area);
    before.setEnd(range.startContainer, range.startOffset);
    const text = range.toString(), name = text.trim();
    const start = before.toString().length + text.indexOf(name);
    return name === "" ? null : { name, start, end: start + name.length };
  }

  selected() {
    const found = this.selection();
    if (!found)
      return;
    const name = found.name.replace(/\s+/g, " ");
    this.open(shownPerson(name), button(t("captionPerson"), () => this.say({
      kind: "person", name,
      start: pointsBefore(this.text, found.start),
      end: pointsBefore(this.text, found.end),
    }), { shape: "person", kind: "primary" }));
  }
}
