/* The grid with 10,000 thumbnails: few elements, little work for each frame.
 * Items and pictures are answered by the test; the grid is the page's own. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { noProblems, openPage, test, TOWN, until, world } from "./world.mjs";

const TOTAL = 10000;
const MOST_ELEMENTS = 400;
const FRAME = 1000 / 60;  // milliseconds
const TRIES = 3;

function answerItems(route) {
  const query = new URL(route.request().url()).searchParams;
  const offset = Number(query.get("offset")), top = Number(query.get("top"));
  const items = Array.from({ length: Math.min(top, TOTAL - offset) }, (_, i) => ({
    id: offset + i, row: offset + i, name: `many/${offset + i}.jpg`, labels: [],
    width: 320, height: 240,
  }));
  route.fulfill({ json: { total: TOTAL, offset, items } });
}

/* Scroll for two seconds; how long frames lasted, in ms. */
function scrollThrough(page, step) {
  return page.evaluate(async (pixels) => {
    const grid = document.querySelector(".virtual");
    const frames = [];
    let last = await new Promise(requestAnimationFrame);
    const begun = last;
    while (last - begun < 2000) {
      grid.scrollTop += pixels;
      const now = await new Promise(requestAnimationFrame);
      frames.push(now - last);
      last = now;
    }
    return { frames, seconds: (last - begun) / 1000,
      elements: grid.querySelectorAll("*").length };
  }, step);
}

/* Milliseconds of the processor that the thread of the page has used so far. */
async function worked(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * metrics.find((m) => m.name === "TaskDuration").value;
}

const share = (list, p) =>
  [...list].sort((a, b) => a - b)[Math.floor(p * (list.length - 1))];

/* Other programs may have the processor for a while: the best of some runs. */
async function best(page, session, name, step) {
  let found = { median: Infinity };
  for (let i = 0; i < TRIES && found.median >= 1.5 * FRAME; ++i) {
    const before = await worked(session);
    const { frames, seconds, elements } = await scrollThrough(page, step);
    const work = (await worked(session) - before) / frames.length;
    const median = share(frames, 0.5);
    console.log(`      ${name}: ${(frames.length / seconds).toFixed(1)} frames `
      + `a second, median ${median.toFixed(1)} ms, work of the page `
      + `${work.toFixed(1)} ms a frame, ${elements} elements`);
    if (median < found.median)
      found = { work, elements, median };
  }
  return found;
}

test("grid: 10,000 thumbnails are scrolled in time", async () => {
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
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  for (const [name, step] of [["slow", 30], ["fast", 3000]]) {
    const { work, elements, median } = await best(page, session, name, step);
    assert.ok(elements < MOST_ELEMENTS, `${elements} elements`);
    assert.ok(work < FRAME, `${work} ms a frame`);
    assert.ok(median < 1.5 * FRAME, "half of the frames are late");
  }
  await page.keyboard.press("Tab");
  await page.locator(".cell[tabindex='0'], .virtual-inside").first().focus();
  await page.keyboard.press("End");
  await until("the last item", async () =>
    await page.locator(`.cell[title="many/${TOTAL - 1}.jpg"]`).count() === 1);
  noProblems(page);
});
