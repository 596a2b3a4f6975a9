/* What an item looks like: a picture, the beginning of a text, or a name. */
import * as api from "./api.js";
import { el, icon } from "./dom.js";

const SHAPE = { images: "picture", documents: "document", vectors: "vector",
  faces: "person" };

/* Pictures have a size, also those in a collection of texts. */
export const isPicture = (item) => item.width > 0;

/* Those that can be looked at; a face is cut out of its photo. */
export const isSeen = (item) => isPicture(item) || item.face === true;

/* Folders of collections end with .akin, which says nothing here. */
export const shownName = (collection) => collection.replace(/\.akin$/, "");

/* The last part of a path says more than its folders. Other names have slashes,
 * too, but do not end as files do. */
export const shortName = (item) => /\.\w{1,5}$/.test(item.name)
  ? item.name.split("/").pop() : item.name;

export function picture(collection, item, side = 256) {
  return el("img", {
    class: "thumb", src: item.face ? api.cropUrl(collection, item, side)
      : api.thumbnailUrl(collection, item.id, side), alt: "",
    decoding: "async", draggable: "false",
    onerror: (e) => e.target.replaceWith(icon(item.face ? "person" : "picture")),
  });
}

/* The server keeps 200 characters of a text, whatever word they end in. */
const KEPT = 200;

export function snippet(item) {
  return [...item.snippet].length < KEPT - 1 ? item.snippet
    : item.snippet.replace(/\s+\S*$/, " …");
}

/* The face of a card. */
export function face(collection, kind, item, side) {
  if (isSeen(item))
    return el("span", { class: "face" }, picture(collection, item, side));
  if (item.snippet)
    return el("span", { class: "face text" }, snippet(item));
  return el("span", { class: "face plain" }, icon(SHAPE[kind]),
    el("span", { class: "face-name" }, shortName(item)));
}

export function labels(item) {
  return item.labels?.length > 0 && el("span", { class: "labels" },
    item.labels.slice(0, 3).map((x) => el("span", { class: "label" }, x)));
}

/* A small one, as the panels have it: a picture, or a name. */
export function chip(collection, kind, item) {
  if (isSeen(item))
    return face(collection, kind, item, 128);
  return [icon(item.snippet ? "document" : SHAPE[kind]),
    el("span", { class: "chip-name" }, shortName(item))];
}
