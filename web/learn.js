/* Learning: what the versions of the model are worth, and which one is used. */
import * as api from "./api.js";
import { curve } from "./chart.js";
import { button, el, fill } from "./dom.js";
import { followJob } from "./jobs.js";
import { message } from "./messages.js";
import { number, percent, t } from "./text.js";

const VERDICTS = {
  better: "verdictBetter", same: "verdictSame", worse: "verdictWorse",
};

const isMeasured = (v) => typeof v.held_out === "number"
  && typeof v.baseline === "number";

export class LearnView {
  constructor(app) {
    this.app = app;
    this.collection = app.collection.name;
    this.learnButton = button(t("learnNow"), () => this.learn(),
      { shape: "learn", kind: "primary" });
    this.progress = el("p", { class: "hint", role: "status" });
    this.body = el("div", { class: "learn-body" });
    this.node = el("section", { class: "view learn",
      "aria-label": t("learnTitle") },
    el("div", { class: "view-head" }, el("h1", {}, t("learnTitle")),
      this.progress, !app.readOnly && this.learnButton),
    this.body);
  }

  async enter() {
    await this.load();
    const { job } = await api.learnStatus(this.collection);
    if (["waiting", "running"].includes(job?.state)
      && !this.learnButton.disabled)  // not that of a click meanwhile
      this.follow(job);
  }

  leave() {}

  async show() {}

  async load() {
    const [status, versions] = await Promise.all([
      api.learnStatus(this.collection), api.versions(this.collection)]);
    const measured = versions.filter((v) => isMeasured(v) && !v.user);
    fill(this.body, this.tiles(status, versions),
      el("section", { class: "block" },
        el("h2", {}, t("learnCurve")),
        el("p", { class: "hint" }, t("learnHeldOutWhy")),
        measured.length > 1 ? curve(measured)
          : el("p", { class: "hint" }, t("learnCurveNone"))),
      el("section", { class: "block" },
        el("h2", { id: "versions-title" }, t("versions")),
        this.table(versions)));
  }

  /* ---- the figures ---- */

  tiles(status, versions) {
    const used = versions.find((v) => v.in_use && !v.user) ?? {};
    const tile = (title, value, hint) => el("div", { class: "tile" },
      el("dt", {}, title), el("dd", {}, value),
      hint && el("dd", { class: "hint" }, hint));
    return el("dl", { class: "tiles" },
      tile(t("learnEvents"), number(status.events)),
      tile(t("learnInUse"), number(status.version)),
      isMeasured(used) && tile(t("learnHeldOut"), percent(used.held_out)),
      isMeasured(used) && tile(t("learnBaseline"), percent(used.baseline)),
      used.nonzeros !== undefined && tile(t("learnWeights"),
        percent(used.nonzeros / used.parameters, 0),
        t("weightsOf", { n: used.nonzeros, all: used.parameters })));
  }

  table(versions) {
    const heads = ["version", "versionLearner", "versionEvents", "versionHeld",
      "versionBase", "versionVerdict", "versionWeights"];
    return el("div", { class: "table-frame", tabindex: "0", role: "region",
      "aria-labelledby": "versions-title" },
    el("table", {},
      el("thead", {}, el("tr", {}, heads.map((h) =>
        el("th", { scope: "col" }, t(h))),
      el("td", {}))),
      el("tbody", {}, versions.toReversed().map((v) => this.row(v)))));
  }

  row(v) {
    const learned = v.version > 0;
    const cells = [
      v.learner ?? t(learned ? "versionGiven" : "versionStart"),
      v.events !== undefined ? number(v.events) : "",
      isMeasured(v) ? percent(v.held_out) : "",
      isMeasured(v) ? percent(v.baseline) : "",
      !learned || v.events === undefined ? ""
        : el("span", { class: `state ${v.verdict ?? ""}` },
          t(VERDICTS[v.verdict] ?? "verdictNone")),
      v.nonzeros !== undefined ? this.weights(v) : "",
    ];
    return el("tr", { class: v.in_use ? "used" : "" },
      el("th", { scope: "row" }, v.version,
        v.user && ` ${t("versionFor", { user: v.user })}`),
      cells.map((c) => el("td", {}, c)),
      el("td", {}, v.in_use ? el("span", { class: "state done" },
        t("versionInUse"))
        : !this.app.readOnly && !v.user && button(t("versionUse"), () => this.use(v),
          { kind: "quiet", label: t("versionUseLabel", { n: v.version }) })));
  }

  weights(v) {
    const bar = el("span", { class: "bar" });
    bar.style.setProperty("--share", v.nonzeros / v.parameters);
    return el("span", { class: "weights" }, bar,
      el("span", {}, t("weightsOf", { n: v.nonzeros, all: v.parameters })));
  }

  /* ---- what can be done ---- */

  async use(v) {
    try {
      await api.useVersion(this.collection, v.version);
      message(t("usesVersion", { n: v.version }));
      await this.load();
    } catch (error) {
      message(t("failed", { why: error.message }), "error");
    }
  }

  async learn() {
    this.learnButton.disabled = true;
    try {
      await this.follow(await api.learn(this.collection));
    } catch (error) {
      message(t("failed", { why: error.message }), "error");
      this.learnButton.disabled = false;
    }
  }

  async follow(job) {
    this.learnButton.disabled = true;
    try {
      const ended = await followJob(job, (now) => {
        this.progress.textContent = now.total > 0 ? t("jobProgress", now)
          : t("learnRunning");
      });
      if (ended.state === "failed")
        message(t("failed", { why: ended.error }), "error");
      else if (ended.result)
        message(t("learned", { n: ended.result.version }));
      await this.load();
    } finally {
      this.progress.textContent = "";
      this.learnButton.disabled = false;
    }
  }
}
