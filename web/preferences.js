/* Appearance, language, name of the user, and the keys. */
import * as api from "./api.js";
import { openDialog } from "./dialogs.js";
import { button, el } from "./dom.js";
import { applyTheme, load, store } from "./settings.js";
import { language, LANGUAGES, t } from "./text.js";

const KEYS = [["← → ↑ ↓", "keyArrows"], ["Enter", "keyEnter"], ["G", "keyGood"],
  ["B", "keyBad"], ["Z", "keyUndo"], ["E", "keyWhy"], ["/", "keySlash"],
  ["?", "keyHelp"]];

function choice(id, title, values, value, onchange) {
  const select = el("select", { id, onchange: () => onchange(select.value) },
    Object.entries(values).map(([key, name]) =>
      el("option", { value: key, selected: key === value }, name)));
  return el("div", { class: "field" }, el("label", { for: id }, title), select);
}

export function openPreferences(hasToken) {
  const user = el("input", { id: "user", type: "text", autocomplete: "username",
    value: load("user", ""), maxlength: "200",
    onchange: () => store("user", user.value.trim()) });
  openDialog(t("settings"), "narrow",
    choice("theme", t("theme"), { auto: t("themeAuto"), light: t("themeLight"),
      dark: t("themeDark") }, load("theme", "auto"), (value) => {
      store("theme", value);
      applyTheme();
    }),
    choice("language", t("language"), LANGUAGES, language, (value) => {
      store("language", value);
      location.reload();
    }),
    el("div", { class: "field" }, el("label", { for: "user" }, t("user")), user,
      el("p", { class: "hint" }, t("userWhy"))),
    el("h3", {}, t("keys")),
    el("dl", { class: "keys" }, KEYS.map(([key, text]) => el("div", {},
      el("dt", {}, el("kbd", {}, key)), el("dd", {}, t(text))))),
    hasToken && el("footer", {}, button(t("logout"), async () => {
      await api.logout();
      location.reload();
    })));
}
