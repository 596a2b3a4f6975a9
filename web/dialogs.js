/* A window above the page. The browser keeps the focus inside and gives it
 * back; Escape closes it. */
import { el, iconButton } from "./dom.js";
import { t } from "./text.js";

export function openDialog(title, kind, ...children) {
  const heading = el("h2", { id: "dialog-title" }, title);
  const dialog = el("dialog", {
    class: `dialog ${kind}`, "aria-labelledby": "dialog-title",
    onclose: () => dialog.remove(),
    onclick: (e) => e.target === dialog && dialog.close(),
  }, el("div", { class: "dialog-inside" },
    el("header", {}, heading,
      iconButton("close", t("close"), () => dialog.close())),
    ...children));
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/* Resolves to true if the answer is yes. */
export function confirmDialog(question, yes) {
  return new Promise((resolve) => {
    const dialog = openDialog(question, "narrow",
      el("footer", {},
        el("button", { type: "button", class: "button",
          onclick: () => dialog.close() }, t("cancel")),
        el("button", { type: "button", class: "button danger",
          onclick: () => dialog.close("yes") }, yes)));
    dialog.addEventListener("close",
      () => resolve(dialog.returnValue === "yes"));
  });
}
