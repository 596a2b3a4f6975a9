/* Names of faces: a person says who is who. The face that helps most comes
 * first; all that was said is kept like feedback. */
import * as api from "./api.js";
import { el, fill, takesLetters } from "./dom.js";
import { ChangedPart, PeoplePart, PersonPart, UnnamedPart } from "./people.js";
import { PhotosPart } from "./photos.js";
import { ReviewPart } from "./review.js";
import { followJob } from "./jobs.js";
import { t } from "./text.js";

const PARTS = {
  review: [ReviewPart, "namesReview"],
  people: [PeoplePart, "namesPeople"],
  unnamed: [UnnamedPart, "namesUnnamed"],
  photos: [PhotosPart, "namesPhotos"],
  changed: [ChangedPart, "namesChanged"],
  person: [PersonPart, "namesPeople"],
  face: [ReviewPart, "namesReview"],
  photo: [PhotosPart, "namesPhotos"],
};
const TABS = ["review", "people", "unnamed", "photos", "changed"];

export class NamesView {
  constructor(app) {
    this.app = app;
    this.collection = app.collection.name;
    this.tabs = el("nav", { class: "names-tabs", "aria-label": t("viewNames") });
    this.place = el("div", { class: "names-place" });
    this.line = el("p", { class: "hint names-line", role: "status" });
    this.privacy = el("p", { class: "hint privacy" }, t("namesPrivacy"));
    this.node = el("section", { class: "view names",
      "aria-label": t("viewNames") },
    el("h1", {}, t("viewNames")), this.tabs, this.line, this.place,
    this.privacy);
    this.onKey = (e) => this.key(e);
  }

  async enter(what, argument) {
    addEventListener("keydown", this.onKey);
    await this.show(what, argument);
  }

  leave() {
    removeEventListener("keydown", this.onKey);
  }

  async show(what, argument) {
    const name = PARTS[what] ? what : "review";
    const [Part, title] = PARTS[name];
    fill(this.tabs, TABS.map((tab) => el("a", {
      href: this.app.address("names", tab),
      "aria-current": PARTS[tab][1] === title ? "page" : undefined,
    }, t(PARTS[tab][1]))));
    this.part = new Part(this);
    fill(this.place, this.part.node);
    fill(this.line, t("loading"));
    this.showPlace(false);  // nothing moves while it loads
    try {
      await this.part.load(argument);
    } catch (error) {
      fill(this.line, t("failed", { why: error.message }));
      throw error;
    } finally {
      this.showPlace(true);
    }
  }

  showPlace(isLoaded) {
    this.place.hidden = this.privacy.hidden = !isLoaded;
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || takesLetters(e.target)
      || document.querySelector("dialog[open]"))
      return;
    this.part?.key?.(e);
  }

  /* What the server knows, once it has learned the names. */
  async ask(request) {
    for (;;) {
      const found = await request();
      if (found.job === undefined) {
        fill(this.line);
        return found;
      }
      fill(this.line, t("namesLearning"));
      const job = await followJob({ job: found.job });
      if (job.state !== "done")
        throw new api.ApiError(400, job.error ?? t("jobCancelled"));
    }
  }

  /* All names, for those who type one. */
  async names() {
    const { persons } = await this.ask(() => api.persons(this.collection));
    return persons.map((p) => p.name);
  }
}
