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
await build({
  ...common,
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
