/* What was said about the answers to one query, in this session and before. */
import * as api from "./api.js";
import * as queue from "./queue.js";
import { load } from "./settings.js";

const EARLIER = 500;  // events that are looked at

export class Judgements {
  constructor(collection, query) {
    this.collection = collection;
    this.query = query;
    this.of = new Map();  // id: {item, verdict, key or number}
    this.done = [];       // actions, to be undone: {id, before, after}
  }

  /* What was said in earlier sessions, of which the last word counts. */
  async load() {
    const { kind, item, text } = this.query;
    if (kind === "file")
      return;
    const { events } = await api.feedback(this.collection,
      { query: item?.id, before: 0, top: EARLIER });
    for (const event of events)
      if (!event.undone && (kind === "item" || event.query?.text === text))
        this.takeEvent(event);
  }

  takeEvent(event) {
    for (const verdict of ["good", "bad"])
      for (const item of event[verdict])
        if (!this.of.has(item.id))
          this.of.set(item.id, { item, verdict, number: event.number });
  }

  verdict(id) {
    return this.of.get(id)?.verdict;
  }

  list(verdict) {
    return [...this.of.values()].filter((x) => x.verdict === verdict);
  }

  /* Those that the server does not have yet. */
  unsaved() {
    const ids = (verdict) => this.list(verdict)
      .filter((x) => x.key && queue.isUnsaved(x.key)).map((x) => x.item.id);
    return { good: ids("good"), bad: ids("bad") };
  }

  send(item, verdict) {
    const key = queue.newKey();
    const user = load("user", "");
    const body = { ...this.query.event(), key, [verdict]: [item.id] };
    if (user)
      body.user = user;
    const before = this.of.get(item.id) ?? null;
    const action = { before, after: { item, verdict, key } };
    this.of.set(item.id, action.after);
    return [action, queue.add(this.collection, body).then((result) => {
      if (result === "refused")
        this.forget(action);
      return result;
    })];
  }

  /* The server refused it: nothing was said. */
  forget(action) {
    const { before, after } = action;
    this.done = this.done.filter((x) => x !== action);
    if (this.of.get(after.item.id) !== after)
      return;
    this.of.delete(after.item.id);
    if (before)
      this.of.set(before.item.id, before);
  }

  /* An event of an earlier session may have several items. */
  takeAway(judged) {
    const { item, key, number } = judged;
    this.of.delete(item.id);
    if (key)
      return queue.undoKey(this.collection, key);
    const others = [...this.of.values()].filter((x) => x.number === number);
    const result = queue.undoEvent(this.collection, number);
    for (const other of others)  // what else the event says is said again
      this.send(other.item, other.verdict);
    return result;
  }

  /* Say it. The second time the same is said, it is taken back. Returns how the
   * storing went, see queue.add. */
  judge(item, verdict) {
    if (this.verdict(item.id) === verdict)
      return this.takeBack(item.id);
    const [action, result] = this.send(item, verdict);
    this.done.push(action);
    return result;
  }

  takeBack(id) {
    const before = this.of.get(id);
    this.done.push({ before, after: null });
    return this.takeAway(before);
  }

  /* Undo the last action; null: there is none. */
  undo() {
    const last = this.done.pop();
    if (!last)
      return null;
    const { before, after } = last;
    let result = after ? this.takeAway(after) : null;
    if (before && after) {
      this.of.set(before.item.id, before);  // its event still counts
    } else if (before) {
      [, result] = this.send(before.item, before.verdict);
    }
    return result;
  }
}
