/* The search: a query, its results, and what is said about them. Each answer
 * good or bad is stored, then the results are ranked again. */
import * as api from "./api.js";
import { chip, face, shortName } from "./cards.js";
import { button, el, fill, icon, takesLetters } from "./dom.js";
import { explain } from "./explain.js";
import { Judgements } from "./feedback.js";
import { announce, message } from "./messages.js";
import { FileQuery, ItemQuery, TextQuery } from "./query.js";
import * as queue from "./queue.js";
import { movesOf, Results } from "./results.js";
import { load, store } from "./settings.js";
import { duration, t } from "./text.js";

const PAGE = 48, MOST = 960;  // results
const START_PLACES = 6, START_EACH = 4;

/* A name or label that has the text in it. */
export function conditionOf(text) {
  const pattern = `'%${text.replaceAll("'", "''")}%'`;
  return `name LIKE ${pattern} OR label LIKE ${pattern}`;
}

export class SearchView {
  constructor(app) {
    this.app = app;
    this.collection = app.collection.name;
    this.kind = app.collection.kind;
    this.asksWords = app.collection.queries.includes("documents");
    this.asksPictures = app.collection.queries.includes("images");
    this.abort = null;
    this.query = null;
    this.top = PAGE;
    this.hits = [];
    this.compares = this.canCompare() && load("compare", false);
    this.build();
    this.onQueue = () => this.queueChanged();
  }

  /* What fits queries of pictures and words, words alone, pictures alone, or
   * neither. */
  ofKind(both, words, pictures, neither) {
    if (this.asksWords)
      return this.asksPictures ? both : words;
    return this.asksPictures ? pictures : neither;
  }

  takesFiles() {
    return this.asksWords || this.asksPictures;
  }

  /* ---- the elements ---- */

  build() {
    this.input = el("input", {
      type: "search", id: "words", name: "words", autocomplete: "off",
      enterkeyhint: "search",
      placeholder: t(this.ofKind("searchBoth", "searchText",
        "searchPictures", "searchNames")),
      "aria-label": t(this.asksWords ? "searchLabel" : "searchNames"),
    });
    this.file = el("input", {
      type: "file", id: "file", class: "hidden-text", tabindex: "-1",
      "aria-hidden": "true",
      accept: this.ofKind("image/*,.txt,.md,text/plain", ".txt,.md,text/plain",
        "image/*"),
      onchange: () => this.take(this.file.files[0]),
    });
    this.body = el("div", { class: "search-body" });
    this.node = el("section", { class: "view search", "aria-label": t("searchTitle") },
      el("h1", { class: "hidden-text" }, t("searchTitle")),
      el("form", {
        class: "search-bar", role: "search",
        onsubmit: (e) => {
          e.preventDefault();
          this.ask(this.input.value.trim());
        },
      },
      el("span", { class: "search-field" }, icon("search"), this.input),
      el("button", { type: "submit", class: "button primary" },
        t("searchButton")),
      this.takesFiles() && button(
        t(this.ofKind("chooseFile", "chooseFile", "choosePicture")),
        () => this.file.click(), { shape: "upload" }),
      this.file),
      this.body);
  }

  buildResults() {
    const on = {
      open: (hit) => this.app.go("search", `item/${hit.id}`),
      judge: this.app.readOnly ? undefined
        : (hit, verdict) => this.judge(hit, verdict),
      why: (hit) => explain(this.collection, this.kind, this.query, hit),
    };
    this.results = new Results(this.collection, this.kind, t("results"), on);
    this.other = new Results(this.collection, this.kind,
      t("compareUnlearned"), on);
    this.good = el("ul", { class: "chips" });
    this.bad = el("ul", { class: "chips" });
    this.goodCount = el("span", { class: "count" });
    this.badCount = el("span", { class: "count" });
    this.undoButton = button(t("undo"), () => this.undo(),
      { shape: "undo", kind: "quiet", "aria-keyshortcuts": "z" });
    this.line = el("p", { class: "result-line" });
    this.moreButton = button(t("moreResults"), () => this.more(),
      { shape: "more" });
    this.moreButton.hidden = true;
    this.lists = el("div", { class: "lists" });
    fill(this.body,
      el("aside", { class: "query-side", "aria-label": t("queryItem") },
        this.queryCard(), !this.app.readOnly && this.panels()),
      el("div", { class: "result-side" },
        el("div", { class: "result-head" }, this.line,
          this.canCompare() && this.compareSwitch()),
        this.lists, this.moreButton));
    this.showPanels();
  }

