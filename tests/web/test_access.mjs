/* Everybody can use it: axe finds nothing, all works by keyboard, nothing moves
 * while it loads, and it fits a phone. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { ask, BOTH, firstCard, FILMS, noProblems, NOTES, openPage, PEOPLE, settled,
  shot, startServer, test, TOWN, world } from "./world.mjs";

const PLACES = {
  start: [`#/${TOWN}/search`, ".card"],
  pictures: [`#/${TOWN}/search/item/9`, ".score"],
  texts: [`#/${NOTES}/search/text/bank`, ".score"],
  vectors: [`#/${FILMS}/search/item/2`, ".score"],
  both: [`#/${BOTH}/search/item/9`, ".score"],
  browse: [`#/${TOWN}/browse`, ".cell .face"],
  feedback: [`#/${NOTES}/feedback`, ".event"],
  learning: [`#/${NOTES}/learning`, "tbody tr"],
  jobs: [`#/${NOTES}/jobs`, "h1"],
  names: [`#/${PEOPLE}/names/face/0`, ".suggestion"],
  people: [`#/${PEOPLE}/names/people`, ".people a"],
  person: [`#/${PEOPLE}/names/person/Ann%20Lee`, ".face-card"],
  photos: [`#/${PEOPLE}/names/photos`, ".face-card"],
  unknown: [`#/${PEOPLE}/names/unnamed`, ".names-place:visible .hint"],
};
const SIZES = {
  wide: { viewport: { width: 1280, height: 860 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true,
    isMobile: true },
};

/* Something in the history, once, whichever tests run. */
const say = () => ask("POST", `collections/${NOTES}/feedback`,
  { query: 9, good: [10], key: "access" });

/* Rules whose outcome colours change. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/* axe runs in the page, beside its policy and not through it. `rules`: only
 * these. */
async function violations(page, rules) {
  const options = { resultTypes: ["violations"],
    ...(rules ? { runOnly: rules } : {}) };
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setBypassCSP", { enabled: true });
  if (await page.evaluate(() => window.axe === undefined))
    await session.send("Runtime.evaluate", { expression: world.axe });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, ${JSON.stringify(options)}).then((r) =>
      JSON.stringify(r.violations.map((v) => [v.id, v.help,
        v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)
          + " " + (n.any[0]?.message ?? ""))])))`,
    awaitPromise: true, returnByValue: true });
  await session.detach();
  return JSON.parse(result.value);
}

/* One view after the other in the same window, each loaded anew. */
async function eachPlace(page, look) {
  for (const [name, [hash, sign]] of Object.entries(PLACES)) {
    await page.goto("about:blank");
    await page.goto(`${world.url}/${hash}`);
    await page.locator(sign).first().waitFor();
    await look(name);
  }
}

test("access: axe finds nothing in German", async () => {
  await say();
  const page = await openPage("", { locale: "de-DE" });
  await eachPlace(page, async (name) =>
    assert.deepEqual(await violations(page), [], name));
  noProblems(page);
});

for (const [size, options] of Object.entries(SIZES))
  test(`access: axe finds nothing, light and dark, ${size}`, async () => {
    await say();
    const page = await openPage("", options);
    await eachPlace(page, async (name) => {
      for (const [colorScheme, rules] of [["light"], ["dark", COLOURS]]) {
        await page.emulateMedia({ colorScheme });
        await shot(page, `${size}-${colorScheme}-${name}`);
        assert.deepEqual(await violations(page, rules), [],
          `${colorScheme} ${name}`);
      }
      const overflow = await page.evaluate(() =>
        document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${name}: wider than the window`);
    });
    noProblems(page);
    console.log(`      ${Object.keys(PLACES).length} views, no violation`);
  });

