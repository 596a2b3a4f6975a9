// Exports in PGlite with pgvector: a diagonal, a factored and a metric model
// are loaded by their own scripts and asked 200 queries, whose answers must be
// those of akin search.
//   pglite.mjs AKIN NODE_MODULES
import {execFileSync} from "node:child_process";
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";

const [akin, modules] = process.argv.slice(2).map(x => resolve(x));
const QUERIES = 200, TOP = 10;
if (!existsSync(join(modules, ".package-lock.json"))) {
    console.log("skipped: no PGlite (scripts/setup.sh --engines)");
    process.exit(77);
}

const load = path => import(pathToFileURL(join(modules, path)));
const {PGlite} = await load("@electric-sql/pglite/dist/index.js");
const {vector} = await load("@electric-sql/pglite-pgvector/dist/index.js");

const folder = mkdtempSync(join(tmpdir(), "akin-pglite-"));
process.on("exit", () => rmSync(folder, {recursive: true}));
const run = (...words) => execFileSync(akin, words, {cwd: folder, encoding: "utf8",
    maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"]});

// A script of psql: \copy reads a file beside it, \set is of no use here.
async function runScript(db, path, where) {
    let sql = "";
    for (const line of readFileSync(path, "utf8").split("\n")) {
        const copy = line.match(/^\\copy (\S+) FROM '([^']*)' (.*)$/);
        if (copy) {
            await db.exec(sql);
            sql = "";
            const blob = new Blob([readFileSync(join(where, copy[2]))]);
            await db.query(`COPY ${copy[1]} FROM '/dev/blob' ${copy[3]}`, [], {blob});
        } else if (!line.startsWith("\\")) {
            sql += line + "\n";
        }
    }
    if (sql.trim())
        await db.exec(sql);
}

// Raw rows of a file as columns and values.
function rowsOf(file) {
    const lines = readFileSync(join(folder, file), "utf8").trim().split("\n");
    if (file.endsWith(".csv"))
        return lines.slice(1).map(line => {
            const vals = line.split(",").slice(0, -1).map(Number);
            return {columns: vals.map((_, j) => j), vals};
        });
    return lines.map(line => {
        const entries = line.split(" ").slice(1).map(x => x.split(":").map(Number));
        return {columns: entries.map(e => e[0] - 1), vals: entries.map(e => e[1])};
    });
}

const near = (a, b, by) => Math.abs(a - b) <= by * Math.max(1, Math.abs(a), Math.abs(b));

// Equal items in equal order; items of one score may change places.
function isEqual(hits, found) {
    return hits.length === found.length && hits.every((h, k) =>
        near(h.score, found[k].score, 1e-5) &&
        (h.row === Number(found[k].id) ||
         found.some(f => Number(f.id) === h.row && near(f.score, h.score, 1e-6))));
}

async function check(what, model, items, queries, flags, least, half = []) {
    run("index", model, "--data", items, "--out", "x.index", "--quiet");
    run("export", "x.index", "--to", "pgvector", "--out", "pg", "--quiet", ...flags, ...half);
    run("verify-export", "pg", "--against", "x.index", "--queries", queries);
    const expected = JSON.parse(run("search", "x.index", "--queries", queries,
        "--top", String(TOP), "--json", ...flags)).results;
    const db = await PGlite.create({extensions: {vector}});
    const pg = join(folder, "pg");
    const negative = readFileSync(join(pg, "features.csv"), "utf8").split("\n")
        .filter(x => x.split(",")[5] < 0).length;
    for (const file of ["schema.sql", "load.sql", "switch.sql"])
        await runScript(db, join(pg, file), pg);
    const rows = rowsOf(queries);
    let equal = 0, found = 0, far = 0;
    for (const [t, q] of rows.entries()) {
        const got = (await db.query("SELECT * FROM akin.search($1, $2, $3)",
            [q.columns, q.vals, TOP])).rows;
        equal += isEqual(expected[t].hits, got);
        for (const [k, h] of expected[t].hits.entries())
            far = Math.max(far, Math.abs(h.score - got[k].score) / Math.max(1, Math.abs(h.score)));
    }
    await runScript(db, join(pg, "index.sql"), pg);
    await db.exec("ANALYZE; SET enable_seqscan = off;");
    for (const [t, q] of rows.entries()) {
        const got = (await db.query(
            "SELECT * FROM akin_v1.search_near(akin_v1.query($1, $2), $3)",
            [q.columns, q.vals, TOP])).rows.map(r => Number(r.id));
        found += expected[t].hits.filter(h => got.includes(h.row)).length;
    }
    const plan = (await db.query("EXPLAIN SELECT id FROM akin_v1.items ORDER BY embedding " +
        (what.includes("distance") ? "<->" : "<#>") + " (SELECT embedding FROM akin_v1.items LIMIT 1) " +
        "LIMIT 10")).rows.map(r => Object.values(r)[0]).join("\n");
    await db.close();
    const recall = found / (TOP * rows.length);
    const ok = (equal === QUERIES || half.length > 0 && far < 1 / 256) && rows.length === QUERIES && recall >= least &&
        plan.includes("items_embedding") && (negative > 0 || !what.startsWith("diagonal"));
    console.log(`${ok ? "ok" : "not ok"} ${what}: top ${TOP} equal for ${equal} of ` +
        `${rows.length} queries, scores within ${far.toExponential(1)}, ` +
        `HNSW recall ${recall.toFixed(4)}, ${negative} weights below 0`);
    return ok;
}

function split(file, n, header) {
    const lines = readFileSync(join(folder, file), "utf8").trim().split("\n");
    const head = lines.splice(0, header);
    const put = (name, part) => writeFileSync(join(folder, name), [...head, ...part, ""].join("\n"));
    const ext = file.split(".")[1];
    put("items." + ext, lines.slice(0, n));
    put("queries." + ext, lines.slice(n, n + QUERIES));
}

run("synth", "bags", "--rows", "1200", "--dim", "600", "--words", "50", "--classes", "6",
    "--class-words", "40", "--out", "bags.svm");
split("bags.svm", 1000, 0);
// Points of three classes, the same in every run.
let state = 1;
const uniform = () => (state = state * 48271 % 2147483647) / 2147483647;
const points = Array.from({length: 800}, (_, i) => {
    const x = Array.from({length: 8}, (_, j) => (100 * uniform() + (j === i % 3 ? 60 : 0)).toFixed(3));
    return [...x, "c" + i % 3].join(",");
});
writeFileSync(join(folder, "points.csv"), ["a,b,c,d,e,f,g,h,label", ...points].join("\n"));
split("points.csv", 600, 1);

const train = (learner, data, ...flags) => run("train", learner, "--data", data, "--out",
    `${learner}.safetensors`, "--verdict", "none", "--quiet", ...flags);
const bags = ["--dim", "600", "--sample", "20000"];
// Rows of two classes are said to be unlike their own: weights of both signs.
const labels = readFileSync(join(folder, "items.svm"), "utf8").trim().split("\n")
    .map(x => x.split(" ")[0]);
const odd = [...new Set(labels)].slice(0, 2);
const triplets = [];
while (triplets.length < 4000) {
    let [q, p, n] = [0, 0, 0].map(() => Math.floor(uniform() * labels.length));
    if (p === q || labels[p] !== labels[q] || labels[n] === labels[q])
        continue;
    if (odd.includes(labels[q]))
        [p, n] = [n, p];
    triplets.push(`${q} ${p} ${n}`);
}
writeFileSync(join(folder, "triplets"), triplets.join("\n") + "\n");
train("oasis-diag", "items.svm", "--dim", "600", "--triplets", "triplets", "--C", "1",
    "--passes", "3");
train("loreta-psd", "items.svm", ...bags, "--rank", "20");
train("loreta-1", "items.svm", ...bags, "--rank", "20");
train("lmnn", "items.csv");
const diagonal = (by, least) => check(`diagonal, ${by}`, "oasis-diag.safetensors", "items.svm",
    "queries.svm", ["--score", by], least);
const results = [
    await diagonal("dot", 0.5),
    await diagonal("cosine", 0.5),
    await check("factored, one side", "loreta-psd.safetensors", "items.svm", "queries.svm", [], 0.8),
    await check("factored, two sides", "loreta-1.safetensors", "items.svm", "queries.svm", [], 0.5),
    await check("metric, distance", "lmnn.safetensors", "items.csv", "queries.csv", [], 0.9),
    await check("factored, halfvec", "loreta-psd.safetensors", "items.svm", "queries.svm", [], 0.8,
        ["--half"]),
];
process.exit(results.every(x => x) ? 0 : 1);
