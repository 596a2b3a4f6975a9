/* Items that are the same, or nearly: groups of them. */
import * as api from "./api.js";
import { face, shortName } from "./cards.js";
import { el, fill } from "./dom.js";
import { number, t } from "./text.js";

export class DuplicateList {
  constructor(collection, kind, onSelect) {
    this.collection = collection;
    this.kind = kind;
    this.onSelect = onSelect;
    this.node = el("div", { class: "duplicates" });
  }

  /* Returns what was found, as a text. */
  async load() {
    try {
      const { groups } = await api.duplicates(this.collection);
      fill(this.node, groups.map((group, i) => this.group(group, i)));
      return groups.length === 0 ? t("duplicatesNone")
        : t("duplicatesCount", { n: groups.length });
    } catch (error) {
      return t("failed", { why: error.message });
    }
  }

  group(items, i) {
    return el("section", { class: "duplicate-group" },
      el("h2", { class: "small-title" }, t("duplicateGroup", { n: i + 1 })),
      el("ul", { class: "duplicate-items" }, items.map((item) => el("li", {},
        el("button", { type: "button", class: "card-main", title: item.name,
          onclick: () => this.onSelect(item) },
        face(this.collection, this.kind, item),
        el("span", { class: "cell-name" }, shortName(item)),
        el("span", { class: "hint" }, item.same ? t("duplicateSame")
          : t("duplicateNear", { score: number(item.score, 3) })))))));
  }
}