  queryCard() {
    const q = this.query;
    const titles = { item: "queryItem", text: "queryText", file: "queryFile" };
    const name = q.kind === "item" ? q.item.name
      : q.kind === "file" ? q.file.name : q.text;
    let shown = null;
    if (q.kind === "item")
      shown = face(this.collection, this.kind, q.item, 512);
    else if (q.url)
      shown = el("span", { class: "face" },
        el("img", { class: "thumb", src: q.url, alt: "" }));
    const saysName = shown?.classList.contains("plain");
    return el("div", { class: "query-card" },
      el("h2", { class: "small-title" }, t(titles[q.kind])),
      shown, !saysName && el("p", { class: "query-name" }, name),
      q.kind === "item" && q.item.file && el("a", {
        class: "quiet-link", target: "_blank", rel: "noopener",
        href: api.originalUrl(this.collection, q.item.id),
      }, icon("open"), t("openOriginal", { name: shortName(q.item) })));
  }

  panels() {
    return el("div", { class: "panels" },
      el("section", { class: "panel good", "aria-label": t("goodSoFar") },
        el("h2", { class: "small-title" }, icon("good"), t("goodSoFar"),
          this.goodCount), this.good),
      el("section", { class: "panel bad", "aria-label": t("badSoFar") },
        el("h2", { class: "small-title" }, icon("bad"), t("badSoFar"),
          this.badCount), this.bad),
      this.undoButton);
  }

  /* A model of pictures and words is given, not learned: without it there are
   * no such queries. */
  canCompare() {
    return !(this.asksWords && this.asksPictures);
  }

  compareSwitch() {
    const box = el("input", {
      type: "checkbox", role: "switch", id: "compare",
      onchange: () => {
        this.compares = box.checked;
        store("compare", box.checked);
        this.rank(false);
      },
    });
    box.checked = this.compares;
    return el("label", { class: "switch", for: "compare" }, box,
      el("span", {}, t("compare")));
  }

  /* ---- where the page is ---- */

  async enter(what, argument) {
    addEventListener("paste", this.onPaste = (e) => this.pasted(e));
    addEventListener("keydown", this.onKey = (e) => this.pressed(e));
    queue.onChange(this.onQueue);
    await this.show(what, argument);
  }

  leave() {
    removeEventListener("paste", this.onPaste);
    removeEventListener("keydown", this.onKey);
    queue.offChange(this.onQueue);
    this.abort?.abort();
  }

  /* Does the page still wait for the answer to this? Answers to what was asked
   * before are dropped. */
  isCurrent(place) {
    return place === this.place;
  }

  /* The same view at another place. */
  async show(what, argument) {
    this.place = {};
    if (what === "item")
      await this.beginItem(argument);
    else if (what === "text")
      await this.begin(new TextQuery(argument));
    else if (what === "file" && this.query?.kind === "file")
      await this.begin(this.query);
    else if (what === "name")
      await this.listNames(argument);
    else
      await this.start();
  }

  /* An old link may name an item that is gone. */
  async beginItem(id) {
    const { place } = this;
    try {
      const item = await api.item(this.collection, id);
      if (this.isCurrent(place))
        await this.begin(new ItemQuery(item));
    } catch (error) {
      if (error.status !== 404 && error.status !== 400)
        throw error;
      message(t("failed", { why: error.message }), "error");
      await this.start();
    }
  }

  ask(text) {
    if (text === "")
      this.app.go("search");
    else
      this.app.go("search", `${this.asksWords ? "text" : "name"}/`
        + encodeURIComponent(text));
  }

