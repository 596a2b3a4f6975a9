/* Feedback on its way to the server. An entry stays in the browser until the
 * server has said that it is on the disk: it survives a reload, a lost
 * connection and a full disk. It is sent again with the same key, so that the
 * server stores it once however often it arrives. */
import * as api from "./api.js";
import { load, store } from "./settings.js";

const UNSAVED = "unsaved";   // entries, oldest first
const NUMBERS = "saved";     // [key, number of the event], newest last
const NUMBERS_KEPT = 500;
const WAIT_FIRST = 1000, WAIT_MOST = 30000;  // milliseconds

/* Where entries go: how one is sent, undone, and the numbers in the reply. */
const ROUTES = {
  feedback: [api.addFeedback, api.undoFeedback, (reply) => reply.event],
  answers: [api.addAnswer, api.undoAnswer, (reply) => reply.answers],
  faces: [api.drawFace, api.undoAnswer, (reply) => reply.answers],
};

const changes = new EventTarget();
let entries = load(UNSAVED, []);
let numbers = new Map(load(NUMBERS, []));
let sending = null;  // the entry that is on its way
let wait = WAIT_FIRST;
let timer = 0;
let problem = "";
const waiting = new Map();  // key: functions that want to know how it went
const replies = new Map();  // key: what the server said

export const count = () => entries.length;
export const isSending = () => sending !== null;
export const lastProblem = () => problem;
export const all = () => entries.slice();
export const isUnsaved = (key) => entries.some((e) => e.key === key);
export const eventOf = (key) => numbers.get(key);
export const replyOf = (key) => replies.get(key);

export function onChange(f) {
  changes.addEventListener("change", f);
}

export function offChange(f) {
  changes.removeEventListener("change", f);
}

export function onRefused(f) {
  changes.addEventListener("refused", (e) => f(e.detail));
}

function changed() {
  store(UNSAVED, entries);
  changes.dispatchEvent(new Event("change"));
}

/* Other windows of this page share the list. */
addEventListener("storage", (e) => {
  if (e.key !== `akin.${UNSAVED}`)
    return;
  entries = load(UNSAVED, []);
  numbers = new Map(load(NUMBERS, []));
  changes.dispatchEvent(new Event("change"));
});
addEventListener("online", () => sendNow());

/* 128 random bits; crypto.randomUUID is absent on plain HTTP. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

function tell(key, result) {
  for (const f of waiting.get(key) ?? [])
    f(result);
  waiting.delete(key);
}

function put(entry) {
  entries = [...load(UNSAVED, entries), entry];
  const told = new Promise((resolve) => {
    waiting.set(entry.key, [resolve]);
  });
  changed();
  sendNow();
  return told;
}

/* Send an event, or an answer about faces. Resolves after the first attempt:
 * "saved", "waiting" (it is sent again later), or "refused". */
export function add(collection, body, to = "feedback") {
  return put({ key: body.key, collection, body, to });
}

/* Undo the event that was sent with a key. One that has not left yet never
 * leaves. */
export function undoKey(collection, key, to = "feedback") {
  if (isUnsaved(key) && sending?.key !== key) {
    drop(key);
    tell(key, "saved");
    return Promise.resolve("saved");
  }
  return put({ key: newKey(), collection, undoes: key, to });
}

export function undoEvent(collection, number, to = "feedback") {
  return put({ key: newKey(), collection, undoesNumber: number, to });
}

function drop(key) {
  entries = load(UNSAVED, entries).filter((e) => e.key !== key);
  changed();
}

function remember(key, number) {
  numbers.set(key, number);
  store(NUMBERS, [...numbers].slice(-NUMBERS_KEPT));
}

async function deliver(entry) {
  const [send, undo, numbersOf] = ROUTES[entry.to ?? "feedback"];
  if (entry.body) {
    const reply = await send(entry.collection, entry.body);
    remember(entry.key, numbersOf(reply));
    if (waiting.has(entry.key))
      replies.set(entry.key, reply);
    return;
  }
  const found = entry.undoesNumber ?? numbers.get(entry.undoes) ?? [];
  for (const number of [found].flat())
    await undo(entry.collection, number);
}

function tryLater(error) {
  problem = error.message;
  clearTimeout(timer);
  timer = setTimeout(sendNow, wait);
  wait = Math.min(2 * wait, WAIT_MOST);
  for (const entry of entries)
    tell(entry.key, "waiting");
}

/* One after the other: an event is stored before it is undone. */
export async function sendNow() {
  if (sending !== null)
    return;
  clearTimeout(timer);
  while (entries.length > 0) {
    sending = entries[0];
    changes.dispatchEvent(new Event("change"));
    try {
      await deliver(sending);
      wait = WAIT_FIRST;
      problem = "";
      drop(sending.key);
      tell(sending.key, "saved");
    } catch (error) {
      if (!(error instanceof api.ApiError) || error.passes) {
        tryLater(error);
        break;
      }
      const { key } = sending;
      drop(key);
      tell(key, "refused");
      changes.dispatchEvent(new CustomEvent("refused", { detail: error }));
    }
  }
  sending = null;
  changes.dispatchEvent(new Event("change"));
}
