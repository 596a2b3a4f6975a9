/* What people wrote is shown and never run; the policy of the page holds. */
import assert from "node:assert/strict";
import { ask, firstCard, noProblems, NOTES, openPage, settled, shot, test,
  world }
  from "./world.mjs";

test("safety: markup in names and texts is text", async () => {
  const { items } = await ask("GET", `collections/${NOTES}/items?top=1000`);
  const bad = items.find((x) => x.name.includes("<img"));
  await ask("POST", `collections/${NOTES}/feedback`, { query: bad.id,
    good: [bad.id === 0 ? 1 : 0],
    user: "<svg onload=window.hacked=1>" });
  for (const hash of [`search/item/${bad.id}`, "search/text/bank%20loan",
    "search/text/%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E",
    "browse", "feedback"]) {
    const page = await openPage(`#/${NOTES}/${hash}`);
    await page.locator(".face, .event, .result-line").first().waitFor();
    await settled(page);
    assert.equal(await page.evaluate(() => window.hacked), undefined, hash);
    assert.equal(await page.locator("img[src=x]").count(), 0);
    noProblems(page);
  }
  const page = await openPage(`#/${NOTES}/search/item/${bad.id}`);
  await page.getByText("<img src=x onerror=window.hacked=1>.txt")
    .first().waitFor();
  await firstCard(page);
  await shot(page, "markup");
});

test("safety: the policy is strict, and stops a script", async () => {
  const answer = await fetch(world.url);
  const policy = answer.headers.get("content-security-policy");
  assert.match(policy, /default-src 'self'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.match(policy, /require-trusted-types-for 'script'/);
  const html = await answer.text();
  assert.doesNotMatch(html, /<script>|<style|style=| on\w+=/);
  const page = await openPage("", { expected: /./ });
  await firstCard(page);
  const outcome = await page.evaluate(() => {
    try {
      document.body.innerHTML = "<p>x</p>";
      return "set";
    } catch (error) {
      return error.name;
    }
  });
  assert.equal(outcome, "TypeError");
});

test("safety: offline, the page asks nobody else", async () => {
  const asked = new Set();
  const page = await openPage();
  page.on("request", (r) => asked.add(new URL(r.url()).origin));
  await page.reload();
  await firstCard(page);
  assert.deepEqual([...asked], [world.url]);
  noProblems(page);
});
