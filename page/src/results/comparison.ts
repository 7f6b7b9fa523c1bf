// Systems against a baseline: wins, ties and losses, and Student's t, by the macro ireval_compare.
import { decimals, type Cell } from "../cells";
import { element } from "../elements";
import { shapeOf } from "../evaluation";
import { string } from "../quoting";
import { table } from "../table";
import type { Workspace } from "../workspace";
import { choice, filled, sqlShown } from "./sections";
import { runsOf } from "./units";

/** The comparison, of every two systems without a baseline, with p-values corrected after Holm in each measure, as in `ir.compare`. */
export function comparisonQuery(workspace: Workspace, baseline: string | undefined, missing: "error" | "intersect"): string {
  const lower = workspace.measures.filter((m) => m.direction === "lower").map((m) => string(m.text));
  const options = [
    baseline !== undefined && `, baseline := ${string(baseline)}`,
    missing === "intersect" && ", missing := 'intersect'",
    lower.length > 0 && `, lower_is_better := [${lower.join(", ")}]`,
  ].filter(Boolean);
  const order = "PARTITION BY measure ORDER BY p_value NULLS LAST, system, baseline";
  // Of m tests the i-th smallest p is multiplied by m - i + 1, and none is below the one before it.
  return `SELECT * EXCLUDE (adjusted, status), CASE WHEN p_value IS NOT NULL THEN max(adjusted) OVER (${order}) END AS p_adjusted, status
FROM (SELECT *, least(1, p_value * (count(p_value) OVER (PARTITION BY measure) - row_number() OVER (${order}) + 1)) AS adjusted FROM ireval_compare('results'${options.join("")}))
ORDER BY measure, system`;
}

const p = (value: Cell) => (value === null ? "–" : Number(value) < 0.0001 ? "< 0.0001" : Number(value).toFixed(4));
const signed = (value: Cell) => `${Number(value) > 0 ? "+" : ""}${decimals(value)}`;

export async function comparisonOf(workspace: Workspace): Promise<Node[]> {
  const { systems } = await shapeOf(workspace);
  const runs = await runsOf(workspace);
  if (systems.length > 1 || runs.length < 2) return [element("p", {}, "A comparison needs values of two systems or more.")];
  const place = element("div");
  const baseline = choice("baseline", "Baseline", runs, () => void show());
  baseline.field.hidden = false;
  const common = element("input", { id: "common", type: "checkbox", onchange: () => void show() });
  const show = () =>
    filled(place, async () => {
      await workspace.install("ireval_compare");
      const statement = `CREATE OR REPLACE TABLE comparison AS\n${comparisonQuery(workspace, baseline.select.value, common.checked ? "intersect" : "error")}`;
      await workspace.database.run(statement);
      workspace.comparing = statement;
      workspace.changed("comparison");
      // What has no p says why.
      const [unusual] = await workspace.database.row("SELECT count(*) FROM comparison WHERE status <> 'ok'");
      const columns = "measure, system, n, mean_baseline, mean, difference, wins, ties, losses, statistic AS t, df, p_value, p_adjusted";
      const rows = await workspace.database.query(`SELECT ${columns}${unusual ? ", status" : ""} FROM comparison`);
      const turn = new Map(workspace.measures.map((m, i) => [m.text, i]));
      rows.rows.sort((a, b) => turn.get(String(a[0]))! - turn.get(String(b[0]))!);
      return [
        table(rows, `Against ${baseline.select.value}`, { formats: { p_value: p, p_adjusted: p, difference: signed } }),
        element("p", { class: "note" }, "Student's t for paired values, two-sided; p_adjusted is corrected after Holm over the systems of a measure. Wins, ties and losses count units, in the direction of the measure."),
        sqlShown("SQL of the comparison", [statement]),
      ];
    });
  await show();
  return [
    element("div", { class: "choices" }, baseline.field, element("p", { class: "field" }, common, element("label", { for: "common" }, "Only units that both have"))),
    place,
  ];
}
