/* A grid of any number of items, of which only those in sight are elements.
 * Items come in pages; pictures load once the scrolling has slowed down. */
import { face, shortName } from "./cards.js";
import { el } from "./dom.js";

const PAGE = 200;      // items of a request
const PAGES_KEPT = 60;
const AHEAD = 3;       // rows above and below the visible ones
const FAST = 3;        // heights of the window per second: pictures wait
const SETTLE = 90;     // milliseconds without scrolling

export class VirtualGrid {
  /* fetchPage(offset, n) gives {total, items}; on: {select, open}. */
  constructor(collection, kind, label, fetchPage, on) {
    this.collection = collection;
    this.kind = kind;
    this.fetchPage = fetchPage;
    this.on = on;
    this.total = 0;
    this.pages = new Map();   // number: items, or a promise of them
    this.cells = new Map();   // index: element
    this.spare = [];
    this.active = 0;
    this.list = el("div", { class: "virtual-inside", role: "listbox",
      "aria-label": label, tabindex: "-1" });
    this.node = el("div", {
      class: `virtual ${kind}`, onscroll: () => this.scrolled(),
      onkeydown: (e) => this.pressed(e), onclick: (e) => this.clicked(e),
      ondblclick: (e) => this.opened(e),
    }, this.list);
    this.observer = new ResizeObserver(() => this.measure());
  }

  start() {
    this.observer.observe(this.node);
    return this.reload();
  }

  stop() {
    this.observer.disconnect();
  }

  /* Everything may have changed. */
  async reload() {
    const turn = this.turn = {};
    this.pages.clear();
    const first = await this.fetchPage(0, PAGE);
    if (turn !== this.turn)
      return this.total;  // another filter was faster
    this.total = first.total;
    this.pages.set(0, first.items);
    this.active = Math.min(this.active, Math.max(this.total - 1, 0));
    for (const i of [...this.cells.keys()])
      this.release(i);
    this.measure();
    return this.total;
  }

  /* ---- geometry ---- */

  measure() {
    const style = getComputedStyle(this.node);
    const least = parseFloat(style.getPropertyValue("--cell-width"));
    this.width = this.node.clientWidth;
    this.height = this.node.clientHeight;
    if (this.width === 0)
      return;
    this.columns = Math.max(1, Math.floor(this.width / least));
    this.cellWidth = this.width / this.columns;
    this.cellHeight = parseFloat(style.getPropertyValue("--cell-height"))
      || this.cellWidth;
    this.list.style.height =
      `${Math.ceil(this.total / this.columns) * this.cellHeight}px`;
    for (const [i, cell] of this.cells)
      this.place(cell, i);
    this.draw();
  }

  place(cell, i) {
    const row = Math.floor(i / this.columns), column = i % this.columns;
    cell.style.width = `${this.cellWidth}px`;
    cell.style.height = `${this.cellHeight}px`;
    cell.style.transform = `translate(${column * this.cellWidth}px, `
      + `${row * this.cellHeight}px)`;
  }

  /* First and last item in sight, with some rows more. */
  range() {
    const top = Math.floor(this.node.scrollTop / this.cellHeight) - AHEAD;
    const rows = Math.ceil(this.height / this.cellHeight) + 2 * AHEAD;
    const from = Math.max(0, top) * this.columns;
    return [from, Math.min(this.total, from + rows * this.columns)];
  }

  /* ---- scrolling ---- */

