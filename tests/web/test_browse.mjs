/* The collection: look through it, filter, add, remove, find duplicates. */
import assert from "node:assert/strict";
import path from "node:path";
import { ask, FILMS, noProblems, NOTES, openPage, shot, test, TOWN, until, world }
  from "./world.mjs";

const items = async (c) => (await ask("GET", `collections/${c}`)).items;

async function cells(page) {
  await page.locator(".cell:not([hidden]) .face").first().waitFor();
  return page.locator(".cell:not([hidden])").evaluateAll((all) => all
    .toSorted((a, b) => a.getAttribute("aria-posinset")
      - b.getAttribute("aria-posinset")).map((x) => x.title));
}

test("browse: all items, with the keyboard", async () => {
  const page = await openPage(`#/${TOWN}/browse`);
  assert.deepEqual((await cells(page)).slice(0, 2),
    ["landmark_00/000.jpg", "landmark_00/001.jpg"]);
  await page.getByText("51 items").waitFor();
  await page.locator(".cell").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.locator(".detail-name").waitFor();
  assert.equal(await page.locator(".detail-name").textContent(),
    "landmark_00/001.jpg");
  await page.keyboard.press("End");
  await until("the last one", async () =>
    await page.locator(".detail-name").textContent() === "street_007.jpg");
  await page.keyboard.press("Home");
  await shot(page, "browse");
  await page.keyboard.press("Enter");
  await page.locator(".query-card").waitFor();
  noProblems(page);
});

test("browse: filter by name, by a condition, by a wrong one", async () => {
  const page = await openPage(`#/${FILMS}/browse`,
    { expected: /status of 400/ });
  await cells(page);
  await page.locator("#filter").fill("Orbit");
  await page.getByText("1 item", { exact: true }).waitFor();
  await page.locator("#filter").fill("year >= 1980 AND label = space");
  await page.getByText("2 items").waitFor();
  await until("the cells follow", async () =>
    (await cells(page)).join() === "Perihelion,Signal 9");
  await page.locator("#filter").fill("colour = red");
  await page.getByText("no field colour").waitFor();
  assert.equal(await page.locator("#filter").getAttribute("aria-invalid"), "true");
  await page.locator("#filter").fill("");
  await page.getByText("12 items").waitFor();
  await shot(page, "browse-vectors");
  noProblems(page);
});

test("browse: a picture is added, found, and removed", async () => {
  const before = await items(TOWN);
  const page = await openPage(`#/${TOWN}/browse`);
  await cells(page);
  await page.locator("#add-files").setInputFiles(
    { name: "mine-new.jpg", mimeType: "image/jpeg",
      buffer: (await import("node:fs")).readFileSync(
        path.join(world.folder, "town/landmark_04/003.jpg")) });
  await page.getByText("1 item added.").waitFor();
  assert.equal(await items(TOWN), before + 1);
  await page.locator("#filter").fill("mine-new");
  await page.getByText("1 item", { exact: true }).waitFor();
  await page.locator(".cell:not([hidden])").first().click();
  await page.getByRole("button", { name: /^Remove .*mine-new/ }).click();
  await page.locator("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("was removed").waitFor();
  assert.equal(await items(TOWN), before);
  noProblems(page);
});

test("browse: what is no picture is not added, and the page says why",
  async () => {
    const before = await items(TOWN);
    const page = await openPage(`#/${TOWN}/browse`,
      { expected: /status of 400/ });
    await cells(page);
    await page.locator("#add-files").setInputFiles({ name: "broken.jpg",
      mimeType: "image/jpeg", buffer: Buffer.from("this is no picture") });
    await page.locator(".message.error").getByText("broken.jpg").waitFor();
    assert.equal(await items(TOWN), before);
    noProblems(page);
  });

test("browse: a text is added", async () => {
  const before = await items(NOTES);
  const page = await openPage(`#/${NOTES}/browse`);
  await cells(page);
  await page.locator("#add-files").setInputFiles({ name: "island.txt",
    mimeType: "text/plain", buffer: Buffer.from("an island of palm trees") });
  await page.getByText("1 item added.").waitFor();
  assert.equal(await items(NOTES), before + 1);
  await shot(page, "browse-texts");
  noProblems(page);
});

test("browse: duplicates", async () => {
  const page = await openPage(`#/${TOWN}/browse`);
  await cells(page);
  await page.getByRole("button", { name: "Find duplicates" }).click();
  await page.locator(".duplicate-group").first().waitFor();
  const group = page.locator(".duplicate-group")
    .filter({ hasText: "copy.jpg" });
  assert.equal(await group.getByRole("button", { name: /copy.jpg/ })
    .getByText("same content").count(), 1);
  await group.getByRole("button", { name: /copy.jpg/ }).click();
  await page.getByRole("button", { name: /^Remove landmark_02/ }).waitFor();
  await shot(page, "duplicates");
  await page.getByRole("button", { name: /^Remove landmark_02/ }).click();
  await page.locator("dialog").getByRole("button", { name: "Remove" }).click();
  await until("the list follows", async () =>
    await page.getByRole("button", { name: /copy.jpg/ }).count() === 0);
  await page.getByRole("button", { name: "All items" }).click();
  await cells(page);
  await page.getByText("50 items").waitFor();
  noProblems(page);
});
