/* Boxes around faces: drawn, resized, moved, removed and undone, with a mouse,
 * a finger and the keyboard. */
import assert from "node:assert/strict";
import { ask, noProblems, openPage, PEOPLE, settled, shot, test, until }
  from "./world.mjs";

const at = (rest) => `#/${PEOPLE}/names${rest}`;
const there = `collections/${PEOPLE}`;
const answers = async () =>
  (await ask("GET", `${there}/answers?top=1000`)).answers.filter((a) => !a.undone);
const count = async () => (await ask("GET", there)).items;
const saved = (page) => page.locator(".save-state.saved").waitFor();

/* A face, once its names are learned. */
const faceOf = (id) => until(`face ${id}`, async () => {
  const face = await ask("GET", `${there}/faces/${id}`);
  return face.job === undefined && face;
});

async function openFace(id, options) {
  for (const { number } of (await answers()).reverse())
    await ask("DELETE", `${there}/answers/${number}`);
  await faceOf(id);
  const page = await openPage(at(`/face/${id}`), options);
  await page.locator(".photo .handle").first().waitFor();
  await page.locator(".photo").scrollIntoViewIfNeeded();
  return page;
}

/* A place of the photo, which has 240 x 120 pixels, on the screen. */
const onScreen = (page, x, y) => page.evaluate(([px, py]) => {
  const p = new DOMPoint(px, py).matrixTransform(
    document.querySelector(".photo").getScreenCTM());
  return [p.x, p.y];
}, [x, y]);

async function drag(page, from, to) {
  await page.mouse.move(...await onScreen(page, ...from));
  await page.mouse.down();
  await page.mouse.move(...await onScreen(page, (from[0] + to[0]) / 2,
    (from[1] + to[1]) / 2));
  await page.mouse.move(...await onScreen(page, ...to));
  await page.mouse.up();
}

/* The face that the page asks about. */
const asksAbout = (page, id) =>
  page.locator(`.review .head img[src*="/faces/${id}/"]`).waitFor();

const near = (box, wanted, what) => box.forEach((v, i) =>
  assert.ok(Math.abs(v - wanted[i]) < 1, `${what}: ${box} for ${wanted}`));

const draftOf = (page) => page.locator(".box.draft").evaluate((r) =>
  ["x", "y", "width", "height"].map((k) => Number(r.getAttribute(k))));

test("boxes: a missed face is drawn, named, and taken back", async () => {
  const page = await openFace(0);
  const before = await count();
  await drag(page, [140, 80], [95, 30]);
  near(await draftOf(page), [95, 30, 45, 50], "the draft");
  await shot(page, "box-draft");
  await page.getByRole("button", { name: "Keep the box" }).click();
  const drawn = await until("stored", async () =>
    (await answers()).find((a) => a.kind === "box"));
  near(drawn.box, [95, 30, 45, 50], "the answer");
  assert.equal(await count(), before + 1);
  const face = await faceOf(drawn.face);
  near(face.box, [95, 30, 45, 50], "the face");
  assert.equal(face.photo, "p1.png");
  assert.equal(face.others.length, 2);
  await asksAbout(page, drawn.face);
  assert.equal(await page.locator(".photo .box").count(), 3);
  await shot(page, "box-drawn");
  await page.keyboard.press("/");
  await page.keyboard.type("Fay New");
  await page.getByRole("option", { name: /Create new/ }).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await until("named", async () =>
    (await answers()).some((a) => a.face === drawn.face && a.name === "Fay New"));
  await saved(page);
  await page.locator(".suggestion").waitFor();
  await page.keyboard.press("z");
  await until("the name is undone", async () => (await answers()).length === 1);
  await page.locator(".suggestion").waitFor();
  await page.keyboard.press("z");
  await until("the box is undone", async () => (await answers()).length === 0);
  assert.equal(await count(), before);
  await asksAbout(page, 0);
  noProblems(page);
});

test("boxes: one after the other, while names are learned", async () => {
  const page = await openFace(0);
  let goOn;
  const learned = new Promise((resolve) => { goOn = resolve; });
  await page.route("**/review?*", async (route) => {
    await learned;
    await route.continue();
  });
  await drag(page, [95, 5], [140, 50]);
  await page.keyboard.press("Enter");
  await until("it is seen", async () =>
    await page.locator(".photo .box:not(.draft)").count() === 3);
  await drag(page, [95, 65], [140, 110]);
  await page.keyboard.press("Enter");
  await until("both are seen", async () =>
    await page.locator(".photo .box:not(.draft)").count() === 4);
  assert.equal((await answers()).length, 2);
  goOn();
  const { face } = (await answers())[1];
  await asksAbout(page, face);
  await page.keyboard.press("z");
  await until("undone", async () => (await answers()).length === 1);
  noProblems(page);
});

test("boxes: a corner resizes, the inside moves, a click selects", async () => {
  const page = await openFace(0);
  const [x, y, w, h] = (await faceOf(0)).box;
  await drag(page, [x + w, y + h], [x + w - 10, y + h - 6]);
  near(await draftOf(page), [x, y, w - 10, h - 6], "resized");
  await drag(page, [x + 20, y + 20], [x + 25, y + 17]);
  near(await draftOf(page), [x + 5, y - 3, w - 10, h - 6], "moved");
  await page.keyboard.press("Enter");  // the draft has the focus
  await until("stored", async () => (await answers()).length === 1);
  const [answer] = await answers();
  assert.deepEqual([answer.kind, answer.face], ["box", 0]);
  near((await faceOf(0)).box, [x + 5, y - 3, w - 10, h - 6], "the face");
  await page.locator(".box.draft").waitFor({ state: "detached" });
  await page.locator(  // another picture than before
    `.review .head img[src*="at=${Math.round(x + 5)}"]`).waitFor();
  await page.mouse.click(...await onScreen(page, 180, 60));
  await asksAbout(page, 1);
  await page.keyboard.press("z");
  await until("undone", async () => (await answers()).length === 0);
  near((await faceOf(0)).box, [x, y, w, h], "as it was");
  noProblems(page);
});

