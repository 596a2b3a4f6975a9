/* Captions: names are marked where they stand, and corrected by a person. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { ask, noProblems, openPage, shot, startServer, test, until, world }
  from "./world.mjs";

const PROSE = "prose.akin";
let server;

function make() {
  const here = path.dirname(new URL(import.meta.url).pathname);
  const folder = path.join(world.folder, "prose");
  fs.mkdirSync(folder);
  const done = spawnSync("bash", ["-e", path.join(here, "captions.sh")], {
    cwd: folder, encoding: "utf8", env: { ...process.env,
      PATH: `${path.dirname(world.akin)}:${process.env.PATH}`,
      CASES: path.join(here, "../cli/faces"),
      OUT: path.join(world.folder, PROSE) },
  });
  assert.equal(done.status, 0, done.stderr);
}

const call = (method, rest, json) => ask(method,
  `collections/${PROSE}/${rest}`, json, server.url);
const answers = async () => (await call("GET", "answers?top=1000")).answers
  .filter((a) => !a.undone);

async function face(id) {
  return until("what is known of a face", async () => {
    const found = await call("GET", `faces/${id}`);
    return found.id === id && found;
  });
}

/* A face of photo 1, with nothing said. */
async function openFirst(id = 0) {
  if (!server) {
    make();
    server = await startServer([PROSE]);
  }
  for (const { number } of await answers())
    await call("DELETE", `answers/${number}`);
  const page = await openPage(`#/${PROSE}/names/face/${id}`,
    { url: server.url });
  await page.locator(".caption mark").first().waitFor();
  return page;
}

const marks = (page) => page.locator(".caption mark").allTextContents();
const choices = (page) =>
  page.locator(".choice .person-name").allTextContents();
const tools = (page, name) => page.locator(".caption-tools")
  .getByRole("button", { name, exact: true });

/* As with a mouse: words of the caption. */
async function select(page, words) {
  await page.evaluate((wanted) => {
    const area = document.querySelector(".caption > bdi");
    const range = document.createRange();
    const nodes = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
    for (let n = nodes.nextNode(); n; n = nodes.nextNode()) {
      const at = n.data.indexOf(wanted);
      if (at < 0)
        continue;
      range.setStart(n, at);
      range.setEnd(n, at + wanted.length);
    }
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    area.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  }, words);
}

test("captions: names are marked by their places", async () => {
  const page = await openFirst();
  assert.deepEqual((await marks(page)).slice(0, 2),
    ["Zoë Müller", "Ruth Keller"]);
  const { names, caption } = await face(0);
  for (const { name, mentions } of names)
    for (const [start, end] of mentions)
      assert.equal([...caption].slice(start, end).join(""), name);
  const third = await openFirst(3);
  assert.deepEqual(await marks(third), ["Ruth Keller", "Karin Vogel", "Vogel"]);
  noProblems(page);
  noProblems(third);
});

test("captions: selected words are a person, and Z undoes", async () => {
  const page = await openFirst();
  const before = await marks(page);
  await select(page, " opening ");
  await tools(page, "This is a person").click();
  await until("stored", async () => (await answers())[0]?.kind === "person");
  const [answer] = await answers();
  assert.deepEqual([answer.name, answer.mention, answer.photo],
    ["opening", "opening", 0]);
  await until("marked", async () => (await marks(page)).includes("opening"));
  await until("a candidate", async () =>
    (await choices(page)).includes("opening"));
  await shot(page, "captions");
  await page.keyboard.press("z");
  await until("undone", async () => (await answers()).length === 0);
  await until("as before", async () =>
    JSON.stringify(await marks(page)) === JSON.stringify(before));
  noProblems(page);
});

test("captions: a name that is none leaves, and stays away", async () => {
  const page = await openFirst();
  await page.getByRole("button", { name: "Ruth Keller", exact: true }).click();
  await tools(page, "Not a person").click();
  await until("stored", async () => (await answers())[0]?.kind === "not-person");
  await until("unmarked", async () =>
    !(await marks(page)).includes("Ruth Keller"));
  assert.ok(!(await choices(page)).includes("Ruth Keller"));
  await page.reload();
  await page.locator(".caption mark").first().waitFor();
  assert.ok(!(await marks(page)).includes("Ruth Keller"));
  const other = await face(3);
  assert.ok(other.names.some((n) => n.name === "Ruth Keller"),
    "captions of other photos keep the name");
  noProblems(page);
});

