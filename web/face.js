/* What a face looks like: itself, its photo with all boxes; and how sure its
 * name is. Names are text of others: each is isolated, so that one that turns
 * the direction of writing does so for itself alone. */
import * as api from "./api.js";
import { el, icon, svg } from "./dom.js";
import { percent, t } from "./text.js";

export const shownPerson = (name) =>
  el("bdi", { class: "person-name" }, name ?? t("namesNobody"));

export function headShot(collection, face, side = 256) {
  if (!face.picture)
    return el("span", { class: "head none" }, icon("person"),
      el("span", { class: "hint" }, `#${face.id}`));
  return el("span", { class: "head" }, el("img", {
    class: "thumb", src: api.cropUrl(collection, face, side), alt: "",
    decoding: "async", draggable: "false",
    onerror: (e) => e.target.replaceWith(icon("person")),
  }));
}

function box(face, kind) {
  const [x, y, width, height] = face.box;
  return svg("rect", { class: `box ${kind}`, x, y, width, height, rx: 4,
    "data-face": kind === "current" ? undefined : face.id },
  svg("title", {}, face.name ?? t("namesNobody")));
}

export const hasPhoto = (face) => face.picture && face.width > 0;

/* The photo, with the face at hand and the others in it; `editable`: it is not
 * only looked at. */
export function photo(collection, face, editable) {
  if (!hasPhoto(face))
    return el("p", { class: "hint" }, t("namesNoPhoto"));
  return svg("svg", { class: "photo", role: editable ? "group" : "img",
    "aria-label": t("namesPhoto", { photo: face.photo }),
    viewBox: `0 0 ${face.width} ${face.height}` },
  svg("image", { href: api.photoUrl(collection, face.id),
    width: face.width, height: face.height,
    onload: (e) => e.target.classList.add("loaded") }),
  face.others.filter((f) => f.box).map((f) => box(f, f.said ? "said" : "other")),
  box(face, "current"));
}

/* A head shot with its name, and whether a person said it. */
export function faceCard(collection, face, { onselect, checked, href } = {}) {
  const inside = [headShot(collection, face), el("span", { class: "card-line" },
    shownPerson(face.name),
    el("span", { class: "hint" }, face.said ? t("namesSaid")
      : percent(face.probability, 0)))];
  if (href)
    return el("a", { class: "face-card", href }, inside);
  return el("label", { class: "face-card" },
    el("input", { type: "checkbox", checked, value: face.id,
      onchange: (e) => onselect(face, e.target.checked) }), inside);
}
