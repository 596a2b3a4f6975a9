/* The frame: collections, the token, read-only, languages, settings. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { FILMS, firstCard, names, noProblems, NOTES, openPage, shot, startServer,
  test, TOWN, until, world } from "./world.mjs";

test("frame: another collection is chosen", async () => {
  const page = await openPage();
  await firstCard(page);
  await page.getByLabel("Collection", { exact: true }).selectOption(FILMS);
  await until("the other items", async () =>
    (await names(page)).includes("Far Side"));
  assert.match(await page.title(), /^films – Search – akin$/);
  noProblems(page);
});

test("frame: an address of no collection, and one that is cut off", async () => {
  const page = await openPage("#/nosuch.akin/search");
  await page.getByText("There is no collection “nosuch.akin” here.").waitFor();
  await firstCard(page);
  await page.goto(`${world.url}/#/%ZZ/search`);
  await page.getByText("There is no collection “%ZZ” here.").waitFor();
  noProblems(page);
});

test("frame: a token is asked for", async () => {
  const token = "a-token-of-this-test";
  fs.writeFileSync(path.join(world.folder, "token"), `${token}\n`);
  const server = await startServer([FILMS], "--token", "token");
  try {
    const page = await openPage("",
      { url: server.url, expected: /status of 401/ });
    await page.getByLabel("Token").waitFor();
    await page.getByText("All saved").waitFor();
    await page.getByLabel("Token").fill("not the right token");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The token is wrong").waitFor();
    await shot(page, "login");
    await page.getByLabel("Token").fill(token);
    await page.keyboard.press("Enter");
    await firstCard(page);
    await page.reload();
    await firstCard(page);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Token").waitFor();
    noProblems(page);
  } finally {
    await server.stop();
  }
});

test("frame: a server that is read-only", async () => {
  const server = await startServer([NOTES], "--read-only");
  try {
    const page = await openPage(`#/${NOTES}/search/item/3`, { url: server.url });
    await firstCard(page);
    await page.getByText("Read-only").waitFor();
    assert.equal(await page.locator(".button.good").count(), 0);
    await page.goto(`${server.url}/#/${NOTES}/browse`);
    await page.locator(".cell .face").first().click();
    assert.equal(await page.getByRole("button", { name: /Remove|Add/ }).count(), 0);
    noProblems(page);
  } finally {
    await server.stop();
  }
});

test("frame: German, by the browser and by the settings", async () => {
  const page = await openPage(`#/${TOWN}/search/item/3`, { locale: "de-DE" });
  await page.getByText("Ähnlich wie").waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  await firstCard(page);
  await shot(page, "german");
  await page.getByRole("button", { name: "Einstellungen" }).click();
  await page.getByLabel("Sprache").selectOption("en");
  await page.getByText("Similar to").waitFor();
  noProblems(page);
});

test("frame: dark by the settings, kept over a reload", async () => {
  const page = await openPage(`#/${TOWN}/search/item/3`);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Appearance").selectOption("dark");
  await shot(page, "settings");
  await page.reload();
  await firstCard(page);
  const ground = await page.evaluate(() =>
    getComputedStyle(document.body).backgroundColor);
  assert.equal(ground, "rgb(17, 19, 26)");
  await page.keyboard.press("?");
  await page.getByText("undo the last mark").waitFor();
  noProblems(page);
});

/* At a port that no connection gets by chance while nobody listens: those get
 * theirs from 32768 on. */
async function startAt(...ports) {
  const [port, ...others] = ports;
  return startServer([FILMS], "--port", String(port)).catch((error) => {
    if (others.length === 0)
      throw error;
    return startAt(...others);
  });
}

test("frame: the server is gone, and comes back", async () => {
  const first = 20000 + process.pid % 10000;
  const server = await startAt(first, first + 1, first + 2, first + 3);
  const page = await openPage("", { url: server.url, expected: /Failed to load/ });
  const old = await (await firstCard(page)).elementHandle();
  await server.stop();
  await page.locator(".card-main").first().click();
  await page.getByText("The server is not responding").first().waitFor();
  const { port } = new URL(server.url);
  const again = await startServer([FILMS], "--port", port);
  try {
    await page.goBack();
    await until("the list is made anew", () => old.evaluate((x) =>
      !x.isConnected));
    await page.locator(".card-main").nth(1).click();
    await page.locator(".query-card").waitFor();
    noProblems(page);
  } finally {
    await again.stop();
  }
});
