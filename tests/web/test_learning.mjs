/* Learning: a job with progress, versions with their figures, another one in
 * use; and the list of jobs. */
import assert from "node:assert/strict";
import { ask, noProblems, NOTES, openPage, shot, test, until }
  from "./world.mjs";

/* Ids of notes by their topic. */
async function notes() {
  const { items } = await ask("GET", `collections/${NOTES}/items?top=1000`);
  const of = {};
  for (const item of items)
    (of[item.labels[0]] ??= []).push(item.id);
  return of;
}

async function say(from, to) {
  const { rivers, money, forest } = await notes();
  for (let i = from; i < to; ++i) {
    const [a, b, c] = [[rivers, money, forest], [money, forest, rivers],
      [forest, rivers, money]][i % 3];
    await ask("POST", `collections/${NOTES}/feedback`, { query: a[i % 12],
      good: [a[(i + 1) % 12], a[(i + 5) % 12]],
      bad: [b[i % 12], c[(i + 2) % 12]] });
  }
}

test("learning: versions with a curve, one is used, another one is", async () => {
  await say(0, 9);
  const page = await openPage(`#/${NOTES}/learning`);
  for (const n of [1, 2]) {
    await page.getByRole("button", { name: "Learn now" }).click();
    await page.getByText(`Version ${n} was learned.`).waitFor();
    await page.locator("tbody tr").nth(n).waitFor();
    await say(9 * n, 9 * n + 9);
  }
  await page.locator(".curve .point").nth(1).waitFor();
  const versions = (await ask("GET", `collections/${NOTES}/versions`)).versions;
  assert.equal(versions.length, 3);
  assert.ok(versions[1].nonzeros > 0);
  assert.ok(versions[1].nonzeros <= versions[1].parameters);
  const row = page.getByRole("row", { name: /^1 / });
  assert.match(await row.textContent(), /\d of \d/);
  const other = versions.findLast((v) => !v.in_use).version;
  await page.getByRole("button", { name: `Use version ${other}` }).click();
  await page.getByText(`Searches now use version ${other}`).waitFor();
  await until("it is used", async () => (await ask("GET",
    `collections/${NOTES}/learn`)).version === other);
  await shot(page, "learning");
  noProblems(page);
});

test("jobs: listed with their state", async () => {
  const page = await openPage(`#/${NOTES}/jobs`);
  await page.locator(".job").first().waitFor();
  await ask("POST", `collections/${NOTES}/learn`, {});
  const first = page.locator(".job").first();
  await first.getByText("Learning").waitFor();
  await until("it is done", async () =>
    (await first.textContent()).includes("done"));
  await shot(page, "jobs");
  noProblems(page);
});

/* Progress comes as server-sent events; here the test sends them. */
test("jobs: progress, and cancelled", async () => {
  const page = await openPage("");
  let cancelled = false;
  await page.route("**/api/v1/jobs", (route) => route.fulfill({ json: { jobs: [
    { job: 77, kind: "learn", collection: "x", state: "running" }] } }));
  await page.route("**/api/v1/jobs/77/events", (route) => route.fulfill({
    contentType: "text/event-stream",
    body: cancelled
      ? "event: end\ndata: {\"job\":77,\"kind\":\"learn\",\"collection\":\"x\","
        + "\"state\":\"cancelled\",\"seconds\":2}\n\n"
      : "retry: 300\nevent: progress\ndata: {\"job\":77,\"kind\":\"learn\","
        + "\"collection\":\"x\",\"state\":\"running\",\"what\":\"triplets\","
        + "\"done\":300,\"total\":1000}\n\n" }));
  await page.route("**/api/v1/jobs/77", (route) => {
    cancelled = route.request().method() === "DELETE";
    route.fulfill({ json: {} });
  });
  await page.goto(`${page.url().split("#")[0]}#/${NOTES}/jobs`);
  await page.getByText("300 of 1,000").waitFor();
  assert.equal(await page.locator("progress").evaluate((p) => p.position), 0.3);
  await page.getByRole("button", { name: "Cancel job 77" }).click();
  await page.getByText("cancelled").waitFor();
  noProblems(page);
});
