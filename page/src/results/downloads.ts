// What a person takes away: tables as CSV and Parquet, and all of it as one text of SQL.
import { action } from "../actions";
import type { Cell } from "../cells";
import { writeParquet } from "../data/parquet";
import type { Rows } from "../database";
import { element } from "../elements";
import { shapeOf } from "../evaluation";
import { identifier } from "../quoting";
import { save } from "../saving";
import type { Workspace } from "../workspace";
import { script } from "./script";

/** Rows as CSV: all digits of numbers, and nothing for what is undefined. */
export function csv({ columns, rows }: Rows): string {
  const field = (value: Cell) => (value === null ? "" : typeof value === "string" ? quoted(value) : String(value));
  // Empty text has quotes, what is undefined has none.
  const quoted = (text: string) => (text === "" || /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text);
  return [columns.map((c) => quoted(c.name)), ...rows.map((r) => r.map(field))].map((line) => `${line.join(",")}\r\n`).join("");
}

export async function downloadsOf(workspace: Workspace): Promise<Node[]> {
  const { database } = workspace;
  const { systems, unit } = await shapeOf(workspace);
  const units = ["measure", ...systems, unit, "value"].map(identifier).join(", ");
  const tables: [string, string, string][] = [
    ["means", "Means", "FROM summary ORDER BY ALL"],
    ["units", "Values of every unit", `SELECT ${units} FROM results ORDER BY ALL`],
    ["comparison", "Comparison", "FROM comparison"],
  ];
  const rows = tables
    .filter(([name]) => name !== "comparison" || workspace.comparing)
    .map(([name, title, sql]) => {
      const text = action(workspace, "CSV", async () => save(`${name}.csv`, csv(await database.query(sql)), "text/csv"));
      const parquet = action(workspace, "Parquet", async () => save(`${name}.parquet`, await writeParquet(workspace.folder, database, sql), "application/vnd.apache.parquet"));
      for (const [one, format] of [[text, "CSV"], [parquet, "Parquet"]] as const) one.button.setAttribute("aria-label", `${title} as ${format}`);
      return element("p", { class: "buttons" }, element("span", {}, title), text.button, parquet.button, text.message, parquet.message);
    });
  const whole = action(workspace, "All of it as SQL", async () => save("evaluation.sql", await script(workspace), "application/sql"));
  const note = "The text of SQL has the macros and reads the files: in their folder, in any DuckDB, it gives the same.";
  const offered = workspace.macros.length ? [element("p", { class: "buttons" }, whole.button), whole.message, element("p", { class: "note" }, note)] : [];
  return [...rows, ...offered];
}
