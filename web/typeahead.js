/* A field for the name of a person: known names are offered while one types, a
 * new one is only made by the line that says so. */
import { el, fill } from "./dom.js";
import { t } from "./text.js";

const SHOWN = 8;
let made = 0;  // for ids

/* Accents and capitals do not count. */
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "")
  .toLowerCase().trim();

export class TypeAhead {
  constructor(label, onchoose) {
    this.onchoose = onchoose;
    this.names = [];
    this.active = 0;
    const id = `names-list-${++made}`;
    this.list = el("ul", { id, role: "listbox", class: "type-list",
      "aria-label": label, hidden: true });
    this.input = el("input", { type: "text", role: "combobox", class: "type-in",
      "aria-label": label, placeholder: label, autocomplete: "off",
      "aria-expanded": "false", "aria-controls": id, "aria-autocomplete": "list",
      spellcheck: "false", maxlength: 200, dir: "auto",
      oninput: () => this.offer(),
      onkeydown: (e) => this.key(e),
      onblur: () => setTimeout(() => this.leave(), 150) });
    this.node = el("div", { class: "type-ahead" }, this.input, this.list);
  }

  /* Whoever comes back meanwhile goes on. */
  leave() {
    if (document.activeElement !== this.input)
      this.close();
  }

  offer() {
    const typed = fold(this.input.value);
    const found = this.names.map((name) => [fold(name), name])
      .filter(([key]) => key.includes(typed))
      .sort((a, b) => b[0].startsWith(typed) - a[0].startsWith(typed));
    const exact = found.some(([key]) => key === typed);
    this.choices = typed === "" ? []
      : found.slice(0, SHOWN).map(([, name]) => ({ name }));
    if (typed !== "" && !exact)
      this.choices.push({ name: this.input.value.trim(), create: true });
    this.active = 0;
    this.draw();
  }

  draw() {
    const { id } = this.list;
    fill(this.list, this.choices.map((c, i) => el("li", {
      id: `${id}-${i}`, role: "option", class: c.create ? "create" : undefined,
      "aria-selected": i === this.active ? "true" : "false",
      onmousedown: (e) => {
        e.preventDefault();
        this.choose(c);
      },
    }, c.create && `${t("namesCreate")} `, el("bdi", {}, c.name))));
    this.list.hidden = this.choices.length === 0;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    if (this.list.hidden)
      this.input.removeAttribute("aria-activedescendant");
    else
      this.input.setAttribute("aria-activedescendant", `${id}-${this.active}`);
  }

  close() {
    this.choices = [];
    this.draw();
  }

  choose({ name }) {
    this.input.value = "";
    this.close();
    this.input.blur();
    this.onchoose(name);
  }

  key(e) {
    const n = this.choices?.length ?? 0;
    if (e.key === "Escape") {
      this.input.value = "";
      this.input.blur();
    } else if (n > 0 && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
      this.active = (this.active + (e.key === "ArrowDown" ? 1 : n - 1)) % n;
      this.draw();
      e.preventDefault();
    } else if (n > 0 && e.key === "Enter") {
      e.preventDefault();
      e.stopPropagation();
      this.choose(this.choices[this.active]);
    }
  }
}
