/* The words of the page, in the language of the reader. */
import { load } from "./settings.js";
import de from "./text.de.js";
import en from "./text.en.js";

export const LANGUAGES = { en: "English", de: "Deutsch" };
const TABLES = { en, de };

function choose() {
  const wanted = [load("language", null), ...navigator.languages];
  for (const name of wanted)
    if (name && TABLES[name.slice(0, 2)])
      return name.slice(0, 2);
  return "en";
}

export const language = choose();
const table = TABLES[language];
const plural = new Intl.PluralRules(language);

/* t("items", {n: 3}): a text with its {places} filled in. One that depends on
 * a number has forms {one, other}, chosen by n. */
export function t(key, values = {}) {
  let text = table[key] ?? en[key];
  if (typeof text === "object")
    text = text[plural.select(values.n)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (place, name) =>
    typeof values[name] === "number" ? number(values[name])
      : values[name] ?? place);
}

const whole = new Intl.NumberFormat(language);
const decimals = new Map();

export function number(x, digits) {
  if (digits === undefined)
    return whole.format(x);
  if (!decimals.has(digits))
    decimals.set(digits, new Intl.NumberFormat(language,
      { minimumFractionDigits: digits, maximumFractionDigits: digits }));
  return decimals.get(digits).format(x);
}

export function percent(x, digits = 1) {
  return `${number(100 * x, digits)}${language === "de" ? "\u00a0" : ""}%`;
}

/* Scores have any size: three significant digits show it. */
const significant = new Intl.NumberFormat(language,
  { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
export function score(x) {
  return significant.format(x);
}

/* "2026-03-01T12:30:00" as it is written here; other texts as they are. */
const region = navigator.languages.find((x) => x.startsWith(language));
const dates = new Intl.DateTimeFormat(region ?? language,
  { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
export function date(text) {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)
    ? Date.parse(`${text}Z`) : NaN;
  return Number.isNaN(time) ? String(text) : dates.format(time);
}

export function duration(seconds) {
  if (seconds < 0.001)
    return t("instantly");
  if (seconds < 1)
    return t("milliseconds", { n: Math.round(1000 * seconds) });
  if (seconds < 100)
    return t("seconds", { n: Math.round(seconds) });
  return t("minutes", { n: Math.round(seconds / 60) });
}