test("access: axe finds nothing in dialogs", async () => {
  for (const [hash, open] of [
    [`#/${TOWN}/search/item/9`, ".card .why"],
    [`#/${NOTES}/search/item/9`, ".card .why"],
    [`#/${TOWN}/search/item/9`, ".header-end .bare"],
    [`#/${TOWN}/search/item/9`, ".save-state"],
    [`#/${FILMS}/browse`, ".search-bar .button"]]) {
    const page = await openPage(hash);
    await page.locator(".face").first().waitFor();
    await page.locator(open).first().click();
    await page.locator("dialog[open] h2").waitFor();
    await settled(page);
    assert.deepEqual(await violations(page), [], open);
    await page.context().close();
  }
});

test("access: axe finds nothing in details, duplicates, boxes, lists and the login",
  async () => {
    const look = async (page, sign, what) => {
      await page.locator(sign).first().waitFor();
      assert.deepEqual(await violations(page), [], what);
    };
    for (const [collection, what] of [[TOWN, "a picture"], [NOTES, "a text"],
      [FILMS, "a vector"]]) {
      const page = await openPage(`#/${collection}/browse`);
      await page.locator(".cell .face").first().click();
      await look(page, ".detail dl", what);
      await page.context().close();
    }
    const photo = await openPage(`#/${PEOPLE}/names/face/0`);
    await photo.getByRole("button", { name: "Add a face" }).click();
    await look(photo, ".box.draft", "a box that is drawn");
    const page = await openPage(`#/${TOWN}/browse`);
    await page.getByRole("button", { name: "Find duplicates" }).click();
    await look(page, ".browse-main > *", "duplicates");
    await page.goto(`${world.url}/#/${TOWN}/search/item/9`);
    await page.getByRole("switch").click();
    await look(page, ".lists.two .card", "two lists");
    await page.getByRole("switch").click();
    fs.writeFileSync(path.join(world.folder, "secret"), "sixteen-letters-or-more\n");
    const server = await startServer([FILMS], "--token", "secret");
    try {
      await look(await openPage("", { url: server.url,
        expected: /status of 401/ }), ".login", "the login");
    } finally {
      await server.stop();
    }
  });

test("access: nothing moves while a search loads", async () => {
  const page = await openPage();
  await page.addInitScript(() => {
    window.moved = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        window.moved += entry.hadRecentInput ? 0 : entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  let most = 0;
  await say();
  await eachPlace(page, async (name) => {
    await settled(page);
    await page.waitForTimeout(300);
    const moved = await page.evaluate(() => window.moved);
    most = Math.max(most, moved);
    assert.ok(moved < 0.02, `${name}: layout shift of ${moved}`);
  });
  console.log(`      layout shift of ${Object.keys(PLACES).length} views: `
    + `${most.toFixed(4)} at most`);
});

test("access: the keyboard reaches everything, and the focus is seen", async () => {
  const page = await openPage(`#/${TOWN}/search/item/9`);
  await firstCard(page);
  const seen = new Set();
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const x = document.activeElement;
      const style = getComputedStyle(x);
      return [x.getAttribute("aria-label") || x.textContent.trim() || x.id,
        x === document.body || style.outlineStyle !== "none"
          || x.matches("input")];
    });
    assert.ok(at[1], `${at[0]}: the focus cannot be seen`);
    seen.add(at[0]);
  }
  for (const name of ["Skip to content", "Browse", "Settings",
    "Find items by name", "compare"])
    assert.ok([...seen].some((x) => x.includes(name)), `${name} is not reached`);
  assert.ok([...seen].some((x) => x.includes("as good")));
  noProblems(page);
});

test("access: without motion where that is wished, with it otherwise", async () => {
  const page = await openPage(`#/${TOWN}/search/item/22`,
    { reducedMotion: "no-preference" });
  await firstCard(page);
  await page.evaluate(() => {
    window.animations = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function count(...rest) {
      ++window.animations;
      return animate.apply(this, rest);
    };
  });
  await page.locator(".card .button.good").first().click();
  await page.locator(".moved").first().waitFor();
  assert.ok(await page.evaluate(() => window.animations) > 0);
  await page.keyboard.press("z");
  noProblems(page);
});
