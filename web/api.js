/* The HTTP interface, as /api/v1/openapi.json describes it. */

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;  // 0: there was no answer
  }

  /* Will the same request succeed later? */
  get passes() {
    return this.status === 0 || this.status === 401 || this.status === 408
      || this.status === 429 || this.status >= 500 && this.status !== 501;
  }
}

const BASE = "/api/v1";
const needsToken = new EventTarget();

/* Calls `f` when the server asks for a token. */
export function onTokenNeeded(f) {
  needsToken.addEventListener("needed", f);
}

function address(path, query = {}) {
  const all = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== "")
        all.append(key, one);
  const text = all.toString();
  return path + (text ? `?${text}` : "");
}

/* {}: there is none, or none that can be read, as of a proxy. */
async function bodyOf(response) {
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.startsWith("application/json"))
    return {};
  try {
    return await response.json();
  } catch (error) {
    if (error.name === "AbortError")
      throw error;
    if (response.ok)
      throw new ApiError(0, error.message);
    return {};
  }
}

async function answerOf(response) {
  const body = await bodyOf(response);
  if (response.ok)
    return body;
  if (response.status === 401)
    needsToken.dispatchEvent(new Event("needed"));
  throw new ApiError(response.status,
    body.error ?? `${response.status} ${response.statusText}`);
}

/* Browsers do not know the types of all texts. */
function typeOf(file) {
  if (/^(image\/|text\/plain)/.test(file.type))
    return file.type;
  return file.type.startsWith("text/") || /\.(txt|md)$/i.test(file.name)
    ? "text/plain" : "application/octet-stream";
}

async function call(method, path, { query, json, file, signal } = {}) {
  const headers = {};
  let body;
  if (json !== undefined) {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(json);
  } else if (file !== undefined) {
    headers["Content-Type"] = typeOf(file);
    body = file;
  }
  let response;
  try {
    response = await fetch(address(path, query),
      { method, headers, body, signal, credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError")
      throw error;
    throw new ApiError(0, error.message);
  }
  return answerOf(response);
}

function of(collection, rest = "") {
  return `${BASE}/collections/${encodeURIComponent(collection)}${rest}`;
}

/* ---- the server ---- */

export const health = () => call("GET", "/health");
export const login = (token) =>
  call("POST", `${BASE}/session`, { json: { token } });
export const logout = () => call("DELETE", `${BASE}/session`);
export const collections = async () =>
  (await call("GET", `${BASE}/collections`)).collections;
export const collection = (c) => call("GET", of(c));

/* ---- items ---- */

export const items = (c, query, signal) =>
  call("GET", of(c, "/items"), { query, signal });
export const item = (c, id, signal) =>
  call("GET", of(c, `/items/${id}`), { signal });
export const addItem = (c, file) =>
  call("PUT", of(c, "/items"), { query: { name: file.name }, file });
export const addVector = (c, vector) =>
  call("POST", of(c, "/items"), { json: vector });
export const removeItem = (c, id) => call("DELETE", of(c, `/items/${id}`));
export const duplicates = (c) => call("GET", of(c, "/duplicates"));
export const explain = (c, id, other, top) =>
  call("GET", of(c, `/items/${id}/explain`), { query: { with: other, top } });
export const explainQuery = (c, id, json, top) =>
  call("POST", of(c, `/items/${id}/explain`), { query: { top }, json });
export const explainFile = (c, id, file, top) =>
  call("PUT", of(c, `/items/${id}/explain`), { query: { top }, file });
export const thumbnailUrl = (c, id, side = 256) =>
  of(c, `/items/${id}/thumbnail?side=${side}`);
export const originalUrl = (c, id) => of(c, `/items/${id}/original`);

/* ---- searches ---- */

export const search = (c, json, signal) =>
  call("POST", of(c, "/search"), { json, signal });
export const searchFile = (c, file, query, signal) =>
  call("PUT", of(c, "/search"), { file, query, signal });

/* ---- feedback and learning ---- */

export const addFeedback = (c, json) =>
  call("POST", of(c, "/feedback"), { json });
export const undoFeedback = (c, event) =>
  call("DELETE", of(c, `/feedback/${event}`));
export const feedback = (c, query) => call("GET", of(c, "/feedback"), { query });
export const learnStatus = (c) => call("GET", of(c, "/learn"));
export const learn = (c) => call("POST", of(c, "/learn"), { json: {} });
export const versions = async (c) =>
  (await call("GET", of(c, "/versions"))).versions;
export const useVersion = (c, version) =>
  call("POST", of(c, `/versions/${version}`), { json: {} });

/* ---- names of faces ---- */

export const review = (c, query, signal) =>
  call("GET", of(c, "/review"), { query, signal });
export const face = (c, id, signal) =>
  call("GET", of(c, `/faces/${id}`), { signal });
export const facesOf = (c, query) => call("GET", of(c, "/faces"), { query });
export const cropUrl = (c, { id, box }, side = 256) =>
  of(c, `/faces/${id}/crop?side=${side}${box ? `&at=${box}` : ""}`);
export const photoUrl = (c, id) => of(c, `/faces/${id}/photo?side=1024`);
export const photos = (c, query) => call("GET", of(c, "/photos"), { query });
export const pictureUrl = (c, id, side = 256) =>
  of(c, `/photos/${id}/picture?side=${side}`);
export const persons = (c) => call("GET", of(c, "/persons"));
export const unnamed = (c) => call("GET", of(c, "/unnamed"));
export const answers = (c, query) => call("GET", of(c, "/answers"), { query });
export const addAnswer = (c, json) => call("POST", of(c, "/answers"), { json });
export const drawFace = (c, json) => call("POST", of(c, "/faces"), { json });
export const undoAnswer = (c, number) =>
  call("DELETE", of(c, `/answers/${number}`));

/* ---- jobs ---- */

export const jobs = async () => (await call("GET", `${BASE}/jobs`)).jobs;
export const cancelJob = (job) => call("DELETE", `${BASE}/jobs/${job}`);
export const jobEvents = (job) =>
  new EventSource(`${BASE}/jobs/${job}/events`);
