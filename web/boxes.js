/* Boxes around faces, which a person draws, moves and resizes: with a mouse, a
 * pen or a finger, or with keys. What is drawn is a draft until it is kept. */
import { button, el, fill, svg } from "./dom.js";
import { t } from "./text.js";

const LEAST = 8;      // pixels of the photo: a smaller box is refused
const CLICK = 4;      // pixels of the screen: a shorter way draws nothing
const STEP = 0.01;    // of the photo, for a key
const HANDLE = 7;     // pixels of the screen, from its middle
const CORNERS = [[0, 0], [1, 0], [0, 1], [1, 1]];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
  ArrowDown: [0, 1] };

const clamp = (x, least, most) => Math.max(least, Math.min(most, x));

/* The box of two corners, inside of the photo. */
function between(a, b, { width, height }) {
  const [x, right] = [a[0], b[0]].map((v) => clamp(v, 0, width))
    .sort((p, q) => p - q);
  const [y, bottom] = [a[1], b[1]].map((v) => clamp(v, 0, height))
    .sort((p, q) => p - q);
  return [x, y, right - x, bottom - y];
}

/* The same box elsewhere, inside of the photo. */
function moved([x, y, w, h], dx, dy, { width, height }) {
  return [clamp(x + dx, 0, width - w), clamp(y + dy, 0, height - h), w, h];
}

const isLarge = (box) => box[2] >= LEAST && box[3] >= LEAST;

export class BoxEditor {
  /* onkeep(box, id): id is that of the face whose box it is, undefined for a
   * new one; onselect(id): another face of the photo was clicked. */
  constructor({ onkeep, onselect }) {
    Object.assign(this, { onkeep, onselect });
    this.status = el("p", { class: "hint", role: "status" });
    this.tools = el("div", { class: "box-tools" });
    this.node = el("div", { class: "box-editor" }, this.tools, this.status);
    this.detach();
  }

  detach() {
    this.photo = this.face = this.draft = this.drag = null;
    this.isStoring = false;
    fill(this.tools);
    fill(this.status);
  }

  /* Is somebody drawing, or about to? */
  get isBusy() {
    return this.draft !== null || this.drag !== null;
  }

  /* The photo that is shown, with the face at hand; its box may be absent. */
  attach(photo, face) {
    this.detach();
    Object.assign(this, { photo, face });
    this.layer = svg("g", {});
    photo.append(this.layer);
    photo.classList.add("editable");
    photo.addEventListener("pointerdown", (e) => this.down(e));
    photo.addEventListener("pointermove", (e) => this.move(e));
    photo.addEventListener("pointerup", (e) => this.up(e));
    photo.addEventListener("pointercancel", () => this.cancel());
    this.draw();
    requestAnimationFrame(() => this.photo === photo && this.draw());
  }

  /* ---- what is seen ---- */

  /* Handles have a size on the screen, whatever that of the photo is. */
  handles([x, y, w, h]) {
    const r = HANDLE / (this.photo.getScreenCTM()?.a || 1);
    return CORNERS.map(([i, k]) => svg("rect", { class: "handle",
      "data-corner": `${i}${k}`, x: x + i * w - r, y: y + k * h - r,
      width: 2 * r, height: 2 * r }));
  }

  draw() {
    const { draft, face } = this;
    this.photo.classList.toggle("drafting", draft !== null);
    if (draft === null) {
      fill(this.layer, face.box && this.handles(face.box));
      fill(this.tools, button(t("boxAdd"), () => this.add()), face.box
        && button(t("boxChange"), () => this.change(face.box, face.id)));
      fill(this.status, t("boxHint"), face.box && ` ${t("boxHintChange")}`);
      return;
    }
    const [x, y, width, height] = draft.box;
    const hadFocus = this.layer.contains(document.activeElement);
    this.shape = svg("rect", { class: "box draft", x, y, width, height,
      tabindex: "0", role: "application", "aria-label": t("boxDraft"),
      onkeydown: (e) => this.key(e) });
    fill(this.layer, this.shape, this.handles(draft.box));
    if (hadFocus)
      this.focus();
    if (this.tools.dataset.of !== "draft" || this.tools.childElementCount === 0)
      this.offer();
    fill(this.status, t("boxPlace", { x: Math.round(x), y: Math.round(y),
      width: Math.round(width), height: Math.round(height) }), " ",
    t("boxKeys"));
  }

