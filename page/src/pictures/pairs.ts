// Two systems unit by unit, and all systems against one.
import { string } from "../quoting";
import { comparisonQuery } from "../results/comparison";
import type { Evaluated, Workspace } from "../workspace";
import { quantile } from "./quantiles";
import type { Cell } from "../cells";
import { drawable, fill, panels, rowsOf, type Json, type Row, type Specification } from "./specification";
import type { Templates } from "./templates";
import { counted, countedRange, described, directed, rounded, sign } from "./words";

export interface Pair {
  system: string;
  baseline: string;
}

const BARS = 400;
const NAMED_MARKS = 200;
const POINTS = 1500;
const BINS = 40;
const MOST_EFFECTS = 60;

/** Both values of every unit, and their difference; what is a rounding apart differs by 0. */
function paired(unit: string, measure: Evaluated, { system, baseline }: Pair): string {
  const of = (run: string) => `SELECT CAST(${unit}_id AS VARCHAR) AS unit, value FROM results WHERE measure = ${string(measure.text)} AND CAST(run_id AS VARCHAR) = ${string(run)} AND value IS NOT NULL`;
  const integers = "round(a) = a AND abs(a) < 9007199254740992 AND round(b) = b AND abs(b) < 9007199254740992";
  const noise = `CASE WHEN a = b OR (${integers}) THEN 0 ELSE 64 * 2.220446049250313e-16 * greatest(abs(a), abs(b)) END`;
  return `SELECT unit, a, b, b - a AS d, ${noise} AS noise FROM (SELECT unit, a.value AS a, b.value AS b FROM (${of(baseline)}) AS a JOIN (${of(system)}) AS b USING (unit))`;
}

