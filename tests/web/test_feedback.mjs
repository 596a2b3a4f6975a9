/* Good and bad, by mouse and keyboard: stored, ranked again, undone. */
import assert from "node:assert/strict";
import { ask, firstCard, names, noProblems, NOTES, openPage, shot, test, TOWN,
  until } from "./world.mjs";

const events = async (c) => (await ask("GET", `collections/${c}`)).events;
const saved = (page) => page.locator(".save-state.saved").waitFor();

async function count(page, verdict) {
  return page.locator(`.panel.${verdict} .chip`).count();
}

test("feedback: by mouse, ranked again, what moved is marked", async () => {
  const before = await events(TOWN);
  const page = await openPage(`#/${TOWN}/search/item/15`);
  await firstCard(page);
  const old = await names(page);
  const wanted = old.find((n) => n.startsWith("landmark_02/"));
  await page.locator(`.card:has([title="${wanted}"]) .button.good`).click();
  await page.locator(".moved").first().waitFor();
  await saved(page);
  assert.equal(await count(page, "good"), 1);
  assert.equal(await events(TOWN), before + 1);
  const now = await names(page);
  assert.ok(!now.includes(wanted), "it is in the panel, not in the list");
  assert.notDeepEqual(now, old.filter((n) => n !== wanted));
  await page.locator(".card .button.bad").first().click();
  await until("both panels", async () => await count(page, "bad") === 1);
  await saved(page);
  await until("the event is counted", async () =>
    await events(TOWN) === before + 2);
  await shot(page, "feedback");
  noProblems(page);
});

test("feedback: marks and undos faster than the answers", async () => {
  const before = await events(NOTES);
  const page = await openPage(`#/${NOTES}/search/text/water`);
  await firstCard(page);
  await page.keyboard.press("ArrowRight");
  for (const key of "ggzzgz")
    await page.keyboard.press(key);
  await saved(page);
  await until("nothing is left", async () =>
    await events(NOTES) === before && await count(page, "good") === 0);
  await page.waitForLoadState("networkidle");
  assert.equal(await page.locator(".message.error").count(), 0);
  noProblems(page);
});

test("feedback: what was said earlier is shown, and can be taken back",
  async () => {
    const { event } = await ask("POST", `collections/${TOWN}/feedback`,
      { query: 30, good: [31], user: "somebody" });
    const before = await events(TOWN);
    const page = await openPage(`#/${TOWN}/search/item/30`);
    await firstCard(page);
    assert.equal(await count(page, "good"), 1);
    await page.locator(".panel.good .chip").click();
    await until("it is undone", async () => await events(TOWN) === before - 1);
    assert.equal(await count(page, "good"), 0);
    assert.ok(event > 0);
    noProblems(page);
  });

test("feedback: one mark of several is taken back alone", async () => {
  await ask("POST", `collections/${TOWN}/feedback`,
    { query: 33, good: [31, 32], bad: [1] });
  const before = await events(TOWN);
  const page = await openPage(`#/${TOWN}/search/item/33`);
  await firstCard(page);
  assert.equal(await count(page, "good"), 2);
  await page.locator(".panel.good .chip").first().click();
  await until("the others are said again", async () =>
    await events(TOWN) === before + 1);
  assert.equal(await count(page, "good"), 1);
  assert.equal(await count(page, "bad"), 1);
  noProblems(page);
});

test("feedback: arrows work where nothing has the focus", async () => {
  const page = await openPage(`#/${TOWN}/search/item/20`);
  await firstCard(page);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.evaluate(() =>
    document.activeElement.matches(".results .card-main")));
  noProblems(page);
});

test("feedback: by keyboard alone, and undone", async () => {
  const before = await events(NOTES);
  const page = await openPage(`#/${NOTES}/search/text/bank`);
  await firstCard(page);
  const old = await names(page);
  await page.locator("#words").focus();
  for (let i = 0; i < 12; ++i) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() =>
      document.activeElement.matches(".results .card-main")))
      break;
  }
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  const focused = () => page.evaluate(() =>
    document.activeElement.closest(".card")?.querySelector(".card-main").title);
  assert.equal(await focused(), old[1]);
  await page.keyboard.press("g");
  await until("good", async () => await count(page, "good") === 1);
  await saved(page);
  assert.ok(await focused(), "the focus is on a card again");
  await page.keyboard.press("b");
  await until("bad", async () => await count(page, "bad") === 1);
  await until("both are stored", async () => await events(NOTES) === before + 2);
  await page.keyboard.press("z");
  await until("undone", async () => await events(NOTES) === before + 1);
  assert.equal(await count(page, "bad"), 0);
  assert.equal(await count(page, "good"), 1);
  await page.keyboard.press("z");
  await until("undone", async () => await events(NOTES) === before);
  assert.equal(await count(page, "good"), 0);
  await until("the first ranking", async () =>
    JSON.stringify(await names(page)) === JSON.stringify(old));
  noProblems(page);
});

test("feedback: on a picture from outside", async () => {
  const before = await events(TOWN);
  const page = await openPage(`#/${TOWN}/search`);
  await firstCard(page);
  const { world } = await import("./world.mjs");
  await page.locator("#file").setInputFiles(
    `${world.folder}/town/street_003.jpg`);
  await page.locator(".query-card").waitFor();
  await page.locator(".results .score").first().waitFor();
  await page.locator(".card .button.good").nth(1).click();
  await until("stored", async () => await events(TOWN) === before + 1);
  await page.locator(".moved").first().waitFor();
  await page.keyboard.press("z");
  await until("undone", async () => await events(TOWN) === before);
  noProblems(page);
});

test("feedback: keys work while a switch has the focus", async () => {
  const before = await events(NOTES);
  const page = await openPage(`#/${NOTES}/search/item/2`);
  await firstCard(page);
  await page.locator(".card .button.bad").first().click();
  await until("stored", async () => await events(NOTES) === before + 1);
  await page.getByRole("switch").click();
  await page.locator(".lists.two").waitFor();
  await page.keyboard.press("z");
  await until("undone", async () => await events(NOTES) === before);
  await page.getByRole("switch").click();
  noProblems(page);
});

test("feedback: the name of the user goes with it", async () => {
  const page = await openPage(`#/${NOTES}/search/item/1`);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Close" }).click();
  await firstCard(page);
  await page.locator(".card .button.good").first().click();
  await saved(page);
  await page.goto(page.url().replace("search/item/1", "feedback"));
  await page.getByText("by Ada").first().waitFor();
  noProblems(page);
});

test("history: newest first, with undo", async () => {
  const { event } = await ask("POST", `collections/${TOWN}/feedback`,
    { query: 1, good: [2, 3], bad: [40], user: "Grace" });
  const before = await events(TOWN);
  const page = await openPage(`#/${TOWN}/feedback`);
  const first = page.locator(".event").first();
  await first.getByText(`Event ${event} by Grace`).waitFor();
  assert.equal(await first.locator(".event-items.good .chip").count(), 2);
  await shot(page, "history");
  await first.getByRole("button", { name: `Undo event ${event}` }).click();
  await page.locator(".event:first-child.undone").waitFor();
  assert.equal(await events(TOWN), before - 1);
  noProblems(page);
});
