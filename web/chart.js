/* A curve over versions, with the measure without learning beside it. */
import { el, svg } from "./dom.js";
import { percent, t } from "./text.js";

const HEIGHT = 240;
const NARROW = matchMedia("(max-width: 640px)");  // where text would be tiny
const LEFT = 52, RIGHT = 16, TOP = 16, BOTTOM = 34;
const LINES = 4;  // of the scale

/* Round numbers around the values. */
function scaleOf(values) {
  const low = Math.min(...values), high = Math.max(...values);
  const step = [0.01, 0.02, 0.05, 0.1, 0.25]
    .find((s) => (high - low) / s <= LINES - 1) ?? 0.25;
  const from = Math.max(0, Math.floor(low / step) * step);
  const lines = [];
  for (let y = from; lines.length < 2 || y < high + step / 2; y += step)
    lines.push(y);
  return { from, to: lines.at(-1), lines };
}

/* points: [{version, held_out, baseline, in_use}], two or more. */
export function curve(points) {
  const width = NARROW.matches ? 340 : 640;
  const scale = scaleOf(points.flatMap((p) => [p.held_out, p.baseline]));
  const x = (i) => LEFT + i * (width - LEFT - RIGHT) / (points.length - 1);
  const y = (v) => TOP + (scale.to - v) / (scale.to - scale.from)
    * (HEIGHT - TOP - BOTTOM);
  const path = (key) => points.map((p, i) =>
    `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(p[key]).toFixed(1)}`).join("");
  const every = Math.ceil(points.length * 50 / width);
  const drawing = svg("svg", {
    viewBox: `0 0 ${width} ${HEIGHT}`, class: "curve", role: "img",
    "aria-label": points.map((p) => t("learnSummary", { n: p.version,
      held: percent(p.held_out), base: percent(p.baseline) })).join(" "),
  },
  scale.lines.map((v) => [
    svg("line", { class: "rule", x1: LEFT, x2: width - RIGHT, y1: y(v),
      y2: y(v) }),
    svg("text", { x: LEFT - 8, y: y(v) + 4, "text-anchor": "end" },
      percent(v, 0))]),
  points.map((p, i) => i % every === 0 && svg("text", { x: x(i),
    y: HEIGHT - 12, "text-anchor": "middle" }, p.version)),
  svg("path", { class: "held", d: path("held_out") }),
  svg("path", { class: "base", d: path("baseline") }),
  points.map((p, i) => svg("circle", { cx: x(i), cy: y(p.held_out),
    r: p.in_use ? 6 : 4, class: p.in_use ? "point used" : "point" },
  svg("title", {}, t("learnSummary", { n: p.version,
    held: percent(p.held_out), base: percent(p.baseline) })))));
  return el("figure", { class: "chart" }, drawing,
    el("figcaption", {}, el("ul", { class: "legend" },
      el("li", {}, el("span", { class: "swatch held" }), t("learnHeldOut")),
      el("li", {}, el("span", { class: "swatch base" }), t("learnBaseline")))));
}
