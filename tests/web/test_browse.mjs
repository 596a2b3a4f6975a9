/* The collection: look through it, filter, add, remove, find duplicates. */
import assert from "node:assert/strict";
import path from "node:path";
import { ask, fileEvent, FILMS, noProblems, NOTES, openPage, shot, test, TOWN,
  until, world } from "./world.mjs";

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

test("browse: the fields of an item", async () => {
  const page = await openPage(`#/${FILMS}/browse`);
  await cells(page);
  await page.locator(".cell[title='Red Orbit']").click();
  await page.locator(".detail dl").getByText("year").waitFor();
  assert.match(await page.locator(".detail dl").textContent(), /year1971/);
  await shot(page, "fields");
  await page.goto(`${world.url}/#/${TOWN}/browse`);
  await page.locator(".cell[title='street_001.jpg']").click();
  await page.locator(".detail dl").getByText("Date").waitFor();
  const text = await page.locator(".detail dl").textContent();
  assert.match(text, /320 × 240/);
  assert.match(text, /Date\d+ \w+ \d{4}/, "a date as it is written here");
  assert.ok(!text.includes("width"), "the size is said once");
  noProblems(page);
});

test("browse: vectors are typed, and taken from a file", async () => {
  const before = await items(FILMS);
  const page = await openPage(`#/${FILMS}/browse`);
  await cells(page);
  const area = page.getByLabel("Names and numbers");
  const add = page.locator("dialog").getByRole("button", { name: "Add vectors" });
  await page.getByRole("button", { name: "Add vectors" }).click();
  await area.fill("New One, 1, 2, 3\n");
  await page.getByText("Line 1: expected a name and 4 numbers.").waitFor();
  assert.ok(await add.isDisabled());
  await area.fill("name,a,b,c,d\n\"New, One\", 0.1, 2, 0, -1e-3\n\nTwo;0,5;2;0;0\n");
  await page.getByText("2 vectors", { exact: true }).waitFor();
  await shot(page, "add-vectors");
  await add.click();
  await page.getByText("2 items added.").waitFor();
  assert.equal(await items(FILMS), before + 2);
  await page.locator("#filter").fill("New, One");
  await page.getByText("1 item", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Add vectors" }).click();
  await page.locator("#vectors-file").setInputFiles({ name: "v.json",
    mimeType: "application/json", buffer: Buffer.from(JSON.stringify(
      [{ name: "Three", values: [0, 0, 2, 0] }])) });
  await page.getByText("1 vector", { exact: true }).waitFor();
  await add.click();
  await page.getByText("1 item added.").waitFor();
  const found = await ask("GET",
    `collections/${FILMS}/items?where=name+IN+('New,+One','Two','Three')`);
  assert.deepEqual(found.items.map((x) => x.name), ["New, One", "Two", "Three"]);
  for (const { id } of found.items)
    await ask("DELETE", `collections/${FILMS}/items/${id}`);
  await until("they are gone", async () => await items(FILMS) === before);
  noProblems(page);
});

test("browse: what is dropped is added, not searched by", async () => {
  const page = await openPage(`#/${FILMS}/browse`);
  await cells(page);
  const file = { name: "v.csv", type: "text/csv",
    bytes: Buffer.from("Dropped,1,2,3,4\n") };
  await fileEvent(page, "dragenter", file);
  await page.getByText("Drop files here to add them").waitFor();
  await fileEvent(page, "drop", file);
  await page.getByText("1 vector", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.goto(`${world.url}/#/${FILMS}/search`);
  await page.locator(".card").first().waitFor();
  await fileEvent(page, "dragenter", file);
  assert.equal(await page.locator(".drop-sheet.over").count(), 0,
    "vectors are not searched by files");
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
