/* Why an item was found: matching regions of two pictures, words of two texts,
 * or features, with what each adds to the similarity. */
import * as api from "./api.js";
import { face, isPicture, shortName, snippet } from "./cards.js";
import { openDialog } from "./dialogs.js";
import { el, fill, svg } from "./dom.js";
import { score, t } from "./text.js";

const REASONS = 12, REGIONS = 60;
const SIDE = 512;        // of the pictures: the server keeps them
const GAP = 24;          // between them, in their pixels
const FEATURE = 3;       // radius of a circle, in sizes of the feature

export async function explain(collection, kind, query, hit) {
  const inside = el("div", { class: "explain", "aria-live": "polite" },
    el("p", {}, t("loading")));
  openDialog(t("explainTitle"), "wide", inside);
  try {
    if (query.kind === "item")
      showPair(inside, collection, kind, await api.explain(collection,
        query.item.id, hit.id, isPicture(hit) ? REGIONS : REASONS));
    else if (!query.url || !await drawFile(inside, collection, query, hit))
      showQuery(inside, collection, kind, query, await api.explainQuery(
        collection, hit.id, query.fields(), REASONS));
  } catch (error) {
    fill(inside, el("p", { class: "error-text" },
      t("failed", { why: error.message })));
  }
}

/* False: the collection compares pictures by colours, which have no places. */
async function drawFile(inside, collection, query, hit) {
  try {
    showFile(inside, collection, query, await api.explainFile(collection,
      hit.id, query.file, REGIONS));
    return true;
  } catch (error) {
    if (error.status !== 400)
      throw error;
    return false;
  }
}

function showPair(inside, collection, kind, why) {
  const both = isPicture(why.left) && isPicture(why.right);
  fill(inside,
    el("p", { class: "explain-score" },
      t("explainScore", { score: score(why.score) })),
    both && why.matches ? drawMatches(collection, why)
      : sides(collection, kind, why),
    !(both && why.matches) && reasons(why));
}

function showFile(inside, collection, query, why) {
  const left = { ...why.left, name: query.file.name, url: query.url };
  fill(inside,
    el("p", { class: "explain-score" },
      t("explainScore", { score: score(why.score) })),
    drawMatches(collection, { ...why, left }));
}

function showQuery(inside, collection, kind, query, why) {
  const left = query.kind === "text" ? { name: t("queryText"),
    snippet: query.text, width: 0 } : { name: query.file.name, url: query.url };
  fill(inside,
    el("p", { class: "explain-score" },
      t("explainScore", { score: score(why.score) })),
    sides(collection, kind, { ...why, left }), reasons({ ...why, left }));
}

/* ---- pictures ---- */

const kindOf = (m) => m.contribution < 0 ? "less" : m.agrees ? "agree" : "alone";

function regionMark(m, x1, x2) {
  const [ax, ay, as] = m.left, [bx, by, bs] = m.right;
  return svg("g", { class: `match ${kindOf(m)}` },
    svg("circle", { cx: x1 + ax, cy: ay, r: FEATURE * as }),
    svg("circle", { cx: x2 + bx, cy: by, r: FEATURE * bs }),
    m.agrees && svg("line", { x1: x1 + ax, y1: ay, x2: x2 + bx, y2: by }),
    svg("title", {}, score(m.contribution)));
}

/* Both pictures, at the size their features were found in. */
function drawMatches(collection, why) {
  const { left, right, matches } = why;
  const x2 = left.width + GAP;
  const width = x2 + right.width;
  const height = Math.max(left.height, right.height);
  const image = (item, x) => svg("image", {
    href: item.url ?? api.thumbnailUrl(collection, item.id, SIDE), x, y: 0,
    width: item.width, height: item.height, preserveAspectRatio: "none",
  });
  const agreeing = matches.filter((m) => m.agrees).length;
  return el("figure", { class: "matches" },
    svg("svg", {
      viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": t("explainPicture", { left: left.name, right: right.name,
        n: matches.length }),
    }, image(left, 0), image(right, x2),
    matches.toSorted((a, b) => a.agrees - b.agrees)  // those above the others
      .map((m) => regionMark(m, 0, x2))),
    el("figcaption", {},
      el("span", { class: "explain-names" },
        el("span", {}, shortName(left)), el("span", {}, shortName(right))),
      matches.length === 0 ? el("p", {}, t("explainNothing"))
        : el("p", {}, t(matches.length < REGIONS ? "explainRegions"
          : "explainStrongest", { n: matches.length }), "; ",
          t("explainAgree", { n: agreeing }), "."),
      el("ul", { class: "legend" },
        ["Agree", "Alone", "Less"].map((name) => el("li", {},
          el("span", { class: `swatch ${name.toLowerCase()}` }),
          t(`explainLegend${name}`))))));
}

/* ---- words and features ---- */

function sides(collection, kind, why) {
  const words = why.reasons.map((r) => r.name).filter(Boolean);
  return el("div", { class: "sides" }, [why.left, why.right].map((item) =>
    el("article", {}, el("h3", {}, item.name),
      item.snippet ? el("p", { class: "snippet" }, marked(
        item.id === undefined ? item.snippet : snippet(item), words))
        : item.url ? el("img", { class: "side-picture", src: item.url, alt: "" })
          : item.id !== undefined && face(collection, kind, item, SIDE))));
}

function reasons(why) {
  const unnamed = isPicture(why.left) || why.left.url ? "explainVisualWord"
    : "explainFeature";
  const most = Math.max(...why.reasons.map((r) => Math.abs(r.contribution)),
    Math.abs(why.others), 1e-300);
  const line = (name, value) => {
    const bar = el("span", { class: `bar ${value < 0 ? "less" : ""}` });
    bar.style.setProperty("--share", Math.abs(value) / most);
    return el("li", {}, el("span", { class: "reason" }, name), bar,
      el("span", { class: "figure" }, score(value)));
  };
  if (why.reasons.length === 0)
    return el("p", {}, t("explainNothing"));
  return [el("h3", {}, t("explainWords")),
    el("ul", { class: "reasons" },
      why.reasons.map((r) => line(r.name
        ?? t(unnamed, { n: r.feature }), r.contribution)),
      why.others !== 0 && line(t("explainOthers"), why.others))];
}

/* A text with the words that count marked. */
export function marked(text, words) {
  if (words.length === 0)
    return [text];
  const escaped = words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(${escaped.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  const parts = text.split(pattern);
  return parts.map((part, i) => i % 2 === 1 ? el("mark", {}, part) : part);
}
