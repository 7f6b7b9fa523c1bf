// One measure in every unit, a column per system.
import { element } from "../elements";
import { shapeOf } from "../evaluation";
import { identifier, string } from "../quoting";
import { table } from "../table";
import type { Workspace } from "../workspace";
import { choice, filled } from "./sections";

// More columns are no table that is read.
const MOST_SYSTEMS = 50;

export function unitsStatement(unit: string, runs: string[], measure: string): string {
  const values = runs.map((r) => `any_value(value) FILTER (run_id = ${string(r)}) AS ${identifier(r === unit ? `${r} (run)` : r || "(without a name)")}`);
  return `SELECT ${[identifier(unit), ...values].join(", ")} FROM results WHERE measure = ${string(measure)} GROUP BY ${identifier(unit)} ORDER BY ${identifier(unit)}`;
}

export async function unitsOf(workspace: Workspace): Promise<Node[]> {
  const { systems, unit } = await shapeOf(workspace);
  const place = element("div");
  const measure = choice("units-measure", "Measure", workspace.measures.map((m) => m.text), () => void show());
  const runs = await runsOf(workspace);
  const show = () =>
    filled(place, async () => {
      const name = measure.select.value;
      if (systems.length > 1) {
        const columns = [...systems, unit, "value"].map(identifier).join(", ");
        return [table(await workspace.database.query(`SELECT ${columns} FROM results WHERE measure = ${string(name)} ORDER BY ALL`), `${name} of every unit`)];
      }
      const rows = await workspace.database.query(unitsStatement(unit, runs.slice(0, MOST_SYSTEMS), name));
      return [table(rows, `${name} of every unit`), runs.length > MOST_SYSTEMS ? `The first ${MOST_SYSTEMS} of ${runs.length} systems.` : ""];
    });
  await show();
  return [measure.field, place];
}

/** The systems of the results. */
export async function runsOf(workspace: Workspace): Promise<string[]> {
  const { rows } = await workspace.database.query("SELECT DISTINCT CAST(run_id AS VARCHAR) FROM results ORDER BY ALL");
  return rows.map(([name]) => String(name));
}
