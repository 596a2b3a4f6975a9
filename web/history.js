/* All that was said, newest first; each event can be undone. */
import * as api from "./api.js";
import { chip, isSeen, shortName } from "./cards.js";
import { button, el, fill, icon } from "./dom.js";
import { message } from "./messages.js";
import * as queue from "./queue.js";
import { t } from "./text.js";

const PAGE = 50;

export class HistoryView {
  constructor(app) {
    this.app = app;
    this.collection = app.collection.name;
    this.kind = app.collection.kind;
    this.line = el("p", { class: "result-line" }, t("loading"));
    this.list = el("ol", { class: "events" });
    this.older = button(t("historyOlder"), () => this.load(), { shape: "more" });
    this.older.hidden = true;
    this.node = el("section", { class: "view history",
      "aria-label": t("historyTitle") },
    el("h1", {}, t("historyTitle")), this.line, this.list, this.older);
  }

  async enter() {
    await this.load();
  }

  leave() {}

  async show() {}

  async load() {
    const found = await api.feedback(this.collection,
      { before: this.last ?? 0, top: PAGE });
    this.last = found.events.at(-1)?.number;
    this.older.hidden = !found.more;
    fill(this.line, found.count === 0 && found.events.length === 0
      ? t("historyNone") : t("historyCount", { n: found.count }));
    this.list.append(...found.events.map((e) => this.event(e)));
  }

  items(list, shape, title) {
    return list?.length > 0 && el("div", { class: `event-items ${shape}` },
      el("span", { class: "small-title" }, icon(shape), t(title)),
      el("ul", { class: "chips" }, list.map((item) => el("li", {},
        el("a", { class: "chip", title: item.name,
          "aria-label": isSeen(item) ? shortName(item) : undefined,
          href: this.app.address("search", `item/${item.id}`) },
        chip(this.collection, this.kind, item))))));
  }

  query({ query }) {
    if (!query)
      return el("span", { class: "hint" }, t("eventGone"));
    if (query.id === undefined)
      return el("span", { class: "event-text" }, `“${query.text ?? ""}”`);
    return el("a", { class: "chip query", title: query.name,
      href: this.app.address("search", `item/${query.id}`) },
    chip(this.collection, this.kind, query),
    isSeen(query) && el("span", { class: "chip-name" }, shortName(query)));
  }

  event(event) {
    const row = el("li", { class: event.undone ? "event undone" : "event" });
    fill(row,
      el("div", { class: "event-head" },
        el("span", { class: "hint" }, t("eventNumber", { n: event.number }),
          event.user && ` ${t("eventBy", { user: event.user })}`),
        event.undone && el("span", { class: "state" }, t("eventUndone")),
        !event.undone && !this.app.readOnly && button(t("undo"),
          () => this.undo(event, row),
          { shape: "undo", kind: "quiet",
            label: t("eventUndo", { n: event.number }) })),
      el("div", { class: "event-body" }, this.query(event),
        this.items(event.good, "good", "good"),
        this.items(event.bad, "bad", "bad"),
        this.items(event.clicked, "open", "eventClicked")));
    return row;
  }

  async undo(event, row) {
    const result = await queue.undoEvent(this.collection, event.number);
    if (result === "refused")
      return;
    row.replaceWith(this.event({ ...event, undone: true }));
    message(t(result === "saved" ? "undone" : "noAnswer"));
    const { events } = await api.collection(this.collection);
    fill(this.line, t("historyCount", { n: events }));
  }
}
