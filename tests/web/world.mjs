/* What all tests of the page share: collections, the server, the browser. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu",
  "--disable-background-networking", "--disable-component-update",
  "--disable-sync"];
export const WAIT = 60000;  // milliseconds that anything may take
export const TOWN = "town.akin", NOTES = "notes.akin", FILMS = "films.akin",
  BOTH = "both.akin", PEOPLE = "people.akin";

export const world = {};
const tests = [];

/* ---- tests ---- */

export function test(name, run) {
  tests.push({ name, run });
}

/* One after the other; returns how many failed. */
export async function runAll(only) {
  let passed = 0, failed = 0;
  for (const { name, run } of tests) {
    if (only && !name.includes(only))
      continue;
    const begun = Date.now();
    try {
      await run();
      ++passed;
      console.log(`ok    ${name} (${Date.now() - begun} ms)`);
    } catch (error) {
      ++failed;
      console.log(`FAIL  ${name}\n${error.stack}`);
      await keepFailure(name);
    }
    for (const page of world.pages.splice(0).filter((p) => !p.isClosed())) {
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.context().close();
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed;
}

async function keepFailure(name) {
  const page = world.pages.at(-1);
  await page?.screenshot({ path: path.join(world.output,
    `failed-${name.replace(/\W+/g, "-")}.png`) }).catch(() => {});
}

/* ---- collections ---- */

function run(...words) {
  const done = spawnSync(world.akin, words,
    { cwd: world.folder, encoding: "utf8" });
  assert.equal(done.status, 0, `akin ${words.join(" ")}: ${done.stderr}`);
}

const TOPICS = {
  rivers: "river bank water boat bridge fish flood valley ferry reed",
  money: "money bank loan credit interest account debt saving market rate",
  forest: "forest tree bird leaf moss trail shade deer oak pine",
};

/* Notes of ten words: six of their topic, four that all topics have. */
function writeNotes(folder) {
  const common = "morning people place story small great old long".split(" ");
  for (const [topic, text] of Object.entries(TOPICS)) {
    const words = text.split(" ");
    fs.mkdirSync(path.join(folder, topic), { recursive: true });
    for (let i = 0; i < 12; ++i) {
      const own = Array.from({ length: 6 }, (_, k) => words[(i + k) % 10]);
      const shared = Array.from({ length: 4 }, (_, k) => common[(i * 3 + k) % 8]);
      fs.writeFileSync(path.join(folder, topic, `${topic}${i}.txt`),
        `A note about ${own.join(" ")} and ${shared.join(" ")}.\n`);
    }
  }
  fs.writeFileSync(path.join(folder, "money",
    "<img src=x onerror=window.hacked=1>.txt"),
  "<script>window.hacked=1</script> bank \" onload='window.hacked=1' loan\n");
}

function writeFilms(folder) {
  const films = {
    crime: ["The Night Witness", "Cold Harbour", "Six Fingerprints", "The Ledger"],
    space: ["Far Side", "Red Orbit", "Perihelion", "Signal 9"],
    romance: ["Letters to June", "Second Summer", "Paper Roses", "Two Umbrellas"],
  };
  const rows = [], facts = ["name,label,year"];
  Object.entries(films).forEach(([label, names], k) => names.forEach((name, i) => {
    rows.push([0, 1, 2, 3].map((j) => j === k ? 2 : 0.1 * ((i + 2 * j) % 4)).join());
    facts.push(`${name},${label},${1960 + 10 * i + k}`);
  }));
  fs.writeFileSync(path.join(folder, "films.csv"), `${rows.join("\n")}\n`);
  fs.writeFileSync(path.join(folder, "facts.csv"), `${facts.join("\n")}\n`);
}

/* Pictures of the town with texts of some of its places, and a model of both. */
function makeBoth() {
  const { folder } = world;
  const places = ["a tower by the sea", "an iron bridge", "a garden wall",
    "the old market", "a church with a dome", "the railway station"];
  const texts = places.flatMap((place, k) => Array.from({ length: 7 }, (_, i) =>
    `caption ${k}${i},${place},landmark_0${k}`));
  fs.writeFileSync(path.join(folder, "captions.csv"),
    `id,text,label\n${texts.join("\n")}\n`);
  fs.cpSync(path.join(folder, TOWN), path.join(folder, BOTH),
    { recursive: true });
  run("documents", BOTH, "--add", "captions.csv", "--quiet");
  run("remove", BOTH, "--where", "name LIKE 'street%' OR name LIKE '%copy.jpg'",
    "--quiet");
  run("train", "rsl", "--data", `${BOTH}/words`, "--right", `${BOTH}/terms`,
    "--quiet", "--out", "both.safetensors");
  run("documents", BOTH, "--model", "both.safetensors");
}

/* Faces, found by a program that needs no dlib. */
function makePeople() {
  const here = path.dirname(new URL(import.meta.url).pathname);
  const folder = path.join(world.folder, "people");
  fs.mkdirSync(folder);
  const done = spawnSync("bash", ["-e", path.join(here, "people.sh")], {
    cwd: folder, encoding: "utf8", env: { ...process.env,
      PATH: `${path.dirname(world.akin)}:${process.env.PATH}`,
      CASES: path.join(here, "../cli/faces"),
      OUT: path.join(world.folder, PEOPLE) },
  });
  assert.equal(done.status, 0, done.stderr);
}

function makeCollections() {
  const { folder } = world;
  run("synth", "scenes", "--landmarks", "6", "--views", "7", "--others", "8",
    "--width", "320", "--height", "240", "--quiet", "--out", "town");
  fs.copyFileSync(path.join(folder, "town/landmark_02/001.jpg"),
    path.join(folder, "town/landmark_02/copy.jpg"));
  run("images", "town", "--words", "300", "--quiet", "--out", TOWN);
  writeNotes(path.join(folder, "notes"));
  run("documents", "notes", "--quiet", "--out", NOTES);
  writeFilms(folder);
  run("vectors", "films.csv", "--fields", "facts.csv", "--quiet", "--out", FILMS);
  makeBoth();
  makePeople();
}

/* ---- the server ---- */

/* Starts one over these collections; {url, stop()}. */
export function startServer(collections, ...flags) {
  const port = flags.includes("--port") ? [] : ["--port", "0"];
  const child = spawn(world.akin, ["serve", ...collections, ...port, ...flags],
    { cwd: world.folder, stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, AKIN_LIBEXEC: path.join(world.folder, "people/lib"),
        AKIN_FACES: path.join(world.folder, "people/weights") } });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  world.servers.push(stop);
  return new Promise((resolve, reject) => {
    let text = "";
    const look = (data) => {
      text += data;
      const found = /listening on (http:\S+)/.exec(text);
      if (found)
        resolve({ url: found[1], stop });
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", () => reject(new Error(`akin serve ended: ${text}`)));
  });
}

/* A request of the test itself. */
export async function ask(method, where, json, url = world.url) {
  const answer = await fetch(`${url}/api/v1/${where}`, {
    method,
    headers: json === undefined ? {} : { "Content-Type": "application/json" },
    body: json === undefined ? undefined : JSON.stringify(json),
  });
  assert.ok(answer.ok, `${method} ${where}: ${answer.status}`);
  return answer.json();
}

/* ---- the browser ---- */

/* A page that fails its test on any console error and on any request that
 * leaves the server. `expected`: a pattern of errors that belong to the test. */
export async function openPage(hash = "", options = {}) {
  const { url = world.url, expected, ...rest } = options;
  const context = await world.browser.newContext({
    viewport: { width: 1280, height: 860 }, locale: "en-GB",
    reducedMotion: "reduce", ...rest,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT);
  page.problems = [];
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type()) && !expected?.test(m.text()))
      page.problems.push(m.text());
  });
  page.on("pageerror", (e) => page.problems.push(e.stack));
  page.on("request", (r) => {
    if (!r.url().startsWith(url) && !/^(blob|data):/.test(r.url()))
      page.problems.push(`a request to ${r.url()}`);
  });
  world.pages.push(page);
  await page.goto(`${url}/${hash}`);
  return page;
}

