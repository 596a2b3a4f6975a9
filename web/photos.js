/* Photos in which no face was found: a person draws what was missed. */
import * as api from "./api.js";
import { BoxEditor } from "./boxes.js";
import { el, fill, svg } from "./dom.js";
import { message } from "./messages.js";
import * as queue from "./queue.js";
import { say } from "./review.js";
import { t } from "./text.js";

const SHOWN = 200;

export class PhotosPart {
  constructor(view) {
    this.view = view;
    this.collection = view.collection;
    this.node = el("div", { class: "photos" });
    this.boxes = new BoxEditor({ onkeep: (box) => this.keepBox(box) });
  }

  async load(id) {
    const { total, photos } = await this.view.ask(() =>
      api.photos(this.collection, { top: SHOWN }));
    this.photo = photos.find((p) => p.photo_id === Number(id));
    if (id !== undefined && this.photo)
      this.draw();
    else
      this.list(total, photos);
  }

  list(total, photos) {
    fill(this.node, el("p", { class: "hint" }, t("photosCount", { n: total })),
      el("ul", { class: "face-grid" }, photos.map((p) => el("li", {}, el("a", {
        class: "face-card", title: p.photo,
        href: this.view.app.address("names", `photo/${p.photo_id}`),
      }, el("span", { class: "head" }, el("img", { class: "thumb", alt: "",
        src: api.pictureUrl(this.collection, p.photo_id), decoding: "async" })),
      el("span", { class: "card-line" }, el("bdi", {}, p.photo)))))));
    fill(this.view.line);
  }

  draw() {
    const { photo_id: id, photo, width, height, caption } = this.photo;
    const shown = svg("svg", { class: "photo", role: "group",
      "aria-label": t("namesPhoto", { photo }),
      viewBox: `0 0 ${width} ${height}` },
    svg("image", { href: api.pictureUrl(this.collection, id, 1024), width, height }));
    const editable = !this.view.app.readOnly;
    fill(this.node, el("figure", { class: "review-photo" },
      editable && this.boxes.node, shown, caption && el("figcaption", {},
        el("p", { class: "caption", dir: "auto" }, el("bdi", {}, caption)))));
    if (editable)
      this.boxes.attach(shown, { width, height });
    fill(this.view.line);
  }

  /* The new face is asked about next. */
  async keepBox(box) {
    const told = say(this.collection, { photo_id: this.photo.photo_id, box },
      "faces");
    const result = await told;
    if (result === "waiting")
      message(t("boxWaits"));
    const face = queue.replyOf(told.key)?.face;
    if (face === undefined) {
      this.draw();
      return;
    }
    await this.view.app.refresh();
    this.view.app.go("names", `face/${face}`);
  }
}
