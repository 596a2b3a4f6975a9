/* The server asks for its token: a form for it. */
import * as api from "./api.js";
import { el } from "./dom.js";
import { t } from "./text.js";

/* Resolves when the server has accepted a token. */
export function login(place) {
  return new Promise((resolve) => {
    const wrong = el("p", { class: "error-text", role: "alert" });
    const input = el("input", { type: "password", id: "token", name: "token",
      autocomplete: "current-password", required: true });
    const form = el("form", {
      class: "login", "aria-labelledby": "login-title",
      onsubmit: async (e) => {
        e.preventDefault();
        try {
          await api.login(input.value);
          form.remove();
          resolve();
        } catch (error) {
          wrong.textContent = error.status === 401 ? t("loginWrong")
            : t("failed", { why: error.message });
          input.select();
        }
      },
    },
    el("h1", { id: "login-title" }, t("loginTitle")),
    el("p", { class: "hint" }, t("loginWhy")),
    el("label", { for: "token" }, t("token")), input, wrong,
    el("button", { type: "submit", class: "button primary" }, t("login")));
    place.replaceChildren(form);
    input.focus();
  });
}
