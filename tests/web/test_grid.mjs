/* The grid with 10,000 thumbnails: few elements, and few new ones in a frame.
 * Items and pictures are answered by the test; the grid is the page's own. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { noProblems, openPage, test, TOWN, until, world } from "./world.mjs";

const TOTAL = 10000;
const MOST_ELEMENTS = 400;
const FRAMES = 100;

function answerItems(route) {
  const query = new URL(route.request().url()).searchParams;
  const offset = Number(query.get("offset")), top = Number(query.get("top"));
  const items = Array.from({ length: Math.min(top, TOTAL - offset) }, (_, i) => ({
    id: offset + i, row: offset + i, name: `many/${offset + i}.jpg`, labels: [],
    width: 320, height: 240,
  }));
  route.fulfill({ json: { total: TOTAL, offset, items } });
}

/* Scroll for some frames; the most elements there were, and the most that were
 * made in one of them. */
function scrollThrough(page, step) {
  return page.evaluate(async ([pixels, count]) => {
    const grid = document.querySelector(".virtual");
    let elements = 0, now = 0, made = 0;
    const sizeOf = (node) => 1 + (node.querySelectorAll?.("*").length ?? 0);
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          now += sizeOf(node);
    }).observe(grid, { childList: true, subtree: true });
    const begun = await new Promise(requestAnimationFrame);
    let last = begun;
    for (let i = 0; i < count; ++i) {
      now = 0;
      grid.scrollTop += pixels;
      last = await new Promise(requestAnimationFrame);
      made = Math.max(made, now);
      elements = Math.max(elements, grid.querySelectorAll("*").length);
    }
    return { elements, made, rate: 1000 * count / (last - begun) };
  }, [step, FRAMES]);
}

test("grid: 10,000 thumbnails need few elements", async () => {
  const picture = fs.readFileSync(
    path.join(world.folder, "town/street_001.jpg"));
  const page = await openPage();
  await page.route(`**/collections/${TOWN}/items?*`, answerItems);
  await page.route(/\/items\/\d+$/, (route) => route.fulfill(
    { json: { fields: {} } }));
  await page.route("**/thumbnail?*", (route) => route.fulfill(
    { body: picture, contentType: "image/jpeg" }));
  await page.goto(`${world.url}/#/${TOWN}/browse`);
  await page.locator(".cell img").first().waitFor();
  for (const [name, step] of [["slow", 30], ["fast", 3000]]) {
    const { elements, made, rate } = await scrollThrough(page, step);
    console.log(`      ${name}: ${elements} elements, ${made} new ones in a `
      + `frame; ${rate.toFixed(1)} frames a second`);
    assert.ok(elements < MOST_ELEMENTS, `${elements} elements`);
    assert.ok(made < 2 * MOST_ELEMENTS, `${made} new elements in a frame`);
  }
  await page.keyboard.press("Tab");
  await page.locator(".cell[tabindex='0'], .virtual-inside").first().focus();
  await page.keyboard.press("End");
  await until("the last item", async () =>
    await page.locator(`.cell[title="many/${TOTAL - 1}.jpg"]`).count() === 1);
  noProblems(page);
});