  scrolled() {
    const now = performance.now();
    const speed = Math.abs(this.node.scrollTop - (this.lastTop ?? 0))
      / Math.max(now - (this.lastTime ?? 0), 1) * 1000 / this.height;
    this.lastTop = this.node.scrollTop;
    this.lastTime = now;
    this.isFast = speed > FAST;
    clearTimeout(this.settled);
    this.settled = setTimeout(() => {
      this.isFast = false;
      this.draw();
    }, SETTLE);
    if (!this.frame)
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.draw();
      });
  }

  draw() {
    if (!this.columns)
      return;
    const [from, to] = this.range();
    for (const i of [...this.cells.keys()])
      if (i < from || i >= to)
        this.release(i);
    for (let i = from; i < to; ++i)
      this.show(i);
  }

  release(i) {
    const cell = this.cells.get(i);
    this.cells.delete(i);
    if (cell.contains(document.activeElement))
      this.list.focus({ preventScroll: true });  // keys go on to work
    cell.hidden = true;
    this.spare.push(cell);
  }

  show(i) {
    let cell = this.cells.get(i);
    if (!cell) {
      cell = this.spare.pop() ?? this.list.appendChild(el("div",
        { class: "cell", role: "option" }));
      cell.hidden = false;
      cell.shown = undefined;
      cell.replaceChildren();
      this.cells.set(i, cell);
      this.place(cell, i);
      cell.id = `cell-${i}`;
      cell.setAttribute("aria-setsize", this.total);
      cell.setAttribute("aria-posinset", i + 1);
      this.mark(cell, i);
    }
    const item = this.itemAt(i);
    if (item && cell.shown !== item && !this.isFast)
      this.fill(cell, item);
  }

  fill(cell, item) {
    cell.shown = item;
    cell.replaceChildren(face(this.collection, this.kind, item),
      el("span", { class: "cell-name" }, shortName(item)));
    /* A text is read as it is; a picture has the name of its file alone. */
    if (item.snippet)
      cell.removeAttribute("aria-label");
    else
      cell.setAttribute("aria-label", item.name);
    cell.title = item.name;
  }

  mark(cell, i) {
    cell.setAttribute("aria-selected", i === this.active ? "true" : "false");
    cell.tabIndex = i === this.active ? 0 : -1;
  }

  /* ---- items ---- */

  /* The item, or undefined while its page is on its way. */
  itemAt(i) {
    const number = Math.floor(i / PAGE);
    const page = this.pages.get(number);
    if (Array.isArray(page))
      return page[i - number * PAGE];
    if (!page && !this.isFast)
      this.request(number);
    return undefined;
  }

  request(number) {
    const asked = this.fetchPage(number * PAGE, PAGE).then((found) => {
      if (this.pages.get(number) !== asked)
        return;  // the filter has changed meanwhile
      this.pages.set(number, found.items);
      if (this.pages.size > PAGES_KEPT)
        this.pages.delete(this.pages.keys().next().value);
      this.draw();
    }, () => this.pages.delete(number));
    this.pages.set(number, asked);
  }

  /* ---- selection ---- */

  select(i, focus = true) {
    const old = this.cells.get(this.active);
    this.active = Math.min(Math.max(i, 0), this.total - 1);
    if (old)
      this.mark(old, -1);
    this.reveal(this.active);
    const cell = this.cells.get(this.active);
    if (cell) {
      this.mark(cell, this.active);
      if (focus)
        cell.focus({ preventScroll: true });
    }
    const item = this.itemAt(this.active);
    if (item)
      this.on.select(item);
  }

  focus() {
    this.cells.get(this.active)?.focus({ preventScroll: true });
  }

  reveal(i) {
    const top = Math.floor(i / this.columns) * this.cellHeight;
    if (top < this.node.scrollTop)
      this.node.scrollTop = top;
    else if (top + this.cellHeight > this.node.scrollTop + this.height)
      this.node.scrollTop = top + this.cellHeight - this.height;
    this.draw();
  }

  indexOf(e) {
    const cell = e.target.closest(".cell");
    return cell ? Number(cell.id.slice("cell-".length)) : -1;
  }

  clicked(e) {
    const i = this.indexOf(e);
    if (i >= 0)
      this.select(i);
  }

  opened(e) {
    const item = this.itemAt(this.indexOf(e));
    if (item)
      this.on.open(item);
  }

  pressed(e) {
    const rows = Math.max(1, Math.floor(this.height / this.cellHeight));
    const steps = {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.columns,
      ArrowUp: -this.columns, PageDown: rows * this.columns,
      PageUp: -rows * this.columns, Home: -this.total, End: this.total,
    };
    if (e.ctrlKey || e.metaKey || e.altKey)
      return;
    if (steps[e.key] !== undefined)
      this.select(this.active + steps[e.key]);
    else if (e.key === " ")
      this.select(this.active);
    else if (e.key === "Enter" && this.itemAt(this.active))
      this.on.open(this.itemAt(this.active));
    else
      return;
    e.preventDefault();
  }
}
