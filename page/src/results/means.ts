// Systems by measures: a mean per measure, and how many units had none.
import type { Cell } from "../cells";
import type { Rows } from "../database";
import { element } from "../elements";
import { shapeOf } from "../evaluation";
import { identifier, string } from "../quoting";
import { table } from "../table";
import type { Workspace } from "../workspace";

/** A row per system, in order of its name, and a column per measure. */
export function meansStatement(systems: string[], measures: string[]): string {
  const names = systems.map(identifier);
  const values = measures.map((m) => `any_value(value) FILTER (measure = ${string(m)}) AS ${identifier(m)}`);
  const counts = ["max(n_units) AS n_units", "sum(n_undefined)::BIGINT AS n_undefined"];
  return `SELECT ${[...names, ...values, ...counts].join(", ")} FROM summary GROUP BY ALL ORDER BY ${names.join(", ")}`;
}

export async function meansOf(workspace: Workspace): Promise<Node[]> {
  const { systems } = await shapeOf(workspace);
  const { measures } = workspace;
  const rows = await workspace.database.query(meansStatement(systems, measures.map((m) => m.text)));
  const undefinedColumn = rows.columns.length - 1;
  const some = rows.rows.some((r) => Number(r[undefinedColumn]) > 0);
  const seen: Rows = some ? rows : { columns: rows.columns.slice(0, -1), rows: rows.rows.map((r) => r.slice(0, -1)) };
  const best = new Map<number, number>();
  for (const [i, measure] of measures.entries()) {
    const values = rows.rows.map((r) => r[systems.length + i]).filter((v): v is number => typeof v === "number");
    if (measure.direction !== "none" && values.length > 1) best.set(systems.length + i, measure.direction === "lower" ? Math.min(...values) : Math.max(...values));
  }
  const mark = (row: Cell[], column: number) => (best.get(column) === row[column] && row[column] !== null ? "best" : undefined);
  const sums = measures.filter((m) => m.aggregation === "sum").map((m) => m.text);
  const others = measures.filter((m) => !["sum", "mean"].includes(m.aggregation)).map((m) => m.text);
  const notes = [
    best.size ? "Bold: the best of each measure." : "",
    sums.length ? `Added over units, not a mean: ${sums.join(", ")}.` : "",
    others.length ? `Means of units here; the leaderboard has the pooled or other values of ${others.join(", ")}.` : "",
    some ? "n_undefined counts values that are not defined; means are over the others." : "",
  ].filter(Boolean);
  return [table(seen, "Means over units", { mark }), element("p", { class: "note" }, notes.join(" "))];
}
