/* The list of results: a grid of cards that the keyboard walks through. Cards
 * stay the same elements while they move, so that no picture is loaded twice
 * and the focus is not lost. */
import { face, labels, shortName } from "./cards.js";
import { button, el, fill, iconButton } from "./dom.js";
import { score, t } from "./text.js";

const MOVE = { duration: 260, easing: "cubic-bezier(.2, .8, .2, 1)" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/* Where each of `after` was in `before`: {up: 2}, {down: 1}, {isNew: true} or
 * {} of those that stayed. */
export function movesOf(before, after) {
  const was = new Map(before.map((hit, i) => [hit.id, i]));
  return new Map(after.map((hit, i) => {
    const old = was.get(hit.id);
    if (old === undefined)
      return [hit.id, { isNew: true }];
    return [hit.id, old > i ? { up: old - i } : old < i ? { down: i - old } : {}];
  }));
}

function badge(move) {
  const text = move?.up ? t("movedUp", { n: move.up })
    : move?.down ? t("movedDown", { n: move.down })
      : move?.isNew ? t("movedNew") : "";
  const short = move?.up ? `▲ ${move.up}` : move?.down ? `▼ ${move.down}`
    : move?.isNew ? t("movedNew") : "";
  const kind = move?.up ? "up" : move?.down ? "down" : "new";
  return text && el("span", { class: `moved ${kind}`, title: text },
    el("span", { "aria-hidden": "true" }, short),
    el("span", { class: "hidden-text" }, text));
}

export class Results {
  /* `on`: what to do, {open, judge, why}; judge and why may be absent. */
  constructor(collection, kind, label, on) {
    this.collection = collection;
    this.kind = kind;
    this.on = on;
    this.cards = new Map();  // id: element
    this.hits = [];
    this.active = 0;
    this.node = el("ol", {
      class: `results ${kind}`, "aria-label": label,
      onkeydown: (e) => this.pressed(e), onfocusin: (e) => this.focused(e),
    });
  }

  /* ---- cards ---- */

  actions(hit) {
    const { judge, why } = this.on;
    const name = shortName(hit);
    return el("div", { class: "card-actions" },
      judge && iconButton("good", t("goodName", { name }),
        () => judge(hit, "good"), { kind: "good" }),
      judge && iconButton("bad", t("badName", { name }),
        () => judge(hit, "bad"), { kind: "bad" }),
      why && button(t("why"), () => why(hit),
        { kind: "bare why", label: t("whyName", { name }) }));
  }

  card(hit) {
    return el("li", { class: "card", "data-id": hit.id },
      el("button", {
        type: "button", class: "card-main", title: hit.name,
        onclick: () => this.on.open(hit),
      }, face(this.collection, this.kind, hit),
      el("span", { class: "hidden-text" },
        t("searchBy", { name: hit.name }))),
      el("div", { class: "card-foot" },
        el("span", { class: "card-name", title: hit.name }, shortName(hit)),
        labels(hit),
        el("span", { class: "card-score" })),
      this.actions(hit));
  }

  /* What changes from ranking to ranking. */
  update(card, hit, i, best, extra) {
    const line = card.querySelector(".card-score");
    fill(line, hit.score !== undefined && el("span", { class: "rank" },
      el("span", { class: "hidden-text" }, t("rank", { n: i + 1 })),
      el("span", { "aria-hidden": "true" }, i + 1)),
    hit.score !== undefined && el("span", {
      class: "score", title: t("scoreOf", { score: score(hit.score) }),
    }, score(hit.score)),
    extra.note?.(hit, i), badge(extra.moves?.get(hit.id)));
    const share = best > 0 && hit.score > 0 ? hit.score / best : 0;
    card.style.setProperty("--share", share.toFixed(3));
    card.dataset.verdict = extra.verdict?.(hit.id) ?? "";
  }

  /* Show these. extra: {moves, verdict(id), note(hit, rank)}. */
  show(hits, extra = {}) {
    const places = this.places();
    const best = Math.max(...hits.map((h) => h.score ?? 0), 0);
    const kept = new Map();
    hits.forEach((hit, i) => {
      const card = this.cards.get(hit.id) ?? this.card(hit);
      this.update(card, hit, i, best, extra);
      kept.set(hit.id, card);
    });
    const focused = this.node.contains(document.activeElement)
      ? document.activeElement : null;
    this.hits = hits;
    this.cards = kept;
    this.node.replaceChildren(...kept.values());
    this.activate(Math.min(this.active, hits.length - 1));
    if (focused)
      this.keepFocus(focused);
    this.slide(places);
  }

  /* The card that had the focus keeps it; one that is gone hands it on to the
   * card in its place. */
  keepFocus(focused) {
    if (this.node.contains(focused)) {
      focused.focus({ preventScroll: true });
      this.activate(this.indexOf(focused));
    } else {
      this.main(this.active)?.focus({ preventScroll: true });
    }
  }

  /* ---- motion ---- */

  places() {
    const at = new Map();
    if (!calm.matches)
      for (const [id, card] of this.cards)
        at.set(id, [card.offsetLeft, card.offsetTop]);
    return at;
  }

  slide(places) {
    for (const [id, card] of this.cards) {
      const from = places.get(id);
      const dx = from ? from[0] - card.offsetLeft : 0;
      const dy = from ? from[1] - card.offsetTop : 0;
      if (dx !== 0 || dy !== 0)
        card.animate([{ transform: `translate(${dx}px, ${dy}px)` },
          { transform: "none" }], MOVE);
    }
  }

  /* ---- focus ---- */

  main(i) {
    return this.node.children[i]?.querySelector(".card-main");
  }

  indexOf(node) {
    return [...this.node.children].indexOf(node.closest(".card"));
  }

  /* Tab enters the card that is active and passes by the others. */
  activate(i) {
    this.active = Math.max(i, 0);
    [...this.node.children].forEach((card, k) => {
      for (const x of card.querySelectorAll("button"))
        x.tabIndex = k === this.active ? 0 : -1;
    });
  }

  focused(e) {
    const i = this.indexOf(e.target);
    if (i >= 0 && i !== this.active)
      this.activate(i);
  }

  focus(i = this.active) {
    this.activate(Math.min(Math.max(i, 0), this.hits.length - 1));
    this.main(this.active)?.focus();
  }

  columns() {
    const cards = [...this.node.children];
    const n = cards.findIndex((c) => c.offsetTop > cards[0].offsetTop);
    return n < 0 ? cards.length : n;
  }

  pressed(e) {
    if (e.ctrlKey || e.metaKey || e.altKey)
      return;
    const steps = {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.columns(),
      ArrowUp: -this.columns(), Home: -this.hits.length,
      End: this.hits.length,
    };
    const hit = this.hits[this.active], letter = e.key.toLowerCase();
    if (steps[e.key] !== undefined)
      this.focus(this.active + steps[e.key]);
    else if (letter === "g" && this.on.judge)
      this.on.judge(hit, "good");
    else if (letter === "b" && this.on.judge)
      this.on.judge(hit, "bad");
    else if (letter === "e" && this.on.why)
      this.on.why(hit);
    else
      return;
    e.preventDefault();
  }
}
