/* What an item looks like: a picture, the beginning of a text, or a name. */
import * as api from "./api.js";
import { el, icon } from "./dom.js";

const SHAPE = { images: "picture", documents: "document", vectors: "vector" };

/* Pictures have a size, also those in a collection of texts. */
export const isPicture = (item) => item.width > 0;

/* The last part of a path says more than its folders. */
export const shortName = (item) => item.name.split("/").pop() || item.name;

export function picture(collection, item, side = 256) {
  return el("img", {
    class: "thumb", src: api.thumbnailUrl(collection, item.id, side), alt: "",
    decoding: "async", draggable: "false",
    onerror: (e) => e.target.replaceWith(icon("picture")),
  });
}

/* The face of a card. */
export function face(collection, kind, item, side) {
  if (isPicture(item))
    return el("span", { class: "face" }, picture(collection, item, side));
  if (item.snippet)
    return el("span", { class: "face text" }, item.snippet);
  return el("span", { class: "face plain" }, icon(SHAPE[kind]),
    el("span", { class: "face-name" }, shortName(item)));
}

export function labels(item) {
  return item.labels?.length > 0 && el("span", { class: "labels" },
    item.labels.slice(0, 3).map((x) => el("span", { class: "label" }, x)));
}

/* A small one, as the panels have it: a picture, or a name. */
export function chip(collection, kind, item) {
  if (isPicture(item))
    return face(collection, kind, item, 128);
  return [icon(item.snippet ? "document" : SHAPE[kind]),
    el("span", { class: "chip-name" }, shortName(item))];
}
