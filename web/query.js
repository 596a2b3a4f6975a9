/* What is looked for: an item of the collection, a text, or a file. */
import * as api from "./api.js";

class Query {
  /* The fields of a search that name the query. */
  fields() {
    return {};
  }

  /* Searches. `examples`: feedback that the server does not have yet. */
  search(collection, options, examples, signal) {
    const { like = [], ...fields } = this.fields();
    const json = { ...fields, ...options };
    const likes = [...like, ...examples.good];
    if (likes.length > 0)
      json.like = likes;
    if (examples.bad.length > 0)
      json.unlike = examples.bad;
    return api.search(collection, json, signal);
  }
}

export class ItemQuery extends Query {
  constructor(item) {
    super();
    this.kind = "item";
    this.item = item;
    this.route = `item/${item.id}`;
  }

  fields() {
    return { like: [this.item.id] };
  }

  event() {
    return { query: this.item.id };
  }
}

export class TextQuery extends Query {
  constructor(text) {
    super();
    this.kind = "text";
    this.text = text;
    this.route = `text/${encodeURIComponent(text)}`;
  }

  fields() {
    return { text: this.text };
  }

  event() {
    return { query: this.text };
  }
}

export class FileQuery extends Query {
  constructor(file) {
    super();
    this.kind = "file";
    this.file = file;
    this.route = "file";
    this.features = null;  // as the server described it
    this.url = file.type.startsWith("image/") ? URL.createObjectURL(file) : "";
  }

  fields() {
    return { features: this.features };
  }

  /* The file is sent once; afterwards its features are the query. Another
   * version of the model may have others. */
  async search(collection, options, examples, signal) {
    const isOwn = options.version === undefined;
    if (isOwn && this.features !== null)
      return super.search(collection, options, examples, signal);
    const found = await api.searchFile(collection, this.file, options, signal);
    if (isOwn)
      this.features = found.features ?? null;
    return found;
  }

  event() {
    return { query: this.file.name || "file", features: this.features };
  }
}
