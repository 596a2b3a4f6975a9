/* The page in a real browser, against a real server with real collections.
 *
 *   node run.mjs AKIN OUTPUT MODULES [NAME]
 *
 * AKIN is the program, OUTPUT a folder for collections and screenshots, MODULES
 * the folder with playwright-core and axe-core (scripts/setup.sh --web). NAME:
 * only the tests whose name contains it. Exit 77 (skipped) without Chromium,
 * the modules, or a program that can serve. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";

const [akin, output, modules, only] = process.argv.slice(2);
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

if (Number(process.versions.node.split(".")[0]) < 18)
  skip("Node.js is older than 18");
if (!fs.existsSync(chromium))
  skip("there is no Chromium");
for (const name of ["playwright-core", "axe-core"])
  if (!fs.existsSync(`${modules}/${name}`))
    skip(`${name} is not installed (scripts/setup.sh --web)`);
if (spawnSync(akin, ["serve", "--help"]).status !== 0)
  skip("this build has no server");

const { begin, end, runAll } = await import("./world.mjs");
await begin({ akin, output, modules, chromium });
for (const file of ["text", "search", "feedback", "unsaved", "browse", "grid",
  "learning", "names", "boxes", "captions", "frame", "safety", "access"])
  await import(`./test_${file}.mjs`);
const failed = await runAll(only);
await end();
process.exit(failed > 0 ? 1 : 0);