test("boxes: all of it by keys", async () => {
  const page = await openFace(0);
  await page.getByRole("button", { name: "Add a face" }).focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() =>
    document.activeElement.getAttribute("aria-label")), "Box around a face");
  near(await draftOf(page), [90, 30, 60, 60], "in the middle");
  for (let i = 0; i < 5; ++i)
    await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  for (let i = 0; i < 10; ++i)
    await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Shift+ArrowDown");
  near(await draftOf(page), [92.4, 18, 36, 62.4], "moved and resized");
  assert.match(await page.locator(".box-editor [role=status]").textContent(),
    /^36 × 62 pixels at 92, 18\./);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".box.draft").count(), 0);
  assert.equal((await answers()).length, 0, "Escape stores nothing");
  await page.getByRole("button", { name: "Adjust the box" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await until("stored", async () => (await answers()).length === 1);
  assert.equal((await answers())[0].face, 0, "no answer to the name as well");
  await saved(page);
  noProblems(page);
});

test("boxes: a finger draws where there is a draft, else it scrolls", async () => {
  const page = await openFace(0, { hasTouch: true });
  const touch = async (kind, x, y) => {
    const [clientX, clientY] = await onScreen(page, x, y);
    await page.locator(".photo").dispatchEvent(kind, { clientX, clientY,
      pointerId: 1, pointerType: "touch", isPrimary: true, button: 0,
      bubbles: true });
  };
  await page.evaluate(() => {
    SVGElement.prototype.setPointerCapture = () => {};  // of no real finger
  });
  await touch("pointerdown", 95, 20);
  await touch("pointermove", 140, 60);
  await touch("pointerup", 140, 60);
  assert.equal(await page.locator(".box.draft").count(), 0);
  await page.getByRole("button", { name: "Add a face" }).click();
  await touch("pointerdown", 95, 20);
  await touch("pointermove", 140, 60);
  await touch("pointerup", 140, 60);
  near(await draftOf(page), [95, 20, 45, 40], "drawn");
  await page.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await page.locator(".box.draft").count(), 0);
  noProblems(page);
});

test("boxes: what is no face leaves, and comes back by Z", async () => {
  const page = await openFace(18);
  const before = await count();
  await page.getByRole("button", { name: "Not a face" }).click();
  await until("removed", async () => await count() === before - 1);
  await page.locator(`.review .head img[src]:not([src*="/faces/18/"])`)
    .waitFor();
  const rest = await until("learned again", async () => (await ask("GET",
    `${there}/review?top=100`)).faces);
  assert.ok(!rest.some((f) => f.id === 18));
  await page.keyboard.press("z");
  await until("it is back", async () => await count() === before);
  assert.equal((await faceOf(18)).id, 18);
  await asksAbout(page, 18);
  noProblems(page);
});

test("boxes: a photo in which no face was found", async () => {
  const page = await openFace(0);
  await page.getByRole("link", { name: "Without faces" }).click();
  await page.getByText("1 photo in which no face was found").waitFor();
  await until("its picture", () => page.evaluate(() =>
    document.querySelector(".face-card img")?.naturalWidth > 40));
  await page.getByRole("link", { name: "r1.png" }).click();
  await page.locator(".photo.editable").scrollIntoViewIfNeeded();
  assert.equal(await page.getByRole("button", { name: "Adjust" }).count(), 0);
  await drag(page, [90, 30], [150, 90]);
  near(await draftOf(page), [90, 30, 60, 60], "the draft");
  await shot(page, "box-photo");
  await page.keyboard.press("Enter");
  const drawn = await until("stored", async () => (await answers())[0]);
  await page.locator(".suggestion").waitFor();
  assert.equal((await faceOf(drawn.face)).photo, "r1.png");
  assert.equal((await ask("GET", `${there}/photos`)).total, 0);
  await settled(page);
  await ask("DELETE", `${there}/answers/${drawn.number}`);
  assert.equal((await ask("GET", `${there}/photos`)).total, 1);
  noProblems(page);
});

test("boxes: a box that is refused says why", async () => {
  const page = await openFace(0, { expected: /status of 400/ });
  await page.route("**/faces", (route) => route.request().method() === "POST"
    ? route.fulfill({ status: 400, contentType: "application/json",
      body: JSON.stringify({ error: "no box can be drawn", status: 400 }) })
    : route.continue());
  await drag(page, [95, 20], [140, 60]);
  await page.keyboard.press("Enter");
  await page.getByText("no box can be drawn").waitFor();
  await page.locator(".photo .handle").first().waitFor();
  assert.equal((await answers()).length, 0);
  noProblems(page);
});

test("boxes: faces can be seen in lists and results", async () => {
  const page = await openPage(`#/${PEOPLE}/browse`);
  await until("a face", () => page.evaluate(() =>
    [...document.querySelectorAll(".cell img.thumb")].some((i) =>
      i.naturalWidth > 40 && i.src.includes("/crop"))));
  await shot(page, "browse-faces");
  await page.locator(".cell").first().focus();
  await page.keyboard.press("Enter");
  await page.locator(".query-card img.thumb").waitFor();
  await until("similar faces", () => page.evaluate(() =>
    document.querySelectorAll(".results .card img.thumb").length > 3));
  await shot(page, "search-faces");
  noProblems(page);
});
