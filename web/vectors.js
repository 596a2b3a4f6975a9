/* Vectors to add: lines of a name and numbers, or JSON, typed or from a file. */
import { openDialog } from "./dialogs.js";
import { button, el } from "./dom.js";
import { t } from "./text.js";

const EXAMPLE = 4;  // numbers of the example
const QUOTED = /^\s*"((?:[^"]|"")*)"\s*(?:[,;\t]|$)/;

/* The strongest separator that the line has. A comma is part of a number beside
 * any other. */
function cells(line) {
  const quoted = QUOTED.exec(line);
  const rest = quoted ? line.slice(quoted[0].length) : line;
  const separator = ["\t", ";", ","].find((s) => rest.includes(s)) ?? /\s+/;
  const parts = rest.trim().split(separator).map((x) => x.trim());
  const isComma = separator === ",";
  const name = quoted ? quoted[1].replaceAll("\"\"", "\"") : parts.shift();
  return { name, values: parts.map((x) => x === "" ? NaN
    : Number(isComma ? x : x.replace(",", "."))) };
}

const isVector = ({ name, values }, dim) => name !== ""
  && values.length === dim && values.every(Number.isFinite);

/* Throws the number of the first line that is wrong. */
function fromLines(text, dim) {
  const found = [];
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === "")
      return;
    const vector = cells(line);
    const isHeader = found.length === 0 && vector.values.length === dim
      && vector.values.every(Number.isNaN);
    if (isVector(vector, dim))
      found.push({ name: vector.name, features: { values: vector.values } });
    else if (!isHeader)
      throw i + 1;
  });
  return found;
}

/* Columns are of sparse vectors: the server knows what fits. */
function fromJson(json, dim) {
  return [json].flat().map((x, i) => {
    const { values, columns } = x?.features ?? x ?? {};
    const name = typeof x?.name === "string" ? x.name : "";
    if (!Array.isArray(values)
      || !isVector({ name, values }, columns ? columns.length : dim))
      throw i + 1;
    return { name, features: columns ? { columns, values } : { values } };
  });
}

/* {vectors}, and {problem}: what is wrong with the text. */
export function parseVectors(text, dim) {
  const isJson = /^\s*[[{]/.test(text);
  try {
    return { vectors: isJson ? fromJson(JSON.parse(text), dim)
      : fromLines(text, dim) };
  } catch (wrong) {
    return { vectors: [], problem: typeof wrong !== "number" ? t("vectorsNoJson")
      : t(isJson ? "vectorsEntry" : "vectorsLine", { n: wrong, dim }) };
  }
}

function example(dim) {
  const values = Array.from({ length: Math.min(dim, EXAMPLE) }, (_, i) =>
    (i + 1) / 4);
  return `${t("vectorsName")}, ${values.join(", ")}${dim > EXAMPLE ? ", …" : ""}`;
}

/* Asks for vectors of `dim` numbers; `begin` is a text to begin with. Resolves
 * to a list of them, empty when the answer is no. */
export function askVectors(dim, begin = "") {
  let found = [];
  const state = el("p", { class: "hint", role: "status", id: "vectors-state" });
  const add = button(t("vectorsAdd"), () => dialog.close("yes"),
    { kind: "primary" });
  const look = () => {
    const { vectors, problem } = parseVectors(area.value, dim);
    found = vectors;
    add.disabled = found.length === 0;
    state.classList.toggle("error-text", problem !== undefined);
    area.setAttribute("aria-invalid", problem !== undefined);
    state.textContent = problem ?? t("vectorsCount", { n: found.length });
  };
  const area = el("textarea", { id: "vectors-text", rows: "8", spellcheck: "false",
    placeholder: example(dim), "aria-describedby": "vectors-hint vectors-state",
    oninput: look });
  const file = el("input", { type: "file", class: "hidden-text", tabindex: "-1",
    id: "vectors-file", "aria-hidden": "true",
    accept: ".csv,.tsv,.txt,.json,text/*,application/json",
    onchange: async () => {
      area.value = await file.files[0].text();
      look();
    } });
  area.value = begin;
  const dialog = openDialog(t("vectorsAdd"), "middle",
    el("div", { class: "field" },
      el("label", { for: "vectors-text" }, t("vectorsLabel")),
      area,
      el("p", { class: "hint", id: "vectors-hint" },
        t("vectorsHint", { dim })),
      state),
    el("footer", {},
      button(t("chooseFile"), () => file.click(), { shape: "upload" }), file,
      el("span", { class: "space" }),
      button(t("cancel"), () => dialog.close()), add));
  area.focus();
  look();
  return new Promise((resolve) => {
    dialog.addEventListener("close",
      () => resolve(dialog.returnValue === "yes" ? found : []));
  });
}
