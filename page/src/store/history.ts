// The value of a measure on every occasion.
import { element } from "../elements";
import { string } from "../quoting";
import { table } from "../table";
import type { Workspace } from "../workspace";
import { measuresOf, select, where, type Choice } from "./boards";

export async function historyPart(workspace: Workspace, choice: Choice): Promise<HTMLElement> {
  const place = element("div");
  const show = async () => {
    const rows = await workspace.database.query(`SELECT made_at, run_id, value, n_units, n_undefined, evaluation_id
      FROM history(${string(measure.value)}) WHERE ${where(choice)} ORDER BY made_at, run_id`);
    place.replaceChildren(table(rows, `${measure.value} on every occasion, the oldest first`));
  };
  const measure = select("Measure", await measuresOf(workspace, choice), (text) => text, () => void show());
  await show();
  return element("div", {}, element("div", { class: "choices" }, measure.parentElement!), place);
}
