// The value of a measure on every occasion, drawn and as a table.
import { element } from "../elements";
import { fill, rowsOf } from "../pictures/specification";
import { channelsOf } from "../pictures/systems";
import { templates } from "../pictures/templates";
import { string } from "../quoting";
import { filled } from "../results/sections";
import { table } from "../table";
import type { Workspace } from "../workspace";
import { measuresOf, select, where, type Choice } from "./boards";

// More points are no picture that is read.
const MOST_POINTS = 2_000;

export async function historyPart(workspace: Workspace, choice: Choice): Promise<HTMLElement> {
  const place = element("div");
  const picture = element("div", { class: "drawn" });
  const show = () =>
    filled(place, async () => {
      const rows = await workspace.database.query(`SELECT made_at, run_id, value, n_units, n_undefined, evaluation_id
        FROM history(${string(measure.value)}) WHERE ${where(choice)} ORDER BY made_at, run_id`);
      await draw(workspace, choice, measure.value, picture);
      return [picture, table(rows, `${measure.value} on every occasion, the oldest first`)];
    });
  const measure = select("Measure", await measuresOf(workspace, choice), (text) => text, () => void show());
  await show();
  return element("div", {}, element("div", { class: "choices" }, measure.parentElement!), place);
}

/** A line per run, which breaks where judgments or conventions change; nothing if no run has two values. */
async function draw(workspace: Workspace, choice: Choice, measure: string, place: HTMLElement): Promise<void> {
  place.replaceChildren();
  const rows = rowsOf(await workspace.database.query(`SELECT strftime(made_at, '%Y-%m-%dT%H:%M:%S.%gZ') AS made_at, run_id, value, n_units,
      dense_rank() OVER (ORDER BY part) AS part
    FROM history(${string(measure)}) JOIN conditions USING (evaluation_id) WHERE ${where(choice)} AND value IS NOT NULL ORDER BY made_at, run_id`));
  const names = [...new Set(rows.map((r) => String(r["run_id"])))].sort();
  if (rows.length <= names.length || rows.length > MOST_POINTS) return;
  const all = await templates(workspace.folder);
  const { few, ...channels } = channelsOf(all, names);
  const title = `${measure} over time`;
  const subtitle = ["lines break where judgments or conventions change", ...(few ? [] : [`in colour: ${channels.chosen.join(", ")}`])];
  const direction = workspace.measures.find((m) => m.text === measure)?.direction;
  const directed = `${measure}${direction === "higher" ? " ▲" : direction === "lower" ? " ▼" : ""}`;
  const drawn = fill(all.history, { title, subtitle, description: `${title}. ${subtitle.join("; ")}`, measure: directed, names, ...channels }, rows);
  await (await import("../pictures/drawing")).draw(place, "history", drawn);
}
