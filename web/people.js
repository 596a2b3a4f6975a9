/* Persons, faces without a name, and names that changed. */
import * as api from "./api.js";
import { button, el, fill } from "./dom.js";
import { faceCard, headShot, shownPerson } from "./face.js";
import { message } from "./messages.js";
import * as queue from "./queue.js";
import { say } from "./review.js";
import { load, store } from "./settings.js";
import { t } from "./text.js";
import { TypeAhead } from "./typeahead.js";

const PAGE = 200;

/* ---- all persons ---- */

export class PeoplePart {
  constructor(view) {
    this.view = view;
    this.list = el("ul", { class: "people" });
    this.line = el("p", { class: "hint" }, t("loading"));
    this.filter = el("input", { type: "search", "aria-label": t("namesFind"),
      placeholder: t("namesFind"), oninput: () => this.draw() });
    this.node = el("div", {}, this.filter, this.line, this.list);
  }

  async load() {
    const { persons } = await this.view.ask(() =>
      api.persons(this.view.collection));
    this.persons = persons.filter((p) => p.said + p.suggested > 0)
      .sort((a, b) => b.said + b.suggested - a.said - a.suggested);
    this.draw();
  }

  draw() {
    const wanted = this.filter.value.toLowerCase();
    const found = (this.persons ?? []).filter((p) =>
      p.name.toLowerCase().includes(wanted));
    fill(this.line, t("namesCount", { n: found.length }));
    fill(this.list, found.slice(0, PAGE).map((p) => el("li", {},
      el("a", { href: this.view.app.address("names",
        `person/${encodeURIComponent(p.name)}`) }, shownPerson(p.name)),
      el("span", { class: "hint" },
        t("namesFaces", { said: p.said, suggested: p.suggested })))));
  }
}

/* ---- one person ---- */

export class PersonPart {
  constructor(view) {
    this.view = view;
    this.collection = view.collection;
    this.chosen = new Set();
    this.title = el("h2", {});
    this.line = el("p", { class: "hint" }, t("loading"));
    this.tools = el("div", { class: "person-tools" });
    this.grid = el("ul", { class: "face-grid" });
    this.merges = el("ul", { class: "merges" });
    this.node = el("div", { class: "person" }, this.title, this.line,
      this.tools, this.grid, this.merges);
  }

  async load(name) {
    this.name = name;
    fill(this.title, shownPerson(name));
    const [found, names, { answers }] = [
      await this.view.ask(() => api.facesOf(this.collection,
        { person: name, top: PAGE })),
      await this.view.names(),
      await api.answers(this.collection, { top: 1000 }),
    ];
    this.chosen = new Set(found.faces.filter((f) => !f.said).map((f) => f.id));
    fill(this.line, t("namesOfPerson", { n: found.total }));
    fill(this.grid, found.faces.map((f) => el("li", {},
      faceCard(this.collection, f, { checked: this.chosen.has(f.id),
        onselect: (face, on) => this.choose(face.id, on) }))));
    this.drawTools(names);
    fill(this.merges, answers.filter((a) => a.kind === "merge" && !a.undone
      && a.other === name).map((a) => el("li", {},
      t("namesMerged"), " ", shownPerson(a.name), " ",
      !this.view.app.readOnly && button(t("namesUnmerge"), () =>
        this.change(queue.undoEvent(this.collection, a.number, "answers")),
      { shape: "undo", kind: "quiet" }))));
  }

  choose(id, on) {
    if (on)
      this.chosen.add(id);
    else
      this.chosen.delete(id);
  }

  drawTools(names) {
    if (this.view.app.readOnly)
      return;
    const other = new TypeAhead(t("namesMoveTo"), (name) =>
      this.tell({ kind: "is", name }));
    const merge = new TypeAhead(t("namesMergeInto"), (name) => this.merge(name));
    other.names = merge.names = names.filter((n) => n !== this.name);
    fill(this.tools,
      button(t("namesConfirm"), () => this.tell({ kind: "is", name: this.name }),
        { shape: "good", kind: "primary" }),
      button(t("namesReject"), () =>
        this.tell({ kind: "is-not", name: this.name }), { shape: "bad" }),
      other.node, merge.node);
  }

  tell(body) {
    if (this.chosen.size === 0) {
      message(t("namesChooseFirst"), "error");
      return null;
    }
    return this.change(say(this.collection,
      { faces: [...this.chosen], ...body }));
  }

  async merge(name) {
    await say(this.collection, { kind: "merge", name: this.name, other: name });
    this.view.app.go("names", `person/${encodeURIComponent(name)}`);
  }

  async change(told) {
    if (await told === "saved")
      await this.load(this.name);
  }
}

/* ---- without a name ---- */

export class UnnamedPart {
  constructor(view) {
    this.view = view;
    this.line = el("p", { class: "hint" }, t("loading"));
    this.list = el("div", { class: "groups" });
    this.node = el("div", {}, this.line, this.list);
  }

  async load() {
    const { groups } = await this.view.ask(() =>
      api.unnamed(this.view.collection));
    const names = await this.view.names();
    fill(this.line, t("namesGroups", { n: groups.length }));
    fill(this.list, groups.slice(0, PAGE).map((g) => this.group(g, names)));
  }

  group(faces, names) {
    const photos = new Set(faces.map((f) => f.photo_id)).size;
    const field = new TypeAhead(t("namesWho"), (name) => this.name(faces, name));
    field.names = names;
    return el("section", { class: "group" },
      el("h2", { class: "small-title" }, t("namesUnknown", { n: photos })),
      el("ul", { class: "face-grid" }, faces.slice(0, 30).map((f) => el("li", {},
        el("a", { class: "face-card", href: this.view.app.address("names",
          `face/${f.id}`), "aria-label": t("namesFace", { id: f.id }) },
        headShot(this.view.collection, f))))),
      !this.view.app.readOnly && field.node);
  }

  async name(faces, name) {
    if (await say(this.view.collection,
      { faces: faces.map((f) => f.id), kind: "is", name }) === "saved")
      await this.load();
  }
}

/* ---- what changed ---- */

export class ChangedPart {
  constructor(view) {
    this.view = view;
    this.line = el("p", { class: "hint" }, t("loading"));
    this.grid = el("ul", { class: "face-grid" });
    this.node = el("div", {}, this.line, this.grid);
  }

  async load() {
    const key = `seen.${this.view.collection}`;
    const found = await this.view.ask(() => api.review(this.view.collection,
      { after: load(key, 0), top: PAGE }));
    fill(this.line, t("namesChangedCount", { n: found.total }), " ",
      found.total > 0 && button(t("namesSeen"), () => {
        store(key, found.last);
        this.load();
      }, { kind: "quiet", shape: "saved" }));
    fill(this.grid, found.faces.map((f) => el("li", {},
      faceCard(this.view.collection, f,
        { href: this.view.app.address("names", `face/${f.id}`) }))));
  }
}
