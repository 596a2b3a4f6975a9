/* All items of the collection: look through them, filter, add and remove. */
import * as api from "./api.js";
import { face, labels } from "./cards.js";
import { confirmDialog } from "./dialogs.js";
import { button, dropPictures, el, fill, icon } from "./dom.js";
import { DuplicateList } from "./duplicates.js";
import { VirtualGrid } from "./grid.js";
import { followJob } from "./jobs.js";
import { message } from "./messages.js";
import { conditionOf } from "./search.js";
import { date, number, t } from "./text.js";
import { askVectors } from "./vectors.js";

const FILTER_WAIT = 250;  // milliseconds after the last key
const OPERATORS = /[<>=]|\b(LIKE|AND|OR|NOT|IN)\b/;
const FIELDS = { date: "fieldDate", camera: "fieldCamera",
  latitude: "fieldLatitude", longitude: "fieldLongitude" };
const SHOWN_ABOVE = ["width", "height"];  // as the size

export class BrowseView {
  constructor(app) {
    this.app = app;
    this.collection = app.collection.name;
    this.kind = app.collection.kind;
    this.where = undefined;
    this.build();
  }

  build() {
    this.filter = el("input", {
      type: "search", id: "filter", autocomplete: "off", spellcheck: "false",
      placeholder: t(this.kind === "images" ? "filterHint" : "filterOther"), "aria-label": t("filter"),
      oninput: () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.applyFilter(), FILTER_WAIT);
      },
    });
    this.file = el("input", {
      type: "file", id: "add-files", class: "hidden-text", multiple: true,
      tabindex: "-1", "aria-hidden": "true",
      accept: this.kind === "images" ? "image/*" : ".txt,.md,text/plain",
      onchange: () => this.add([...this.file.files]),
    });
    this.line = el("p", { class: "result-line", role: "status" });
    this.detail = el("aside", { class: "detail", "aria-label": t("selected") },
      el("p", { class: "hint" }, t("selectHint")));
    this.grid = new VirtualGrid(this.collection, this.kind, t("browseTitle"),
      (offset, top) => api.items(this.collection,
        { offset, top, where: this.where }),
      { select: (item) => this.select(item), open: (item) => this.open(item) });
    this.main = el("div", { class: "browse-main" }, this.grid.node);
    this.node = el("section", { class: "view browse",
      "aria-label": t("browseTitle") },
    el("h1", { class: "hidden-text" }, t("browseTitle")),
    el("div", { class: "search-bar" },
      el("span", { class: "search-field" }, icon("search"), this.filter),
      !this.app.readOnly && button(
        t(this.kind === "vectors" ? "vectorsAdd" : "add"),
        () => this.kind === "vectors" ? this.addVectors() : this.file.click(),
        { shape: "upload" }),
      this.duplicatesButton = button(t("duplicatesFind"),
        () => this.toggleDuplicates(), { shape: "grid", kind: "quiet" }),
      this.file),
    this.line,
    el("div", { class: "browse-body" }, this.main, this.detail));
  }

  async enter() {
    await this.grid.start();
    this.count();
  }

  leave() {
    clearTimeout(this.timer);
    this.grid.stop();
  }

  async show() {}

  count() {
    fill(this.line, t("items", { n: this.grid.total }));
  }

  /* ---- filter ---- */

  /* What looks like a condition is one; other texts are parts of names. */
  async applyFilter() {
    const text = this.filter.value.trim();
    if (this.duplicates)
      await this.toggleDuplicates();
    this.where = text === "" ? undefined
      : OPERATORS.test(text) ? text : conditionOf(text);
    try {
      this.grid.node.scrollTop = 0;
      await this.grid.reload();
      this.count();
      this.filter.removeAttribute("aria-invalid");
    } catch (error) {
      this.filter.setAttribute("aria-invalid", "true");
      fill(this.line, t("filterWrong", { why: error.message }));
    }
  }

  /* ---- one item ---- */

  open(item) {
    this.app.go("search", `item/${item.id}`);
  }

  /* What the list has of it at once, its fields when they come. */
  async select(item) {
    const facts = el("dl", {}, this.facts(item));
    this.asked?.abort();
    const { signal } = this.asked = new AbortController();
    fill(this.detail,
      face(this.collection, this.kind, item, 512),
      el("h2", { class: "detail-name" }, item.name),
      labels(item),
      el("div", { class: "detail-actions" },
        button(t("searchByThis"), () => this.open(item),
          { shape: "search", kind: "primary" }),
        !this.app.readOnly && button(t("remove"), () => this.remove(item),
          { shape: "remove", kind: "quiet",
            label: t("removeName", { name: item.name }) })),
      facts);
    const { fields } = await api.item(this.collection, item.id, signal)
      .catch(() => ({}));
    fill(facts, this.facts(item, fields));
  }

  facts(item, fields = {}) {
    const rows = [[t("itemNumber"), number(item.id)]];
    if (item.width > 0)
      rows.push([t("size"), `${item.width} × ${item.height}`]);
    for (const [name, value] of Object.entries(fields))
      if (!(item.width > 0 && SHOWN_ABOVE.includes(name)))
        rows.push([FIELDS[name] ? t(FIELDS[name]) : name,
          name === "date" ? date(value) : String(value)]);
    return rows.map(([key, value]) =>
      el("div", {}, el("dt", {}, key), el("dd", {}, value)));
  }

  async remove(item) {
    const question = t(this.kind === "vectors" ? "removeSureVector"
      : "removeSure", { name: item.name });
    const failed = (error) =>
      message(t("failed", { why: error.message }), "error");
    if (!await confirmDialog(question, t("remove")))
      return;
    this.asked?.abort();
    dropPictures(this.node);  // one of them leaves
    try {
      await this.finish(await api.removeItem(this.collection, item.id));
      message(t("removed", { name: item.name }));
      fill(this.detail, el("p", { class: "hint" }, t("selectHint")));
    } catch (error) {
      failed(error);
    }
    await this.changed().catch(failed);
    this.grid.focus();
  }

  /* ---- files ---- */

  /* What is said while files are dragged over the page; "": they are not
   * taken. */
  dropHint() {
    return this.app.readOnly ? "" : t("dropAdd");
  }

  async dropped(files) {
    if (this.kind === "vectors")
      await this.addVectors(await files[0].text());
    else
      await this.add(files);
  }

  async add(files) {
    await this.addAll(files, (file) => api.addItem(this.collection, file));
    this.file.value = "";
  }

  async addVectors(text) {
    const vectors = await askVectors(this.app.collection.dim, text);
    if (vectors.length > 0)
      await this.addAll(vectors, (v) => api.addVector(this.collection, v));
  }

  /* One after the other; one that fails does not keep the others back. */
  async addAll(list, send) {
    let added = 0, changed = 0;
    for (const one of list) {
      try {
        fill(this.line, t("adding", { name: one.name }));
        const job = await this.finish(await send(one));
        added += job.result?.added ?? 1;
        changed += job.result?.changed ?? 0;
      } catch (error) {
        message(`${one.name}: ${error.message}`, "error");
      }
    }
    if (added > 0)
      message(t("added", { n: added }));
    if (changed > 0)
      message(t("replaced", { n: changed }));
    await this.changed();
  }

  /* A job to its end. */
  async finish(job) {
    const ended = await followJob(job, (now) => {
      if (now.total > 0)
        fill(this.line, t("jobProgress", now));
    });
    if (ended.state !== "done")
      throw new Error(ended.error ?? t("jobCancelled"));
    return ended;
  }

  async changed() {
    await this.app.refresh();
    if (this.duplicates) {
      fill(this.line, await this.duplicates.load());
      return;
    }
    await this.grid.reload();
    this.count();
  }

  /* ---- duplicates ---- */

  async toggleDuplicates() {
    const shown = this.duplicates !== undefined;
    this.duplicatesButton.querySelector("span").textContent =
      t(shown ? "duplicatesFind" : "allItems");
    if (shown) {
      this.duplicates = undefined;
      fill(this.main, this.grid.node);
      await this.changed();
      return;
    }
    this.duplicates = new DuplicateList(this.collection, this.kind,
      (item) => this.select(item));
    fill(this.main, this.duplicates.node);
    fill(this.line, t("loading"));
    fill(this.line, await this.duplicates.load());
  }
}