  offer() {
    this.tools.dataset.of = "draft";
    fill(this.tools, button(t("boxKeep"), () => this.keep(), { kind: "primary" }),
      button(t("cancel"), () => this.cancel()));
  }

  focus() {
    this.shape.focus({ preventScroll: true });
  }

  /* ---- a draft ---- */

  change(box, id) {
    this.tools.dataset.of = "";
    this.draft = { box, id };
    this.draw();
    this.focus();
  }

  /* A new one in the middle, of the size of the face at hand. */
  add() {
    const { width, height, box } = this.face;
    const side = Math.min(width, height) / 4;
    const w = Math.min(box?.[2] ?? side, width);
    const h = Math.min(box?.[3] ?? side, height);
    this.change([(width - w) / 2, (height - h) / 2, w, h]);
    this.photo.scrollIntoView({ block: "nearest" });
  }

  cancel() {
    if (this.draft === null || this.isStoring)
      return;
    this.draft = this.drag = null;
    this.draw();
    this.tools.querySelector("button")?.focus({ preventScroll: true });
  }

  keep() {
    const { box, id } = this.draft;
    if (this.isStoring)
      return;
    if (!isLarge(box)) {
      fill(this.status, t("boxSmall"));
      return;
    }
    this.isStoring = true;
    fill(this.tools);
    fill(this.status, t("boxStoring"));
    this.onkeep(box.map((v) => Math.round(1024 * v) / 1024), id);
  }

  key(e) {
    const arrow = ARROWS[e.key];
    if (e.key === "Enter")
      this.keep();
    else if (e.key === "Escape")
      this.cancel();
    else if (arrow && !e.ctrlKey && !e.metaKey && !e.altKey)
      this.nudge(arrow, e.shiftKey);
    else
      return;
    e.preventDefault();
    e.stopPropagation();  // Enter would accept the name
  }

  nudge([i, k], resizes) {
    const { box } = this.draft, { width, height } = this.face;
    const step = Math.max(1, STEP * Math.max(width, height));
    if (this.isStoring)
      return;
    if (resizes) {
      const [x, y] = box;
      this.draft.box = [x, y, clamp(box[2] + i * step, LEAST, width - x),
        clamp(box[3] + k * step, LEAST, height - y)];
    } else
      this.draft.box = moved(box, i * step, k * step, this.face);
    this.draw();
  }

  /* ---- pointers ---- */

  /* A place of the screen in pixels of the photo. */
  at(e) {
    const p = new DOMPoint(e.clientX, e.clientY)
      .matrixTransform(this.photo.getScreenCTM().inverse());
    return [p.x, p.y];
  }

  /* A finger scrolls the page, unless there is a draft. */
  down(e) {
    if (this.isStoring || e.button !== 0 || (e.pointerType === "touch" && this.draft === null))
      return;
    const { corner } = e.target.dataset;
    const of = this.draft ?? { box: this.face.box, id: this.face.id };
    const [x, y, w, h] = of.box ?? [], from = this.at(e);
    this.drag = { from, clicked: e.target.dataset.face, screen: [e.clientX, e.clientY] };
    if (corner) {  // the opposite corner stays
      const fixed = [x + (corner[0] === "0") * w, y + (corner[1] === "0") * h];
      Object.assign(this.drag, { id: of.id,
        box: (to) => between(fixed, to, this.face) });
    } else if (e.target.matches(".box.draft, .box.current"))
      Object.assign(this.drag, { id: of.id, box: (to) =>
        moved(of.box, to[0] - from[0], to[1] - from[1], this.face) });
    else
      this.drag.box = (to) => between(from, to, this.face);
    this.photo.setPointerCapture(e.pointerId);
    e.preventDefault();
  }

  move(e) {
    const { drag } = this;
    if (drag === null || Math.hypot(e.clientX - drag.screen[0],
      e.clientY - drag.screen[1]) < CLICK && !drag.moves)
      return;
    drag.moves = true;
    if (this.draft === null)
      this.tools.dataset.of = "";
    this.draft = { box: drag.box(this.at(e)), id: drag.id };
    this.draw();
  }

  up() {
    const { drag } = this;
    this.drag = null;
    if (drag === null)
      return;
    if (drag.moves && !isLarge(this.draft.box))
      this.cancel();
    else if (drag.moves || (this.draft && !drag.clicked))
      this.focus();
    else if (drag.clicked && this.draft === null)
      this.onselect(Number(drag.clicked));
  }
}