test("captions: in the picture, and not", async () => {
  const page = await openFirst();
  await page.getByRole("button", { name: "Ruth Keller", exact: true }).click();
  await tools(page, "Not in the picture").click();
  await page.locator(".caption mark.mentioned", { hasText: "Ruth Keller" })
    .waitFor();
  await until("no candidate", async () =>
    !(await choices(page)).includes("Ruth Keller"));
  await page.getByRole("button", { name: "Ruth Keller", exact: true }).click();
  await tools(page, "In the picture").click();
  await page.locator(".caption mark.pictured", { hasText: "Ruth Keller" })
    .waitFor();
  await until("a candidate", async () =>
    (await choices(page)).includes("Ruth Keller"));
  assert.equal((await answers()).length, 2);
  noProblems(page);
});

test("captions: a mention means another full name", async () => {
  const page = await openFirst(3);
  await page.getByRole("button", { name: "Karin Vogel", exact: true }).click();
  await page.locator(".caption-tools input").fill("Karin Vogel-Özil");
  await page.getByRole("option", { name: /Create new/ }).click();
  await until("stored", async () => (await answers())[0]?.kind === "means");
  await until("renamed", async () => (await face(3)).names
    .some((n) => n.name === "Karin Vogel-Özil" && n.said));
  await until("a candidate", async () =>
    (await choices(page)).includes("Karin Vogel-Özil"));
  assert.equal((await marks(page)).length, 3);
  noProblems(page);
});

test("captions: a name that is not in the text", async () => {
  const page = await openFirst();
  await page.getByLabel("Add a name to this photo").first()
    .fill("Nobody \"<i>Known\u202e");
  await page.getByRole("option", { name: /Create new/ }).click();
  await until("stored", async () => (await answers())[0]?.kind === "person");
  const unseen = page.locator(".caption-others mark");
  await unseen.waitFor();
  assert.equal(await unseen.textContent(), "Nobody \"<i>Known\u202e");
  await until("a candidate", async () => (await choices(page)).includes("Nobody \"<i>Known\u202e"));
  assert.equal(await page.locator("i").count(), 0);
  noProblems(page);
});

test("captions: attacks are shown as they are, and none runs", async () => {
  const here = path.dirname(new URL(import.meta.url).pathname);
  const names = JSON.parse(fs.readFileSync(path.join(here,
    "../attacks/names.json"), "utf8")).filter((x) => x.kept)
    .map((x) => x.name);
  await openFirst();
  for (const name of names)
    await call("POST", "answers", { photo: 0, kind: "person", name });
  await face(0);
  const page = await openPage(`#/${PROSE}/names/face/0`, { url: server.url });
  const shown = page.locator(".caption-others mark");
  await shown.first().waitFor();
  assert.deepEqual(await shown.allTextContents(), names);
  for (const style of await shown.locator("bdi").evaluateAll((all) =>
    all.map((e) => getComputedStyle(e).unicodeBidi)))
    assert.equal(style, "isolate");
  for (const id of [0, 1]) {
    await call("POST", "answers", { face: id, kind: "is", name: names[id] });
    await face(id);
  }
  await page.goto(`${server.url}/#/${PROSE}/names/people`);
  for (const name of names.slice(0, 2))
    await page.locator(".people bdi").getByText(name, { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img[src=x], main script").count(), 0);
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth,
    innerWidth]);
  assert.ok(wide[0] <= wide[1], "a long name does not widen the page");
  console.log(`      ${names.length} attacks`);
  noProblems(page);
});

test("captions: nobody corrects when all is read-only", async () => {
  await openFirst();
  const still = await startServer([PROSE], "--read-only");
  try {
    const page = await openPage(`#/${PROSE}/names/face/0`, { url: still.url });
    await page.locator(".caption mark").first().waitFor();
    assert.equal(await page.locator(".mention").count(), 0);
    await select(page, "opening");
    await page.waitForTimeout(100);
    assert.ok(await page.locator(".caption-tools").isHidden());
    assert.ok(await page.getByLabel("Add a name to this photo").first()
      .isHidden());
    noProblems(page);
  } finally {
    await still.stop();
    await server.stop();
  }
});
