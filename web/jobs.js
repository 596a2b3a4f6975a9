/* Long work of the server, with its progress as it comes. */
import * as api from "./api.js";
import { shownName } from "./cards.js";
import { button, el, fill } from "./dom.js";
import { duration, t } from "./text.js";

const STATES = {
  waiting: "jobWaiting", running: "jobRunning", done: "jobDone",
  failed: "jobFailed", cancelled: "jobCancelled",
};
const KINDS = {
  learn: "jobLearn", add: "jobAdd", remove: "jobRemove",
  duplicates: "jobDuplicates", names: "jobNames",
  captions: "jobCaptions",
};
const AGAIN = 2000;  // milliseconds between looks at the list

const hasEnded = (job) => ["done", "failed", "cancelled"].includes(job.state);

/* Follow a job, {job: its number}, to its end; `seen` gets each state. Resolves
 * to the last. */
export function followJob(job, seen = () => {}) {
  if (job.state)
    seen(job);
  if (hasEnded(job))
    return Promise.resolve(job);
  return new Promise((resolve, reject) => {
    const source = api.jobEvents(job.job);
    source.addEventListener("progress", (e) => seen(JSON.parse(e.data)));
    source.addEventListener("end", (e) => {
      source.close();
      const last = JSON.parse(e.data);
      seen(last);
      resolve(last);
    });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED)
        reject(new api.ApiError(0, t("noAnswer")));
    });
  });
}

function outcome({ version, added, changed, removed, faces, captions }) {
  if (captions !== undefined)
    return t("jobTaught", { n: captions });
  if (faces !== undefined)
    return t("jobNamed", { n: faces });
  if (version !== undefined)
    return t("learned", { n: version });
  if (removed !== undefined)
    return t("jobRemoved", { n: removed });
  return changed > 0 ? t("replaced", { n: changed }) : t("added", { n: added });
}

export class JobsView {
  constructor(app) {
    this.app = app;
    this.rows = new Map();  // number: element
    this.list = el("ul", { class: "jobs" });
    this.hint = el("p", { class: "hint" }, t("loading"));
    this.node = el("section", { class: "view jobs-view",
      "aria-label": t("jobsTitle") },
    el("h1", {}, t("jobsTitle")), this.hint, this.list);
  }

  async enter() {
    this.isOpen = true;
    await this.look();
  }

  leave() {
    this.isOpen = false;
    clearTimeout(this.timer);
  }

  async show() {}

  /* New jobs; those that are known report by themselves. */
  async look() {
    const all = await api.jobs().catch(() => null);
    if (!this.isOpen)
      return;
    if (all) {
      this.hint.textContent = all.length === 0 ? t("jobsNone") : "";
      for (const job of all)
        if (!this.rows.has(job.job))
          this.begin(job);
    }
    this.timer = setTimeout(() => this.look(), AGAIN);
  }

  begin(job) {
    const facts = el("div", { class: "job-facts" });
    const cancel = !hasEnded(job) && !this.app.readOnly && button(t("cancel"),
      () => api.cancelJob(job.job).catch(() => {}),
      { kind: "quiet", label: t("jobCancel", { n: job.job }) });
    const row = el("li", { class: "job" }, facts, cancel);
    this.rows.set(job.job, row);
    this.list.prepend(row);
    followJob(job, (now) => {
      this.update(facts, now);
      if (cancel && hasEnded(now))
        cancel.remove();
    }).catch(() => {
      this.rows.delete(job.job);
      row.remove();
    });
  }

  /* The button stays the same while they change: a click takes a moment. */
  update(facts, job) {
    const progress = el("progress", { max: job.total || 1, "aria-label":
      t("jobNumber", { n: job.job }) });
    if (job.total > 0)
      progress.value = job.done;
    fill(facts,
      el("span", { class: "job-kind" }, t(KINDS[job.kind] ?? "jobAdd")),
      el("span", { class: "job-where" }, shownName(job.collection)),
      el("span", { class: `state ${job.state}` }, t(STATES[job.state])),
      job.state === "running" && progress,
      job.state === "running" && job.total > 0 && el("span",
        { class: "hint" }, t("jobProgress", job)),
      hasEnded(job) && job.seconds !== undefined && el("span",
        { class: "hint" }, duration(job.seconds)),
      job.result && el("span", {}, outcome(job.result)),
      job.error && el("span", { class: "error-text" }, job.error));
  }
}
