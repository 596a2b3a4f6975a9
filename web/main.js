/* The page: which collection and view is shown follows from the address,
 *   #/COLLECTION/VIEW/WHAT/ARGUMENT
 * so that links, reloads and the back button work. */
import * as api from "./api.js";
import { BrowseView } from "./browse.js";
import { shownName } from "./cards.js";
import { openDialog } from "./dialogs.js";
import { button, el, fill, icon, iconButton, takesLetters } from "./dom.js";
import { HistoryView } from "./history.js";
import { JobsView } from "./jobs.js";
import { LearnView } from "./learn.js";
import { login } from "./login.js";
import { message } from "./messages.js";
import { NamesView } from "./names.js";
import { openPreferences } from "./preferences.js";
import * as queue from "./queue.js";
import { SearchView } from "./search.js";
import { applyTheme } from "./settings.js";
import { language, number, t } from "./text.js";

const VIEWS = {
  search: [SearchView, "viewSearch", "search"],
  names: [NamesView, "viewNames", "person"],
  browse: [BrowseView, "viewBrowse", "grid"],
  feedback: [HistoryView, "viewHistory", "history"],
  learning: [LearnView, "viewLearn", "learn"],
  jobs: [JobsView, "viewJobs", "jobs"],
};

const header = document.getElementById("header");
const place = document.getElementById("main");
const skip = document.getElementById("skip");

/* What views know of the page. */
const app = {
  collections: [],
  collection: null,
  readOnly: false,

  address(view, rest = "") {
    return `#/${encodeURIComponent(this.collection.name)}/${view}`
      + (rest ? `/${rest}` : "");
  },

  /* False: the page is there already. */
  go(view, rest) {
    const to = this.address(view, rest);
    if (location.hash === to)
      return false;
    location.hash = to;
    return true;
  },

  /* How many items there are may have changed. */
  async refresh() {
    Object.assign(this.collection, await api.collection(this.collection.name));
    showHeader();
  },
};

let view = null, shown = "";

/* Only faces have names. */
const hasView = (name, collection) =>
  VIEWS[name] && (name !== "names" || collection.kind === "faces");

/* ---- the header ---- */

function chooser() {
  const select = el("select", {
    id: "collection", "aria-label": t("collection"),
    onchange: () => {
      location.hash = `#/${encodeURIComponent(select.value)}/${place.dataset.view}`;
    },
  }, app.collections.map((c) => el("option",
    { value: c.name, selected: c === app.collection },
    `${shownName(c.name)} · ${number(c.items)}`)));
  return select;
}

const state = el("button", { type: "button", class: "save-state",
  onclick: () => showUnsaved() });

/* How many are unsaved is never hidden. */
function showState() {
  const n = queue.count();
  const stuck = n > 0 && queue.lastProblem() !== "";
  state.className = `save-state ${n === 0 ? "saved" : stuck ? "stuck" : "busy"}`;
  fill(state, icon(n === 0 ? "saved" : "unsaved"), el("span", {},
    n === 0 ? t("allSaved") : t("unsaved", { n })));
}

function showUnsaved() {
  const n = queue.count();
  const dialog = openDialog(t("unsavedTitle"), "narrow",
    el("p", {}, n === 0 ? t("unsavedNone") : t("unsaved", { n })),
    n > 0 && el("p", { class: "hint" }, t("unsavedWhy")),
    n > 0 && queue.lastProblem() && el("p", { class: "error-text" },
      queue.lastProblem()),
    n > 0 && el("footer", {}, button(t("retryNow"), () => {
      queue.sendNow();
      dialog.close();
    }, { kind: "primary" })));
}

function brand(href) {
  return el("a", { class: "brand", href },
    el("span", { class: "brand-mark", "aria-hidden": "true" }),
    el("span", { class: "brand-name" }, t("title")));
}

function showHeader() {
  fill(header,
    brand(app.address("search")),
    app.collections.length > 1 ? chooser()
      : el("span", { class: "only-collection" }, shownName(app.collection.name)),
    el("nav", { "aria-label": t("views") }, Object.entries(VIEWS)
      .filter(([name]) => hasView(name, app.collection))
      .map(([name, [, title, shape]]) => el("a", { href: app.address(name),
        "aria-current": place.dataset.view === name ? "page" : undefined },
      icon(shape), el("span", {}, t(title))))),
    el("div", { class: "header-end" },
      app.readOnly && el("span", { class: "state", title: t("readOnlyWhy") },
        t("readOnly")),
      state,
      iconButton("settings", t("settings"),
        () => openPreferences(app.hasToken))));
}

