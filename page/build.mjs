// The page as static files: the bundles, DuckDB's wasm beside them, and what the package says of its measures.
// node build.mjs FOLDER
import { build } from "esbuild";
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = path.resolve(process.argv[2] ?? path.join(here, "..", "build", "page"));
const duckdb = path.join(here, "node_modules", "@duckdb", "duckdb-wasm", "dist");

await mkdir(folder, { recursive: true });
// Modules that pages share are named by their content; those of earlier builds go.
for (const name of await readdir(folder)) if (/^chunk-\w+\.js$/.test(name)) await rm(path.join(folder, name));
const common = { bundle: true, minify: true, target: "es2022", logLevel: "warning", legalComments: "eof" };
const pages = await build({
  ...common,
  metafile: true,
  entryPoints: Object.fromEntries(["page", "store"].map((name) => [name, path.join(here, "src", "pages", `${name}.ts`)])),
  // What pictures need is read after the page, and shared by the pages.
  splitting: true,
  chunkNames: "chunk-[hash]",
  format: "esm",
  outdir: folder,
});
await build({ ...common, entryPoints: { parquet: path.join(here, "src", "data", "parquet_worker.ts") }, format: "iife", outdir: folder, define: { "import.meta.url": "self.location.href" } });
const guard = await build({ ...common, entryPoints: [path.join(here, "src", "worker.ts")], format: "iife", write: false });
const worker = await readFile(path.join(duckdb, "duckdb-browser-eh.worker.js"), "utf8");
await writeFile(path.join(folder, "worker.js"), guard.outputFiles[0].text + worker.replace(/^\/\/# sourceMappingURL=.*$/m, ""));
await copyFile(path.join(duckdb, "duckdb-eh.wasm"), path.join(folder, "duckdb-eh.wasm"));
await copyFile(path.join(here, "node_modules", "parquet-wasm", "esm", "parquet_wasm_bg.wasm"), path.join(folder, "parquet.wasm"));
await cp(path.join(here, "static"), folder, { recursive: true });

// The licences of what the bundles hold, and of DuckDB itself.
const inputs = Object.keys(pages.metafile.inputs).map((name) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)).filter(Boolean);
const packages = new Map([...inputs.map(([place, name]) => [name, place]), ...["@duckdb/duckdb-wasm", "parquet-wasm"].map((name) => [name, `node_modules/${name}`])]);
const texts = [];
for (const [name, place] of [...packages].sort()) {
  const at = path.resolve(here, place.replace(/^.*?node_modules/, "node_modules"));
  const { version, license } = JSON.parse(await readFile(path.join(at, "package.json"), "utf8"));
  const file = (await readdir(at)).find((f) => /^licen[cs]e/i.test(f));
  // DuckDB's package does not bring its text.
  const text = await readFile(file ? path.join(at, file) : path.join(here, "licences", `${path.basename(name)}.txt`), "utf8");
  texts.push(`${name} ${version}: ${license}\n\n${text.trim()}`);
}
await writeFile(path.join(folder, "licences.txt"), texts.join(`\n\n${"-".repeat(80)}\n\n`) + "\n");
