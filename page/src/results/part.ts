// The values of the measures: means, units, comparisons, pictures, downloads.
import { element } from "../elements";
import { table } from "../table";
import type { Workspace } from "../workspace";

export function resultsPart(workspace: Workspace): HTMLElement {
  const place = element("div");
  workspace.on("results", () => void show());
  async function show(): Promise<void> {
    const rows = await workspace.database.query(
      "SELECT run_id, measure, fsum(value) / count(value) AS value, count(value) AS n_units FROM results GROUP BY ALL ORDER BY measure, value DESC",
    );
    place.replaceChildren(table(rows, "Means"));
    workspace.progress("");
  }
  return place;
}
