/* "Saved" is said once the server has answered, and nothing is stored twice. */
import assert from "node:assert/strict";
import { ask, firstCard, noProblems, NOTES, openPage, shot, test, until }
  from "./world.mjs";

const events = async () => (await ask("GET", `collections/${NOTES}`)).events;
const FAILURES = /Failed to load resource/;
const POSTS = `**/collections/${NOTES}/feedback`;

const onlyPost = (f) => (route) =>
  route.request().method() === "POST" ? f(route) : route.continue();

async function markOne(page) {
  await firstCard(page);
  await page.locator(".card .button.good").first().click();
}

test("unsaved: counted until the server answers, kept over a reload",
  async () => {
    const before = await events();
    const page = await openPage(`#/${NOTES}/search/item/5`,
      { expected: FAILURES });
    await page.route(POSTS, onlyPost((route) => route.abort()));
    await markOne(page);
    await page.getByText("1 not saved").waitFor();
    assert.equal(await page.locator(".panel.good .chip.pending").count(), 1);
    await until("ranked again all the same", async () =>
      await page.locator(".moved").count() > 0);
    await page.locator(".card .button.bad").first().click();
    await page.getByText("2 not saved").waitFor();
    await shot(page, "unsaved");
    assert.equal(await events(), before);
    await page.reload();
    await page.getByText("2 not saved").waitFor();
    await page.locator(".save-state").click();
    await page.unroute(POSTS);
    await page.getByRole("button", { name: "Send again now" }).click();
    await page.getByText("All saved").waitFor();
    assert.equal(await events(), before + 2);
    noProblems(page);
  });

test("unsaved: ranked again once the server is back", async () => {
  const page = await openPage(`#/${NOTES}/search/item/8`,
    { expected: FAILURES });
  await firstCard(page);
  await page.route("**/collections/**", (route) => route.abort());
  await page.locator(".card .button.good").first().click();
  await page.getByText("1 not saved").waitFor();
  await page.locator(".result-line", { hasText: "not responding" }).waitFor();
  await page.unroute("**/collections/**");
  await page.getByText("All saved").waitFor();
  await page.locator(".result-line", { hasText: "results" }).waitFor();
  noProblems(page);
});

test("unsaved: an answer that got lost does not store twice", async () => {
  const before = await events();
  const page = await openPage(`#/${NOTES}/search/item/6`,
    { expected: FAILURES });
  let lost = 0;
  await page.route(POSTS, onlyPost(async (route) => {
    if (++lost > 2)
      return route.continue();
    await route.fetch();  // the server has stored it
    return route.abort();
  }));
  await markOne(page);
  await page.getByText("1 not saved").waitFor();
  await until("sent again", () => lost > 2);
  await page.getByText("All saved").waitFor();
  assert.equal(await events(), before + 1);
  noProblems(page);
});

test("unsaved: a full disk, and space again", async () => {
  const before = await events();
  const page = await openPage(`#/${NOTES}/search/item/7`,
    { expected: FAILURES });
  let full = true;
  await page.route(POSTS, onlyPost((route) => full
    ? route.fulfill({ status: 507, contentType: "application/json",
      body: "{\"error\":\"no space left on the disk\",\"status\":507}" })
    : route.continue()));
  await markOne(page);
  await page.locator(".save-state.stuck").click();
  await page.getByText("no space left on the disk").waitFor();
  await page.keyboard.press("Escape");
  full = false;
  await page.getByText("All saved").waitFor();
  assert.equal(await events(), before + 1);
  noProblems(page);
});

test("unsaved: what has not left yet is undone without the server", async () => {
  const before = await events();
  const page = await openPage(`#/${NOTES}/search/item/8`,
    { expected: FAILURES });
  await page.route(POSTS, onlyPost((route) => route.abort()));
  await page.evaluate(() => {
    window.setTimeout = () => 0;  // there is no second attempt
  });
  await markOne(page);
  await page.locator(".save-state.stuck").waitFor();
  await page.keyboard.press("z");
  await page.getByText("All saved").waitFor();
  assert.equal(await events(), before);
  noProblems(page);
});

test("unsaved: feedback that the server refuses is told", async () => {
  const page = await openPage(`#/${NOTES}/search/item/9`,
    { expected: FAILURES });
  await page.route(POSTS, onlyPost((route) => route.fulfill({ status: 400,
    contentType: "application/json",
    body: "{\"error\":\"there is no item 77\",\"status\":400}" })));
  await markOne(page);
  await page.getByText("there is no item 77").waitFor();
  await page.getByText("All saved").waitFor();
  assert.equal(await page.locator(".panel.good .chip").count(), 0);
  noProblems(page);
});