  take(file) {
    if (!file || !this.takesFiles())
      return;
    this.query = new FileQuery(file);
    this.file.value = "";
    if (!this.app.go("search", "file"))
      this.show("file");  // a second file at the same place
  }

  dropHint() {
    return this.takesFiles() ? t("dropHere") : "";
  }

  dropped(files) {
    this.take(files[0]);
  }

  pasted(e) {
    const file = [...e.clipboardData.files][0];
    if (file) {
      e.preventDefault();
      this.take(file);
    }
  }

  pressed(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || takesLetters(e.target)
      || document.querySelector("dialog[open]"))
      return;
    if (e.key.toLowerCase() === "z" && this.results && !this.app.readOnly) {
      e.preventDefault();
      this.undo();
    } else if (e.key === "/") {
      e.preventDefault();
      this.input.focus();
    } else if (e.key.startsWith("Arrow") && e.target === document.body
      && this.results) {
      e.preventDefault();
      this.results.focus();
    }
  }

  /* Where the keyboard goes on after a change of place. */
  focus() {
    (this.results ?? this.list)?.focus();
  }

  /* ---- items to begin with ---- */

  /* Some of all parts of the collection: neighbours in the list are alike. */
  async start() {
    const { place } = this;
    const n = this.app.collection.items;
    this.input.value = "";
    const places = Math.min(START_PLACES, Math.ceil(n / START_EACH));
    const parts = await Promise.all(Array.from({ length: places }, (_, i) =>
      api.items(this.collection, { offset: Math.floor(i * n / places),
        top: START_EACH })));
    const byId = new Map(parts.flatMap((p) => p.items).map((x) => [x.id, x]));
    const hint = this.ofKind("startBoth", "startDocuments", "startPictures",
      "startVectors");
    if (this.isCurrent(place))
      this.listItems([...byId.values()], t(hint));
  }

  async listNames(text) {
    const { place } = this;
    this.input.value = text;
    const found = await api.items(this.collection,
      { where: conditionOf(text), top: PAGE });
    if (this.isCurrent(place))
      this.listItems(found.items, found.total > 0
        ? t("items", { n: found.total }) : t("noNames", { text }));
  }

  listItems(items, line) {
    this.query = null;
    this.results = null;
    this.list = new Results(this.collection, this.kind, t("results"),
      { open: (hit) => this.app.go("search", `item/${hit.id}`) });
    fill(this.body, el("div", { class: "result-side wide" },
      el("p", { class: "result-line start" }, line), this.list.node));
    this.list.show(items);
  }

  /* ---- searches ---- */

  async begin(query) {
    this.query = query;
    this.input.value = query.kind === "text" ? query.text : "";
    this.judgements = new Judgements(this.collection, query);
    this.top = PAGE;
    this.hits = [];
    this.buildResults();
    fill(this.line, t("loading"));
    await this.judgements.load();
    if (query !== this.query)
      return;
    this.showPanels();
    await this.rank(false);
  }

  options() {
    const user = load("user", "");
    return {
      top: Math.min(this.top + this.judgements.of.size, MOST),
      ...(user ? { user } : {}),
    };
  }

  /* Search again; with `marks`, cards say where they moved. */
  async rank(marks) {
    this.abort?.abort();
    const { signal } = this.abort = new AbortController();
    const query = this.query;
    try {
      const found = await query.search(this.collection, this.options(),
        this.judgements.unsaved(), signal);
      const plain = this.compares ? await query.search(this.collection,
        { ...this.options(), version: 0, feedback: "none" },
        { good: [], bad: [] }, signal) : null;
      if (query === this.query)
        this.showFound(found, plain, marks);
    } catch (error) {
      if (error.name !== "AbortError")
        this.failed(error);
    }
  }

  failed(error) {
    this.missed = error.status === 0;
    fill(this.line, t("failed", { why: error.status === 0
      ? t("noAnswer") : error.message }));
    message(this.line.textContent, "error");
  }

  showFound(found, plain, marks) {
    const before = this.hits;
    this.hits = found.hits.filter((h) => !this.judgements.verdict(h.id));
    const moves = marks ? movesOf(before, this.hits) : undefined;
    this.showLine(found);
    this.moreButton.hidden = !found.more || this.top >= MOST;
    if (plain)
      this.showBoth(found, plain);
    else
      this.showOne(moves);
    if (moves)
      this.tellMoves(moves);
  }

  showLine(found) {
    fill(this.line, found.note ? t("nothingKnown")
      : found.hits.length === 0 ? t("noResults") : [
      t("resultCount", { n: this.hits.length, time: duration(found.seconds) }),
      " · ", found.version > 0 ? t("byVersion", { n: found.version })
        : t("unlearned"),
      this.judgements.of.size > 0 && ` · ${t("withFeedback")}`]);
  }

  showOne(moves) {
    if (!this.results.node.isConnected)
      fill(this.lists, this.results.node);
    this.lists.classList.remove("two");
    this.results.show(this.hits, { moves });
  }

  /* Both lists whole, with all that was judged. */
  showBoth(found, plain) {
    const verdict = (id) => this.judgements.verdict(id);
    if (!this.other.node.isConnected) {
      fill(this.lists,
        el("section", {}, el("h2", { class: "list-title" },
          t("compareLearned")), this.results.node),
        el("section", {}, el("h2", { class: "list-title" },
          t("compareUnlearned")), this.other.node));
      this.lists.classList.add("two");
    }
    this.results.show(found.hits,
      { verdict, moves: movesOf(plain.hits, found.hits) });
    this.other.show(plain.hits, { verdict });
  }

  tellMoves(moves) {
    const n = { up: 0, down: 0, new: 0 };
    for (const m of moves.values()) {
      n.up += m.up ? 1 : 0;
      n.down += m.down ? 1 : 0;
      n.new += m.isNew ? 1 : 0;
    }
    announce(t("reranked", n));
  }

  more() {
    this.top += PAGE;
    this.rank(false);
  }

  /* ---- feedback ---- */

  /* Once the server is back, the ranking that it did not answer is made up
   * for. */
  queueChanged() {
    this.showPanels();
    if (this.missed && queue.count() === 0) {
      this.missed = false;
      this.rank(false);
    }
  }

  /* The card leaves at once; the ranking follows when the event is stored. */
  async judge(hit, verdict) {
    const stored = this.judgements.judge(hit, verdict);
    announce(t(this.judgements.verdict(hit.id) === "bad" ? "markedBad"
      : "markedGood", { name: shortName(hit) }));
    await this.follow(stored);
  }

  async undo() {
    const stored = this.judgements.undo();
    if (!stored) {
      announce(t("nothingToUndo"));
      return;
    }
    announce(t("undone"));
    await this.follow(stored);
  }

  async follow(stored) {
    if (!this.compares) {
      this.hits = this.hits.filter((h) => !this.judgements.verdict(h.id));
      this.results.show(this.hits);
    }
    this.showPanels();
    if (await stored === "saved")
      announce(t("saved"));
    this.showPanels();
    await this.rank(true);
  }

  showPanels() {
    if (!this.judgements || !this.good)
      return;
    this.showPanel("good", this.good, this.goodCount, t("goodNone"));
    this.showPanel("bad", this.bad, this.badCount, t("badNone"));
    this.undoButton.disabled = this.judgements.done.length === 0;
  }

  showPanel(verdict, list, count, hint) {
    const judged = this.judgements.list(verdict);
    count.textContent = judged.length > 0 ? judged.length : "";
    fill(list, judged.length === 0
      ? el("li", { class: "chip-hint" }, hint)
      : judged.map((x) => this.chip(x)));
  }

  chip(judged) {
    const { item, key } = judged;
    const name = shortName(item);
    const unsaved = key && queue.isUnsaved(key);
    return el("li", {}, el("button", {
      type: "button", class: `chip ${unsaved ? "pending" : ""}`,
      title: item.name, "aria-label": t("takeBack", { name })
        + (unsaved ? ` (${t("unsaved", { n: 1 })})` : ""),
      onclick: () => this.follow(this.judgements.takeBack(item.id)),
    }, chip(this.collection, this.kind, item),
    icon(unsaved ? "unsaved" : "close")));
  }
}
