/* Names of faces: the queue, all keys, people, groups, merging; and text of
 * others that must stay text. */
import assert from "node:assert/strict";
import { ask, noProblems, openPage, PEOPLE, shot, startServer, test, until,
  world } from "./world.mjs";

const BOB = "Bob <img src=x onerror=window.hacked=1>";
const CID = "\u202eCid Fox";
const at = (rest = "") => `#/${PEOPLE}/names${rest}`;
const saved = (page) => page.locator(".save-state.saved").waitFor();

const answers = async () => (await ask("GET",
  `collections/${PEOPLE}/answers?top=1000`)).answers.filter((a) => !a.undone);

async function undoAll() {
  for (const { number } of await answers())
    await ask("DELETE", `collections/${PEOPLE}/answers/${number}`);
}

async function openReview(rest) {
  const page = await openPage(at(rest));
  await page.locator(".suggestion").waitFor();
  return page;
}

const shownId = (page) =>
  page.locator(".review .head img[src]").getAttribute("src")
  .then((src) => Number(/faces\/(\d+)\//.exec(src)[1]));

test("names: only faces have them", async () => {
  const page = await openPage("#/town.akin/names");
  await page.locator("nav a").first().waitFor();
  assert.equal(await page.getByRole("link", { name: "Names" }).count(), 0);
  noProblems(page);
});

test("names: a face, its photo, its caption, its candidates", async () => {
  await undoAll();
  const page = await openReview("/face/0");
  await until("the picture", () => page.evaluate(() =>
    document.querySelector(".review .head img")?.naturalWidth > 40));
  assert.equal(await page.locator(".photo .box").count(), 2);
  assert.equal(await page.locator(".photo .box.current").count(), 1);
  assert.equal(await page.locator(".caption mark").count(), 2);
  assert.match(await page.locator(".caption").textContent(),
    /<script>window.hacked=1<\/script>/);
  assert.ok(await page.locator(".choice .share").count() >= 1);
  await page.getByText("akin remove --person").waitFor();
  await shot(page, "names");
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  noProblems(page);
});

test("names: Enter accepts, N is none, S skips, Z undoes", async () => {
  await undoAll();
  const page = await openReview();
  const first = await shownId(page);
  await page.keyboard.press("Enter");
  await until("stored", async () => (await answers()).length === 1);
  assert.equal((await answers())[0].face, first);
  await until("the next", async () => await page.locator(".suggestion").count()
    && await shownId(page) !== first);
  const second = await shownId(page);
  await page.keyboard.press("s");
  await until("another", async () => await shownId(page) !== second);
  const third = await shownId(page);
  await page.keyboard.press("n");
  await until("none", async () => (await answers()).at(-1).kind === "none");
  assert.equal((await answers()).at(-1).face, third);
  await until("on", async () => await shownId(page) !== third);
  await page.keyboard.press("z");
  await until("undone", async () => (await answers()).length === 1);
  await until("it is there again", async () => await shownId(page) === third);
  await saved(page);
  noProblems(page);
});

test("names: a number chooses, and it holds after a reload", async () => {
  await undoAll();
  const page = await openReview("/face/0");
  const wanted = await page.locator(".choice .person-name").nth(1).textContent();
  await page.keyboard.press("2");
  await until("stored", async () => (await answers()).length === 1);
  const [answer] = await answers();
  assert.deepEqual([answer.face, answer.kind, answer.name], [0, "is", wanted]);
  await saved(page);
  await page.goto(`${world.url}/${at("/face/0")}`);
  await page.reload();
  await page.getByText("Confirmed").waitFor();
  assert.equal(await page.locator(".suggestion .person-name").textContent(),
    wanted);
  noProblems(page);
});

test("names: another name by typing; a new one only by its line", async () => {
  await undoAll();
  const page = await openReview("/face/1");
  await page.keyboard.press("/");
  await page.keyboard.type("ozil");
  const options = page.locator(".type-list li");
  await options.first().waitFor();
  assert.equal(await options.first().textContent(), "Dee Özil");
  assert.match(await options.last().textContent(), /^Create new: ozil$/);
  await page.keyboard.press("Enter");
  await until("stored", async () => (await answers()).at(-1)?.name === "Dee Özil");
  await until("the next", async () => await shownId(page) !== 1);
  await saved(page);
  await page.keyboard.press("/");
  await page.keyboard.type("Eve \"<i>New\u202e");
  await page.getByRole("option", { name: /Create new/ }).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await until("stored", async () =>
    (await answers()).at(-1)?.name === "Eve \"<i>New\u202e");
  await saved(page);
  assert.equal(await page.locator("i").count(), 0);
  noProblems(page);
});

test("names: a person, confirmed and refused in bulk", async () => {
  await undoAll();
  const page = await openPage(at("/people"));
  await page.getByRole("link", { name: "Ann Lee" }).click();
  await page.locator(".face-card").first().waitFor();
  const n = await page.locator(".face-card").count();
  assert.ok(n >= 3);
  for (let i = 1; i < n; ++i)
    await page.locator(".face-card input").nth(i).uncheck();
  await page.getByRole("button", { name: "Not this person" }).click();
  await until("refused", async () => (await answers())[0]?.kind === "is-not");
  const refused = (await answers())[0].face;
  await until("it left", async () =>
    await page.locator(".face-card").count() < n);
  assert.equal(await page.locator(`.face-card input[value="${refused}"]`).count(),
    0, "a name that was refused does not come back");
  await page.getByRole("button", { name: "Confirm selected" }).click();
  await until("confirmed", async () =>
    (await answers()).filter((a) => a.kind === "is").length >= 2);
  await page.locator(".face-card").getByText("Confirmed").first().waitFor();
  await shot(page, "person");
  noProblems(page);
});

test("names: two names are merged and separated again", async () => {
  await undoAll();
  const page = await openPage(at(`/person/${encodeURIComponent(CID)}`));
  await page.locator(".face-card").first().waitFor();
  await page.getByLabel("Merge with another name").first().fill("Ann");
  await page.getByRole("option", { name: "Ann Lee", exact: true }).click();
  await page.getByText("Also called").waitFor();
  assert.equal((await answers())[0].kind, "merge");
  const persons = await until("learned again", async () => (await ask("GET",
    `collections/${PEOPLE}/persons`)).persons);
  assert.ok(!persons.some((p) => p.name === CID));
  await page.getByRole("button", { name: "Separate again" }).click();
  await until("undone", async () => (await answers()).length === 0);
  await until("both again", async () => (await ask("GET",
    `collections/${PEOPLE}/persons`)).persons?.some((p) => p.name === CID));
  noProblems(page);
});

test("names: unknown faces that look alike get one name", async () => {
  await undoAll();
  const page = await openPage(at("/unnamed"));
  await page.getByText("Unknown, 2 photos").waitFor();
  await page.getByLabel("Who is this?").first().fill("Gus");
  await page.getByRole("option", { name: /Create new/ }).click();
  await until("both", async () =>
    (await answers()).filter((a) => a.name === "Gus").length === 2);
  noProblems(page);
});

test("names: what changed by answers is listed", async () => {
  await undoAll();
  const page = await openReview("/face/0");
  await page.keyboard.press("n");
  await until("stored", async () => (await answers()).length === 1);
  await ask("POST", `collections/${PEOPLE}/answers`,
    { face: 1, kind: "is-not", name: BOB });
  await page.goto(`${world.url}/${at("/changed")}`);
  await page.getByText(/changed since your last visit/).waitFor();
  await until("faces", async () => await page.locator(".face-card").count() > 0);
  await page.getByRole("button", { name: "Mark as seen" }).click();
  await until("seen", async () => await page.locator(".face-card").count() === 0);
  noProblems(page);
});

test("names: an answer waits in the browser, and is stored once", async () => {
  await undoAll();
  const page = await openPage(at("/face/0"),
    { expected: /Failed to load resource/ });
  const posts = `**/collections/${PEOPLE}/answers`;
  let lost = 0;
  await page.locator(".suggestion").waitFor();
  await page.route(posts, async (route) => {
    if (route.request().method() !== "POST" || ++lost > 2)
      return route.continue();
    if (lost === 2)
      await route.fetch();  // stored, and the reply is lost
    return route.abort();
  });
  await page.keyboard.press("n");
  await page.getByText("1 not saved").waitFor();
  await page.reload();
  await page.getByText("All saved").waitFor();
  assert.equal((await answers()).length, 1);
  assert.ok(lost >= 3);
  noProblems(page);
});

test("names: text of others stays text", async () => {
  await undoAll();
  const page = await openPage(at("/people"));
  await page.getByRole("link", { name: BOB }).waitFor();
  assert.equal(await page.locator(".people img").count(), 0);
  const turned = page.locator(".people bdi", { hasText: "Cid Fox" });
  assert.equal(await turned.textContent(), CID);
  assert.equal(await turned.evaluate((e) => getComputedStyle(e).unicodeBidi),
    "isolate");
  await page.goto(`${world.url}/${at("/face/17")}`);
  await page.locator(".caption").waitFor();
  assert.ok((await page.locator(".caption").textContent()).length < 2100);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  noProblems(page);
});

test("names: German, on a phone, dark, and read-only", async () => {
  const page = await openPage(at("/face/0"), { locale: "de-DE",
    viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await page.locator(".suggestion").waitFor();
  await page.getByRole("button", { name: "Niemand davon" }).waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `${wide} pixels wide`);
  await shot(page, "names-phone");
  noProblems(page);
  const server = await startServer([PEOPLE], "--read-only");
  try {
    const still = await openPage(at("/face/0"), { url: server.url });
    await still.locator(".suggestion").waitFor();
    assert.equal(await still.locator(".choice").count(), 0);
    await still.keyboard.press("Enter");
    await still.getByText("All saved").waitFor();
    noProblems(still);
  } finally {
    await server.stop();
  }
});