/* ---- where the page is ---- */

/* People cut addresses off anywhere. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function route() {
  const [, name = "", viewName, what, ...rest] = location.hash.split("/");
  const found = app.collections.find((c) => c.name === decoded(name));
  const collection = found ?? app.collections[0];
  if (name && !found)
    message(t("noCollection", { name: decoded(name) }), "error");
  return {
    collection, viewName: hasView(viewName, collection) ? viewName : "search",
    what,
    argument: decoded(rest.join("/")),
  };
}

/* What had the focus may be gone: the keyboard then goes on in the view. */
function keepFocus() {
  if (document.activeElement === document.body)
    view.focus?.();
  if (document.activeElement === document.body)
    place.focus();
}

async function follow() {
  if (app.collections.length === 0)
    return;  // begin() follows once they are known
  const { collection, viewName, what, argument } = route();
  const key = `${collection.name}/${viewName}`;
  const hadFocus = document.activeElement !== document.body;
  app.collection = collection;
  place.dataset.view = viewName;
  document.title = `${shownName(collection.name)} – ${t(VIEWS[viewName][1])} – akin`;
  try {
    if (key === shown) {
      await view.show(what, argument);
    } else {
      view?.leave();
      shown = key;
      view = new VIEWS[viewName][0](app);
      fill(place, view.node);
      showHeader();
      await view.enter(what, argument);
    }
    if (hadFocus)
      keepFocus();
  } catch (error) {
    if (error.name !== "AbortError" && error.status !== 401)
      message(error.status === 0 ? t("noAnswer")
        : t("failed", { why: error.message }), "error");
  }
}

/* ---- files dropped anywhere ---- */

function watchDrops() {
  const hint = el("span");
  const sheet = el("div", { class: "drop-sheet", "aria-hidden": "true" },
    el("p", {}, icon("upload"), hint));
  let depth = 0;  // enter and leave come for each element on the way
  const hasFiles = (e) => e.dataTransfer?.types.includes("Files");
  const show = (isOver) => {
    hint.textContent = view?.dropHint?.() ?? "";
    sheet.classList.toggle("over", isOver && hint.textContent !== "");
  };
  document.body.append(sheet);
  addEventListener("dragenter", (e) => hasFiles(e) && show(++depth > 0));
  addEventListener("dragleave", (e) => hasFiles(e) && show(--depth > 0));
  addEventListener("dragover", (e) => hasFiles(e) && e.preventDefault());
  addEventListener("drop", (e) => {
    if (!hasFiles(e))
      return;
    e.preventDefault();
    depth = 0;
    show(false);
    if (view?.dropHint?.())
      view.dropped([...e.dataTransfer.files]);
  });
}

function watchKeys() {
  addEventListener("keydown", (e) => {
    if (e.key === "?" && !takesLetters(e.target)
      && !document.querySelector("dialog[open]"))
      openPreferences(app.hasToken);
  });
}

/* ---- the start ---- */

let signingIn = null;

/* Several requests may be refused at once; one form is enough. */
async function signIn() {
  if (signingIn)
    return;
  view?.leave();
  view = null;
  shown = "";
  fill(header, brand("#"), el("div", { class: "header-end" }, state));
  signingIn = login(place);
  await signingIn;
  signingIn = null;
  queue.sendNow();
  await begin();
}

async function begin() {
  const { read_only, token } = await api.health();
  app.readOnly = read_only;
  app.hasToken = token;
  app.collections = await api.collections();
  if (app.collections.length === 0) {
    fill(place, el("p", { class: "hint" }, t("noCollections")));
    return;
  }
  shown = "";
  await follow();
}

function cannotBegin(error) {
  if (error.status === 401)
    return;
  fill(place, el("div", { class: "empty" },
    el("p", {}, error.status === 0 ? t("noAnswer")
      : t("failed", { why: error.message })),
    button(t("again"), () => begin().catch(cannotBegin), { kind: "primary" })));
}

applyTheme();
document.documentElement.lang = language;
skip.textContent = t("skip");
skip.addEventListener("click", (e) => {
  e.preventDefault();  // the address names the view
  place.focus();
});
api.onTokenNeeded(() => signIn().catch(cannotBegin));
queue.onChange(showState);
queue.onRefused((error) =>
  message(t("unsavedRefused", { why: error.message }), "error"));
showState();
watchDrops();
watchKeys();
addEventListener("hashchange", follow);
begin().then(() => queue.sendNow()).catch(cannotBegin);
