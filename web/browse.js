/* All items of the collection: look through them, filter, add and remove. */
import * as api from "./api.js";
import { face, labels } from "./cards.js";
import { confirmDialog } from "./dialogs.js";
import { button, el, fill, icon } from "./dom.js";
import { DuplicateList } from "./duplicates.js";
import { VirtualGrid } from "./grid.js";
import { followJob } from "./jobs.js";
import { message } from "./messages.js";
import { conditionOf } from "./search.js";
import { number, t } from "./text.js";

const FILTER_WAIT = 250;  // milliseconds after the last key
const OPERATORS = /[<>=]|\b(LIKE|AND|OR|NOT|IN)\b/;

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
      placeholder: t("filterHint"), "aria-label": t("filter"),
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
      this.canAdd() && button(t("add"), () => this.file.click(),
        { shape: "upload" }),
      this.duplicatesButton = button(t("duplicatesFind"),
        () => this.toggleDuplicates(), { shape: "grid", kind: "quiet" }),
      this.file),
    this.line,
    el("div", { class: "browse-body" }, this.main, this.detail));
  }

  canAdd() {
    return !this.app.readOnly && this.kind !== "vectors";
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

  select(item) {
    const rows = [[t("itemNumber"), number(item.id)]];
    if (item.width > 0)
      rows.push([t("size"), `${item.width} × ${item.height}`]);
    fill(this.detail,
      face(this.collection, this.kind, item, 512),
      el("h2", { class: "detail-name" }, item.name),
      labels(item),
      el("dl", {}, rows.map(([key, value]) =>
        el("div", {}, el("dt", {}, key), el("dd", {}, value)))),
      el("div", { class: "detail-actions" },
        button(t("searchByThis"), () => this.open(item),
          { shape: "search", kind: "primary" }),
        !this.app.readOnly && button(t("remove"), () => this.remove(item),
          { shape: "remove", kind: "quiet",
            label: t("removeName", { name: item.name }) })));
  }

  async remove(item) {
    if (!await confirmDialog(t("removeSure", { name: item.name }), t("remove")))
      return;
    try {
      await this.finish(await api.removeItem(this.collection, item.id));
      message(t("removed", { name: item.name }));
      fill(this.detail, el("p", { class: "hint" }, t("selectHint")));
      await this.changed();
    } catch (error) {
      message(t("failed", { why: error.message }), "error");
    }
  }

  /* ---- files ---- */

  dropped(files) {
    if (this.canAdd())
      this.add(files);
    else
      message(t("addNone"));
  }

  async add(files) {
    this.file.value = "";
    let n = 0;
    for (const file of files) {
      try {
        fill(this.line, t("adding", { name: file.name }));
        const job = await this.finish(await api.addItem(this.collection, file));
        n += job.result?.added ?? 1;
      } catch (error) {
        message(`${file.name}: ${error.message}`, "error");
      }
    }
    if (n > 0)
      message(t("added", { n }));
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
