/* One face after the other: who is it? */
import * as api from "./api.js";
import { BoxEditor } from "./boxes.js";
import { CaptionPart } from "./caption.js";
import { button, dropPictures, el, fill } from "./dom.js";
import { hasPhoto, headShot, photo, shownPerson } from "./face.js";
import { message } from "./messages.js";
import * as queue from "./queue.js";
import { load } from "./settings.js";
import { percent, t } from "./text.js";
import { TypeAhead } from "./typeahead.js";

const AHEAD = 20;   // faces asked for at once
const CHOICES = 5;  // candidates with a key
const TOP_MOST = 1000;  // that the server lists

/* As queue.add: a promise of how it went, which has the key of the answer. */
export function say(collection, body, to = "answers") {
  const user = load("user", ""), key = queue.newKey();
  return Object.assign(queue.add(collection,
    { ...body, key, ...(user ? { user } : {}) }, to), { key });
}

/* A face, and the others of its photo, with one more or at another place. */
function withBox(face, id, box) {
  if (id === face.id)
    return { ...face, box };
  const drawn = face.others.find((f) => f.id === id)
    ?? { id, name: null, said: false };
  return { ...face, others: [...face.others.filter((f) => f.id !== id),
    { ...drawn, box }] };
}

export class ReviewPart {
  constructor(view) {
    this.view = view;
    this.collection = view.collection;
    this.skipped = new Set();
    this.done = [];  // {key, id, to: the route}, the last one last
    this.face = null;
    this.head = el("div", { class: "review-head" });
    this.photo = el("figure", { class: "review-photo" });
    this.boxes = new BoxEditor({
      onkeep: (box, id) => this.keepBox(box, id),
      onselect: (id) => this.turn((signal) => this.show(id, signal)),
    });
    this.caption = new CaptionPart((body) => this.correct(body));
    this.answers = el("div", { class: "review-answers" });
    this.count = el("p", { class: "hint", role: "status" });
    this.field = new TypeAhead(t("namesOther"),
      (name) => this.answer("is", name));
    this.undoButton = button(t("undo"), () => this.undo(),
      { shape: "undo", kind: "quiet" });
    this.node = el("div", { class: "review" }, this.head,
      el("div", { class: "review-side" }, this.count, this.answers,
        this.field.node, el("p", { class: "hint keys" }, t("namesKeys")),
        this.undoButton),
      this.photo);
  }

  async load(id) {
    this.draw();
    const [found, names] = [await this.queue(), await this.view.names()];
    this.field.names = names;
    await this.show(id ? Number(id) : found[0]?.id);
  }

  /* Those to ask about, without what was skipped. */
  async queue(signal) {
    const found = await this.view.ask(() => api.review(this.collection,
      { top: Math.min(AHEAD + this.skipped.size, TOP_MOST) }, signal));
    this.total = found.total;
    this.ahead = found.faces.filter((f) => !this.skipped.has(f.id));
    return this.ahead;
  }

  ask(id, signal) {
    return this.view.ask(() => api.face(this.collection, id, signal));
  }

  async show(id, signal) {
    this.face = id === undefined ? null : await this.ask(id, signal);
    this.draw();
  }

  /* Something is done. What is still on its way for what was done before ends
   * here: the face that it asks for may leave now. */
  async turn(f) {
    this.last?.abort();
    const { signal } = this.last = new AbortController();
    dropPictures(this.node);
    try {
      await f(signal);
    } catch (error) {
      if (error.name !== "AbortError")
        throw error;
    }
  }

  /* The same with the face at hand, of which no key says two things. */
  async turnOf(f) {
    const { face } = this;
    if (!face)
      return;
    this.face = null;
    await this.turn((signal) => f(face, signal));
  }

  /* ---- what is seen ---- */

  draw() {
    const { face } = this;
    fill(this.count, this.total === undefined ? t("loading")
      : t("namesLeft", { n: this.total }));
    this.undoButton.hidden = this.done.length === 0;
    this.field.node.hidden = !face || this.view.app.readOnly;
    this.caption.draw(face, { names: this.field.names,
      readOnly: this.view.app.readOnly });
    if (!face) {
      fill(this.head);
      fill(this.photo);
      fill(this.answers, this.total !== undefined
        && el("p", {}, t("namesAllDone")));
      return;
    }
    fill(this.head, headShot(this.collection, face, 512));
    const editable = hasPhoto(face) && !this.view.app.readOnly;
    const shown = photo(this.collection, face, editable);
    this.boxes.detach();
    fill(this.photo, editable && this.boxes.node, shown,
      el("figcaption", {}, this.caption.node));
    if (editable)
      this.boxes.attach(shown, face);
    fill(this.answers, this.suggestion(), this.choices());
  }

  suggestion() {
    const { face } = this;
    return el("p", { class: "suggestion" }, face.said ? t("namesSaid") : t("namesIsIt"),
      " ", el("strong", {}, shownPerson(face.name)),
      !face.said && el("span", { class: "hint" },
        ` ${percent(face.probability, 0)}`));
  }