export function noProblems(page) {
  assert.deepEqual(page.problems, []);
}

/* The first card of the results; they are there then. */
export async function firstCard(page) {
  const card = page.locator(".results .card").first();
  await card.waitFor();
  return card;
}

export async function names(page, list = ".results") {
  return page.locator(`${list} .card .card-main`)
    .evaluateAll((all) => all.map((x) => x.title));
}

/* An event with a file, {name, type, bytes}, as the browser makes it of what
 * was dropped or pasted. */
export function fileEvent(page, kind, { name, type, bytes }) {
  return page.evaluate(([event, title, mime, data]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(data),
      (c) => c.charCodeAt(0))], title, { type: mime }));
    const options = { bubbles: true, cancelable: true };
    document.body.dispatchEvent(event === "paste"
      ? new ClipboardEvent("paste", { ...options, clipboardData: transfer })
      : new DragEvent(event, { ...options, dataTransfer: transfer }));
  }, [kind, name, type, bytes.toString("base64")]);
}

/* All pictures are there, as far as they can be, and nothing moves. */
export async function settled(page) {
  await page.evaluate(() => Promise.all(
    [...document.images, ...document.querySelectorAll("svg image")]
      .map((i) => i.decode().catch(() => {}))));
  await page.evaluate(() => Promise.all(
    document.getAnimations().map((a) => a.finished.catch(() => {}))));
}

export async function shot(page, name) {
  await settled(page);
  await page.screenshot({ path: path.join(world.output, `${name}.png`) });
}

/* Until `f` gives something true; its value. */
export async function until(what, f) {
  const end = Date.now() + WAIT;
  for (;;) {
    const value = await f();
    if (value)
      return value;
    assert.ok(Date.now() < end, `waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/* ---- begin and end ---- */

export async function begin({ akin, output, modules, chromium }) {
  const require = createRequire(`${path.resolve(modules)}/`);
  world.akin = path.resolve(akin);
  world.output = path.resolve(output);
  world.folder = path.join(world.output, "data");
  world.axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  world.pages = [];
  world.servers = [];  // functions that stop them; also those that ended
  fs.rmSync(world.output, { recursive: true, force: true });
  fs.mkdirSync(world.folder, { recursive: true });
  makeCollections();
  world.url = (await startServer([TOWN, NOTES, FILMS, BOTH, PEOPLE])).url;
  world.browser = await require("playwright-core").chromium.launch(
    { executablePath: chromium, args: FLAGS });
}

export async function end() {
  await world.browser.close();
  for (const stop of world.servers)
    await stop();
}