/** The difference of two systems in every unit, sorted, and the mean difference. */
export async function differences(workspace: Workspace, templates: Templates, unit: string, measure: Evaluated, pair: Pair): Promise<Specification> {
  const better = measure.direction === "lower" ? "-d" : "d";
  const { database } = workspace;
  const exact = `SELECT unit, CASE WHEN abs(d) > noise THEN d ELSE 0 END AS d, max(noise) OVER () / count(*) OVER () AS width FROM (${paired(unit, measure, pair)})`;
  const verdict = `CASE WHEN ${better} > width THEN 'better' WHEN ${better} < -width THEN 'worse' ELSE 'equal' END`;
  const counts = rowsOf(await database.query(`SELECT ${verdict} AS verdict, count(*) AS n, fsum(d) AS sum FROM (${exact}) GROUP BY ALL`));
  const n = counts.reduce((sum, r) => sum + Number(r["n"]), 0);
  const mean = counts.reduce((sum, r) => sum + Number(r["sum"]), 0) / n;
  const rows = rowsOf(
    await database.query(`
WITH exact AS (${exact}),
gains AS (SELECT *, round(-(${better}) / (SELECT max(abs(d)) FROM exact), 10) AS loss FROM exact),
ordered AS (SELECT *, row_number() OVER (ORDER BY loss, unit) - 1 AS turn FROM gains),
marks AS (
  SELECT ${n <= BARS ? "turn + 1" : `turn * ${BARS} // ${n} + 1`} AS place,
    CASE WHEN count(*) > 1 THEN arg_min(unit, turn) || ' … ' || arg_max(unit, turn) ELSE any_value(unit) END AS unit,
    avg(d) AS d, any_value(width) AS width, count(*) AS n_units
  FROM ordered GROUP BY place
)
SELECT place, unit, d AS difference, ${verdict} AS verdict, n_units FROM marks ORDER BY place`),
  );
  const size = (v: string) => Number(counts.find((r) => r["verdict"] === v)?.["n"] ?? 0).toLocaleString("en");
  const subtitle = [
    `${["better", "equal", "worse"].map((v) => `${v} in ${size(v)}`).join(", ")} of ${counted(n, unit)}`,
    `dashed: the mean difference, ${mean < 0 ? "" : "+"}${mean.toFixed(4)}`,
    n > BARS ? `bars are means of about ${counted(rounded(n / BARS), unit)} each` : "",
  ].filter(Boolean);
  const title = `${pair.system} against ${pair.baseline} by ${directed(measure)}`;
  const places = {
    title, subtitle, description: described(title, subtitle), mean,
    up: `${measure.text}: ${pair.system} − ${pair.baseline}`, across: `${counted(n, unit)}, by difference`,
  };
  const half = rows.length > NAMED_MARKS ? 0.5 : 0.42;
  const sides = rows.map((r) => ({ ...r, left: Number(r["place"]) - half, right: Number(r["place"]) + half }));
  const specification = fill(templates.differences, places, sides);
  marksOf(specification, 0, { aria: rows.length <= NAMED_MARKS });
  return specification;
}

/** The values of two systems in every unit; of many units, how many are in each square. */
export async function scatter(workspace: Workspace, templates: Templates, unit: string, measure: Evaluated, pair: Pair): Promise<Specification> {
  const { database } = workspace;
  const source = paired(unit, measure, pair);
  const [n, least, most, above, below] = (await database.row(
    `SELECT count(*), min(least(a, b)), max(greatest(a, b)), count(*) FILTER (d > 0), count(*) FILTER (d < 0) FROM (${source})`,
  )).map(Number) as [number, number, number, number, number];
  const [low, high] = least >= 0 && most <= 1 ? [0, 1] : [least, most > least ? most : least + 1];
  const binned = n > POINTS;
  const side = (high - low) / BINS;
  const square = (c: string) => `greatest(0, least(${BINS - 1}, floor((${c} - ${low}) / ${side})))`;
  const edge = (c: string, more: number, name: string) => `${low} + (${c} + ${more}) * ${side} AS ${name}`;
  const rows = rowsOf(
    await database.query(
      binned
        ? `SELECT ${[edge("i", 0, "a1"), edge("i", 1, "a2"), edge("j", 0, "b1"), edge("j", 1, "b2")].join(", ")}, n_units FROM (SELECT ${square("a")} AS i, ${square("b")} AS j, count(*) AS n_units FROM (${source}) GROUP BY ALL ORDER BY i, j)`
        : `SELECT unit, a, b FROM (${source}) ORDER BY unit`,
    ),
  );
  const subtitle = [`${counted(n, unit)}: ${above.toLocaleString("en")} above the diagonal, ${below.toLocaleString("en")} below`];
  const title = `${pair.system} against ${pair.baseline} by ${directed(measure)}`;
  const places = { title, subtitle, description: described(title, subtitle), low, high, across: `${measure.text} of ${pair.baseline}`, up: `${measure.text} of ${pair.system}` };
  const specification = fill(binned ? templates.scatter_binned : templates.scatter, places, rows);
  if (!binned) marksOf(specification, 1, { aria: rows.length <= NAMED_MARKS });
  return specification;
}

/** Differences to the baseline of the table `comparison` with their intervals. */
export async function effects(workspace: Workspace, templates: Templates, unit: string): Promise<Specification> {
  const all = rowsOf(await workspace.database.query("SELECT measure, '' AS \"group\", system || ' − ' || baseline AS pair, system, baseline, difference, se, df, p_adjusted, n FROM comparison ORDER BY measure, system"));
  const largest = [...all].sort((a, b) => Math.abs(Number(b["difference"])) - Math.abs(Number(a["difference"]))).slice(0, MOST_EFFECTS);
  const title = `Differences to ${all[0]?.["baseline"]}`;
  const subtitle = [
    `over ${countedRange(all.map((r) => Number(r["n"])), unit)}; bar: 95% interval of t; p corrected by holm`,
    all.length > MOST_EFFECTS ? `the ${MOST_EFFECTS} largest differences of ${all.length}` : "",
  ].filter(Boolean);
  const measures = workspace.measures.filter((m) => largest.some((r) => r["measure"] === m.text));
  const parts = measures.map((measure): [string, Specification] => {
    const turned = measure.direction === "lower" ? 1 : -1;
    const own = largest.filter((r) => r["measure"] === measure.text).sort((a, b) => turned * (Number(a["difference"]) - Number(b["difference"])));
    const rows = own.map((r) => effect(r, turned, templates.quantiles));
    const places = { title, subtitle, description: described(title, subtitle), measure: measure.text, direction: sign(measure), order: rows.map((r) => r["pair"]!) };
    const part = fill(templates.effects, places, rows);
    const width = Number(part["width"]);
    return [measure.text, { ...part, width: measures.length > 1 ? Math.floor((2 * width) / 3) : width, height: Math.max(40, 22 * rows.length) }];
  });
  return panels(parts);
}

function effect({ se, df, ...row }: Row, turned: number, quantiles: number[]): Row {
  const difference = Number(row["difference"]);
  const width = se === null ? null : quantile(quantiles, Number(df)) * Number(se);
  const verdict = verdictOf(row["p_adjusted"]!, -turned * difference);
  return { ...row, low: width === null ? null : difference - width, high: width === null ? null : difference + width, verdict };
}

// The systems of a matrix, and up to how many have numbers in the cells.
const MOST_COMPARED = 60;
const WRITTEN = 15;

/** Every system against every other one: differences of means, and which are significant. */
export async function matrix(workspace: Workspace, templates: Templates, unit: string, measure: Evaluated): Promise<Specification> {
  await workspace.install("ireval_compare");
  const query = comparisonQuery(workspace, undefined, "intersect");
  const pairs = rowsOf(await workspace.database.query(`SELECT system, baseline, difference, mean, mean_baseline, p_adjusted, n FROM (${query}) WHERE measure = ${string(measure.text)} AND n > 0`));
  const turned = measure.direction === "lower" ? 1 : -1;
  const both = pairs.flatMap((r) => [
    matrixCell(r, turned, r["system"]!, r["baseline"]!, Number(r["difference"]), Number(r["mean"])),
    matrixCell(r, turned, r["baseline"]!, r["system"]!, -Number(r["difference"]), Number(r["mean_baseline"])),
  ]);
  const means = new Map<string, number[]>();
  for (const { row, mean } of both) means.set(String(row["run_id"]), [...(means.get(String(row["run_id"])) ?? []), mean]);
  const best = [...means].map(([run, of]): [string, number] => [run, of.reduce((a, b) => a + b, 0) / of.length])
    .sort((a, b) => turned * (a[1] - b[1]) || (a[0] < b[0] ? -1 : 1)).map(([run]) => run);
  const order = best.slice(0, MOST_COMPARED);
  const place = (row: Row) => order.indexOf(String(row["run_id"])) * order.length + order.indexOf(String(row["other_run_id"]));
  const rows = both.map((c) => c.row).filter((r) => [r["run_id"], r["other_run_id"]].every((run) => order.includes(String(run)))).sort((a, b) => place(a) - place(b));
  const title = `Every two systems by ${directed(measure)}`;
  const subtitle = [
    `over ${countedRange(pairs.map((r) => Number(r["n"])), unit)}; starred: significant by t, corrected by holm`,
    best.length > order.length ? `the best ${order.length} systems of ${best.length}` : "",
  ].filter(Boolean);
  const specification = fill(templates.matrix, { title, subtitle, description: described(title, subtitle), order }, rows);
  const largest = Number(drawable(Math.max(...rows.map((r) => Math.abs(Number(r["difference"])))))) || 1;
  const written = order.length <= WRITTEN;
  const [cells, ...marks] = specification["layer"] as { encoding: { color: Specification }; mark: Specification }[];
  (cells!.encoding.color["scale"] as Specification)["domain"] = [-largest, largest];
  for (const { encoding } of marks) (encoding.color["condition"] as Specification)["test"] = `abs(datum.difference) > ${0.55 * largest}`;
  if (!written) Object.assign(marks.at(-1)!.mark, { yOffset: 1 });
  const width = Math.max(Number(specification["width"]), (written ? 54 : 14) * order.length);
  return { ...specification, layer: [cells, ...marks.slice(written ? 0 : 1)] as unknown as Json, width, height: Math.max(60, width * 0.6, 13 * order.length) };
}

function matrixCell({ p_adjusted }: Row, turned: number, run_id: Cell, other_run_id: Cell, difference: number, mean: number): { row: Row; mean: number } {
  const verdict = verdictOf(p_adjusted!, -turned * difference);
  return { row: { run_id, other_run_id, difference, p_adjusted: p_adjusted!, verdict }, mean };
}

/** Better or worse where a difference is significant. */
function verdictOf(p: Cell, gain: number): string {
  const significant = p !== null && Number(p) <= 0.05;
  return !significant || gain === 0 ? "not significant" : gain > 0 ? "better" : "worse";
}

/** Sets properties of the marks of a layer. */
function marksOf(specification: Specification, layer: number, properties: Specification): void {
  const layers = specification["layer"] as Specification[];
  Object.assign(layers[layer]!["mark"] as Specification, properties);
}
