/* Both languages have the same texts, and the page uses no other. */
import assert from "node:assert/strict";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "./world.mjs";

const web = fileURLToPath(new URL("../../web/", import.meta.url));

/* Node.js 18 takes a file .js for another kind of module. */
async function tableOf(language) {
  const text = fs.readFileSync(`${web}text.${language}.js`, "utf8");
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`))
    .default;
}

const de = await tableOf("de"), en = await tableOf("en");

const places = (text) => (typeof text === "string" ? [text]
  : Object.values(text)).map((x) => [...x.matchAll(/\{\w+\}/g)]
  .map((m) => m[0]).sort().join(" "));

test("languages: the same texts with the same places", () => {
  assert.deepEqual(Object.keys(de), Object.keys(en));
  for (const key of Object.keys(en))
    assert.deepEqual(new Set(places(de[key])), new Set(places(en[key])), key);
});

test("languages: each text is used, each that is used exists", () => {
  const used = new Set(), source = fs.readdirSync(web)
    .filter((f) => f.endsWith(".js") && !f.startsWith("text."))
    .map((f) => fs.readFileSync(web + f, "utf8")).join("\n")
    + fs.readFileSync(`${web}text.js`, "utf8");
  for (const key of Object.keys(en))
    if (source.includes(`"${key}"`) || /^explainLegend/.test(key))
      used.add(key);
  assert.deepEqual(Object.keys(en).filter((k) => !used.has(k)), []);
  for (const [, key] of source.matchAll(/\bt\("(\w+)"/g))
    assert.ok(key in en, key);
});
