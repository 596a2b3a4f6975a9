/* Searches: by an item, words, a name, a file; compared, explained. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { ask, BOTH, fileEvent, FILMS, firstCard, names, noProblems, NOTES,
  openPage, shot, test, TOWN, until, world } from "./world.mjs";

const picture = () => path.join(world.folder, "town/landmark_01/002.jpg");
const mine = () => ({ name: "mine.jpg", type: "image/jpeg",
  bytes: fs.readFileSync(picture()) });

async function isItsOwnFirst(page) {
  await page.locator(".query-card").waitFor();
  const card = await firstCard(page);
  assert.equal(await card.locator(".card-main").getAttribute("title"),
    "landmark_01/002.jpg");
  noProblems(page);
}

test("search: items to begin with, then by one of them", async () => {
  const page = await openPage();
  await firstCard(page);
  await shot(page, "start");
  const title = await page.locator(".card-main").nth(3).getAttribute("title");
  await page.locator(".card-main").nth(3).click();
  await page.locator(".query-card").waitFor();
  assert.equal(await page.locator(".query-name").textContent(), title);
  const scores = page.locator(".results .score");
  await scores.first().waitFor();
  const values = (await scores.allTextContents()).map(Number);
  assert.ok(values.length > 20);
  assert.deepEqual(values, [...values].sort((a, b) => b - a));
  assert.ok(!(await names(page)).includes(title), "the query is not a result");
  await shot(page, "results");
  noProblems(page);
});

test("search: any result is the next query, and back", async () => {
  const page = await openPage(`#/${TOWN}/search/item/3`);
  const first = await (await firstCard(page)).locator(".card-main")
    .getAttribute("title");
  await page.locator(".card-main").first().click();
  await until("the next query", async () =>
    await page.locator(".query-name").textContent() === first);
  await page.goBack();
  await until("the first query", async () =>
    await page.locator(".query-name").textContent() === "landmark_00/003.jpg");
  noProblems(page);
});

test("search: the keyboard goes on where the query changes", async () => {
  const page = await openPage(`#/${TOWN}/search/item/3`);
  const at = () => page.evaluate(() => document.activeElement.className);
  await firstCard(page);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await until("a result has the focus", async () =>
    await page.locator(".query-name").textContent() !== "landmark_00/003.jpg"
    && await at() === "card-main");
  await page.goBack();
  await until("after going back, too", async () =>
    await page.locator(".query-name").textContent() === "landmark_00/003.jpg"
    && await at() === "card-main");
  noProblems(page);
});

test("search: words that nobody knows", async () => {
  const page = await openPage(`#/${NOTES}/search/text/xyzzy`);
  await page.getByText("Nothing in this query is known here.").waitFor();
  noProblems(page);
});

test("search: by a picture that is chosen", async () => {
  const page = await openPage(`#/${TOWN}/search`);
  await firstCard(page);
  await page.locator("#file").setInputFiles(picture());
  await isItsOwnFirst(page);
  await shot(page, "by-picture");
});

test("search: by a picture that is dropped", async () => {
  const page = await openPage(`#/${TOWN}/search`);
  await firstCard(page);
  await fileEvent(page, "dragenter", mine());
  await page.locator(".drop-sheet.over").waitFor();
  await fileEvent(page, "drop", mine());
  await isItsOwnFirst(page);
  assert.equal(await page.locator(".drop-sheet.over").count(), 0);
});

test("search: by a picture that is pasted", async () => {
  const page = await openPage(`#/${TOWN}/search`);
  await firstCard(page);
  await fileEvent(page, "paste", mine());
  await isItsOwnFirst(page);
});

test("search: a file that is no picture is refused in words", async () => {
  const page = await openPage(`#/${TOWN}/search`, { expected: /status of 400/ });
  await firstCard(page);
  await page.locator("#file").setInputFiles({ name: "broken.jpg",
    mimeType: "image/jpeg", buffer: Buffer.from("this is no picture") });
  await page.locator(".message.error").waitFor();
  noProblems(page);
});

test("search: by words", async () => {
  const page = await openPage(`#/${NOTES}/search`);
  await page.locator("#words").fill("loan interest");
  await page.keyboard.press("Enter");
  await firstCard(page);
  await until("the search by words", async () =>
    (await names(page))[0]?.startsWith("money/"));
  assert.ok((await names(page)).slice(0, 5).every((n) => n.startsWith("money/")));
  await shot(page, "by-words");
  noProblems(page);
});

test("search: by a text that is chosen", async () => {
  const page = await openPage(`#/${NOTES}/search`);
  await firstCard(page);
  await page.locator("#file").setInputFiles({ name: "mine.txt",
    mimeType: "text/plain", buffer: Buffer.from("the ferry on the river") });
  await page.locator(".query-card").waitFor();
  await until("the search by the text", async () =>
    (await names(page))[0]?.startsWith("rivers/"));
  noProblems(page);
});

test("search: pictures by name, with a quote in it", async () => {
  const page = await openPage(`#/${TOWN}/search`);
  await page.locator("#words").fill("landmark_03");
  await page.locator("form button[type=submit]").click();
  await until("the list by name", async () =>
    (await names(page)).length === 7
      && (await names(page)).every((n) => n.startsWith("landmark_03/")));
  await page.locator("#words").fill("it's");
  await page.keyboard.press("Enter");
  await page.getByText("No item has “it's”").waitFor();
  noProblems(page);
});

test("search: more results", async () => {
  const page = await openPage(`#/${TOWN}/search/item/3`);
  await firstCard(page);
  assert.equal((await names(page)).length, 48);
  await page.getByRole("button", { name: "More results" }).click();
  await until("the others", async () => (await names(page)).length === 50);
  assert.equal(await page.getByRole("button", { name: "More results" })
    .isVisible(), false);
  noProblems(page);
});

test("search: compared with the ranking without learning", async () => {
  const { event } = await ask("POST", `collections/${TOWN}/feedback`,
    { query: 9, good: [10, 11], bad: [0, 20] });
  const page = await openPage(`#/${TOWN}/search/item/9`);
  await firstCard(page);
  await page.getByRole("switch", { name: "Compare with unlearned" }).click();
  await page.locator(".lists.two").waitFor();
  await until("both lists", async () =>
    await page.locator(".lists.two section").last().locator(".card").count() > 20);
  const [learned, plain] = [await names(page, "section:first-child > .results"),
    await names(page, "section:last-child > .results")];
  assert.notDeepEqual(learned, plain);
  assert.ok(plain.includes("landmark_00/000.jpg"), "bad ones are in this list");
  assert.ok(!learned.includes("landmark_00/000.jpg"));
  assert.ok(await page.locator(".lists.two .moved.up").count() > 0);
  await shot(page, "compare");
  await ask("DELETE", `collections/${TOWN}/feedback/${event}`);
  noProblems(page);
});

test("explanation: matching regions of two pictures", async () => {
  const page = await openPage(`#/${TOWN}/search/item/9`);
  await firstCard(page);
  await page.locator(".card .why").first().click();
  await page.locator("dialog .match circle").first().waitFor();
  assert.ok(await page.locator("dialog .match").count() > 5);
  await shot(page, "explain-pictures");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  noProblems(page);
});

test("explanation: words of two texts", async () => {
  const page = await openPage(`#/${NOTES}/search/item/3`);
  await firstCard(page);
  await page.locator(".card-main").first().focus();
  await page.keyboard.press("e");
  await page.locator("dialog .reasons li").first().waitFor();
  assert.ok(await page.locator("dialog mark").count() > 3);
  await shot(page, "explain-texts");
  noProblems(page);
});

test("explanation: of words that were typed, and of a picture from outside",
  async () => {
    const page = await openPage(`#/${NOTES}/search/text/loan%20interest`);
    await firstCard(page);
    await page.locator(".card .why").first().click();
    await page.locator("dialog .reasons li").first().waitFor();
    const reasons = await page.locator("dialog .reason").allTextContents();
    assert.ok(reasons.includes("loan") || reasons.includes("interest"));
    noProblems(page);
    const other = await openPage(`#/${TOWN}/search`);
    await firstCard(other);
    await other.locator("#file").setInputFiles(picture());
    await isItsOwnFirst(other);
    await other.locator(".card .why").first().click();
    await other.locator("dialog .match.agree").first().waitFor();
    await shot(other, "explain-file");
    noProblems(other);
  });

test("search: vectors by their features", async () => {
  const page = await openPage(`#/${FILMS}/search/item/0`);
  await firstCard(page);
  assert.deepEqual((await names(page)).slice(0, 3).sort(),
    ["Cold Harbour", "Six Fingerprints", "The Ledger"]);
  await shot(page, "vectors");
  await page.locator(".card .why").first().click();
  await page.locator("dialog .reasons li").first().waitFor();
  noProblems(page);
});

test("search: a link to an item that is gone", async () => {
  const page = await openPage(`#/${FILMS}/search/item/999`,
    { expected: /status of 404/ });
  await page.getByText("there is no item 999").waitFor();
  await firstCard(page);
  noProblems(page);
});

test("search: a late answer does not replace a newer one", async () => {
  const page = await openPage();
  const late = [];
  await page.route(`**/collections/${TOWN}/items?offset=*`, (route) =>
    late.push(route));
  await page.reload();
  await until("the start waits", () => late.length > 0);
  await page.locator("#words").fill("landmark_02");
  await page.keyboard.press("Enter");
  await firstCard(page);
  const shown = await names(page);
  assert.ok(shown.every((n) => n.startsWith("landmark_02/")));
  for (const route of late) {
    await route.continue();
    await (await route.request().response())?.finished();
  }
  await page.waitForTimeout(100);  // it would be shown by now
  assert.deepEqual(await names(page), shown);
  assert.equal(await page.locator("#words").inputValue(), "landmark_02");
  noProblems(page);
});

test("search: pictures by words, and texts by a picture", async () => {
  const page = await openPage(`#/${BOTH}/search`);
  await firstCard(page);
  await shot(page, "both-start");
  await page.locator("#words").fill("a bridge of iron");
  await page.keyboard.press("Enter");
  await page.locator(".query-card").waitFor();
  await page.locator(".results .score").first().waitFor();
  const found = (await names(page)).slice(0, 5);
  assert.ok(found.every((n) => /^landmark_\d\d\//.test(n)), "pictures alone");
  assert.ok(found.filter((n) => n.startsWith("landmark_01/")).length >= 4,
    found.join());
  assert.equal(await page.getByRole("switch").count(), 0);
  await shot(page, "both-words");
  await page.locator(".card .why").first().click();
  await page.locator(".reasons").getByText("iron").waitFor();
  await shot(page, "both-why");
  await page.keyboard.press("Escape");
  const before = (await ask("GET", `collections/${BOTH}`)).events;
  await page.locator(".card .button.good").first().click();
  await until("it is stored", async () =>
    (await ask("GET", `collections/${BOTH}`)).events === before + 1);
  await page.keyboard.press("z");
  await until("and undone", async () =>
    (await ask("GET", `collections/${BOTH}`)).events === before);
  await page.locator("#file").setInputFiles(picture());
  await page.getByText("Your file").waitFor();
  await until("texts", async () => (await names(page))[0]?.startsWith("caption 1"));
  await shot(page, "both-picture");
  await page.locator("#file").setInputFiles({ name: "market.txt",
    mimeType: "text/plain", buffer: Buffer.from("the old market") });
  await until("pictures again", async () =>
    (await names(page))[0]?.startsWith("landmark_03/"));
  await page.locator(".card .button.bad").first().click();
  await page.locator(".panel.bad .chip").waitFor();
  await page.locator(".save-state.saved").waitFor();
  await page.keyboard.press("z");
  noProblems(page);
});