  choices() {
    const { face } = this;
    if (this.view.app.readOnly)
      return null;
    const named = face.candidates.filter((c) => c.name !== null).slice(0, CHOICES);
    return el("div", { class: "choices" },
      named.map((c, i) => el("button", { type: "button",
        class: `button choice ${c.name === face.name ? "primary" : ""}`,
        onclick: () => this.answer("is", c.name) },
      el("kbd", {}, String(i + 1)), shownPerson(c.name),
      el("span", { class: "share" }, percent(c.probability, 0)))),
      el("button", { type: "button",
        class: `button choice ${face.name === null ? "primary" : ""}`,
        onclick: () => this.answer("none") },
      el("kbd", {}, "N"), el("span", {}, t("namesNone"))),
      el("button", { type: "button", class: "button choice quiet",
        onclick: () => this.skip() },
      el("kbd", {}, "S"), el("span", {}, t("namesSkip"))),
      button(t("namesNotFace"), () => this.answer("no-face"),
        { shape: "remove", kind: "choice quiet" }));
  }

  /* ---- what is said ---- */

  key(e) {
    const { face } = this;
    const named = (face?.candidates ?? []).filter((c) => c.name !== null);
    const onControl = e.target.closest("button, a, summary");
    if (e.key.toLowerCase() === "z")
      this.undo();
    else if (e.key === "/")  // also while the next face is on its way
      this.field.input.focus();
    else if (!face || this.view.app.readOnly)
      return;
    else if (e.key === "Enter" && !onControl)
      this.answer(face.name === null ? "none" : "is", face.name);
    else if (/^[1-5]$/.test(e.key) && named[e.key - 1])
      this.answer("is", named[e.key - 1].name);
    else if (e.key.toLowerCase() === "n")
      this.answer("none");
    else if (e.key.toLowerCase() === "s")
      this.skip();
    else
      return;
    e.preventDefault();
  }

  /* Says something of a face, as say() does, for undo() to take back; what the
   * queue answers, and the key. */
  async tell(face, body, to = "answers") {
    const told = say(this.collection, body, to);
    this.done.push({ key: told.key, id: face.id, to });
    const result = await told;
    if (result === "refused")
      this.done = this.done.filter((d) => d.key !== told.key);
    return [result, queue.replyOf(told.key)];
  }

  /* The next face is there at once; what follows from the answer comes with
   * it. */
  answer(kind, name) {
    return this.turnOf(async (face, signal) => {
      const told = this.tell(face,
        { face: face.id, kind, ...(kind === "is" ? { name } : {}) });
      if (name && !this.field.names.includes(name))
        this.field.names = [...this.field.names, name].sort();
      const [result, reply] = await told;
      if (result === "refused") {
        await this.show(face.id, signal);
        return;
      }
      if (result === "waiting")
        this.skipped.add(face.id);  // the server does not know yet
      this.tellChanged(reply?.changed ?? [], face.id);
      await this.next(signal);
    });
  }

  /* The box becomes a face, which is seen at once. It is asked about when names
   * are learned, unless somebody draws on meanwhile. */
  keepBox(box, id) {
    return this.turnOf(async (face, signal) => {
      const [result, reply] = await this.tell(face, { photo_id: face.photo_id,
        box, ...(id === undefined ? {} : { face: id }) }, "faces");
      if (result === "waiting")
        message(t("boxWaits"));
      signal.throwIfAborted();
      const drawn = reply?.face;
      this.face = drawn === undefined ? face : withBox(face, drawn, box);
      this.draw();
      if (drawn === undefined)
        return;
      await this.view.app.refresh();
      await this.queue(signal);
      const next = await this.ask(drawn, signal);
      if (this.boxes.isBusy)
        return;
      this.face = next;
      this.draw();
    });
  }

  /* What the caption says, corrected: the same face stays, with what follows
   * from it. */
  correct(body) {
    return this.turnOf(async (face, signal) => {
      await this.tell(face, { photo: face.photo_id, ...body });
      this.field.names = await this.view.names();
      await this.show(face.id, signal);
    });
  }

  tellChanged(changed, id) {
    const others = changed.filter((f) => f.id !== id && !f.said);
    if (others.length > 0)
      message(t("namesMoved", { n: others.length }));
  }

  async next(signal) {
    const waiting = this.ahead.find((f) => !this.skipped.has(f.id));
    try {
      const [first] = await this.queue(signal);
      await this.show(first?.id, signal);
    } catch (error) {
      if (error.status !== 0 || !waiting)
        throw error;
      this.face = { ...waiting, candidates: [], others: [], names: [],
        caption: null };
      this.draw();
    }
  }

  skip() {
    return this.turnOf((face, signal) => {
      this.skipped.add(face.id);
      return this.next(signal);
    });
  }

  async undo() {
    const last = this.done.pop();
    if (!last)
      return;
    await this.turn(async (signal) => {
      this.skipped.delete(last.id);
      await queue.undoKey(this.collection, last.key, last.to);
      message(t("namesUndone"));
      await this.queue(signal);
      await this.show(last.id, signal);
    });
  }
}
