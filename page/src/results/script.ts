// An evaluation as one text of SQL, which any DuckDB runs in the folder of the files.
import { identifier, string } from "../quoting";
import type { Workspace } from "../workspace";

export async function script(workspace: Workspace): Promise<string> {
  const { catalog, measures, sources: tables } = workspace;
  const head = [
    `-- ${measures.map((m) => m.text).join(" ")}, by ireval-frames ${catalog.version}.`,
    `-- In the folder of ${tables.map((t) => t.source).join(", ")}: duckdb < evaluation.sql`,
  ].map((line) => line.replace(/[\r\n\u2028\u2029]/g, " "));
  const created = tables.map((t) => t.creating ?? `-- The page writes this file of the table: FROM ${identifier(t.name)}\nCREATE OR REPLACE VIEW ${identifier(t.name)} AS FROM read_parquet(${string(`${t.name}.parquet`)})`);
  const comparing = workspace.comparing ? ["ireval_compare"] : [];
  const macros = (await Promise.all([...workspace.macros, ...comparing].map((m) => catalog.creating(m)))).flat();
  const shown = ["FROM summary ORDER BY ALL", ...(workspace.comparing ? ["FROM comparison"] : [])];
  const statements = [...created, ...macros, ...workspace.statements, ...(workspace.comparing ? [workspace.comparing] : []), ...shown];
  return `${head.join("\n")}\n\n${statements.map((s) => `${s};`).join("\n\n")}\n`;
}
