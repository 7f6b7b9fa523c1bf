// Systems beside each other: means with intervals, how values spread, every unit of every system.
import { string } from "../quoting";
import type { Evaluated, Workspace } from "../workspace";
import { quantile } from "./quantiles";
import { fill, panels, rowsOf, type Row, type Specification } from "./specification";
import type { Templates } from "./templates";
import { counted, countedRange, described, directed, rounded, sign } from "./words";

const MOST = 40;
const MOST_ROWS = 5000;

/** A mean and its 95 % t interval per system, the best first; a panel per measure. */
export async function systems(workspace: Workspace, templates: Templates, unit: string): Promise<Specification> {
  const rows = rowsOf(
    await workspace.database.query(`
WITH defined AS (SELECT CAST(run_id AS VARCHAR) AS run_id, measure, value FROM results WHERE value IS NOT NULL),
means AS (SELECT run_id, measure, fsum(value) / count(*) AS mean, count(*) AS n FROM defined GROUP BY ALL)
SELECT run_id, measure, mean AS value, n AS n_units, CASE WHEN n > 1 THEN sqrt(fsum(pow(value - mean, 2)) / (n - 1) / n) END AS se
FROM defined JOIN means USING (run_id, measure) GROUP BY run_id, measure, mean, n ORDER BY run_id`),
  );
  const measures = workspace.measures.filter((m) => rows.some((r) => r["measure"] === m.text));
  const ordered = measures.map((measure): [Evaluated, Row[]] => {
    const turned = measure.direction === "lower" ? 1 : -1;
    const own = rows.filter((r) => r["measure"] === measure.text).sort((a, b) => turned * (Number(a["value"]) - Number(b["value"])));
    return [measure, own.map((r) => interval(r, templates.quantiles))];
  });
  const drawn = ordered.map(([measure, own]): [Evaluated, Row[]] => [measure, own.slice(0, MOST)]);
  const names = (some: Row[][]) => new Set(some.flat().map((r) => r["run_id"])).size;
  const [shown, all] = [names(drawn.map(([, own]) => own)), names(ordered.map(([, own]) => own))];
  const title = `${counted(shown, "system")} by ${measures.map((m) => m.text).join(", ")}`;
  const without = workspace.measures.filter((m) => !measures.includes(m)).map((m) => m.text);
  const subtitle = [
    `mean over ${countedRange(rows.map((r) => Number(r["n_units"])), unit)}; bar: 95% t interval of the mean`,
    all > shown ? `the best ${MOST}; ${counted(all - shown, "other system")} left out` : "",
    without.length ? `not drawn, as no ${unit} has a value: ${without.join(", ")}` : "",
  ].filter(Boolean);
  const parts = drawn.map(([measure, own]): [string, Specification] => {
    const places = { title, subtitle, description: described(title, subtitle), measure: measure.text, direction: sign(measure), order: own.map((r) => r["run_id"]!) };
    const part = fill(templates.systems, places, own);
    const width = Number(part["width"]);
    return [measure.text, { ...part, width: drawn.length > 1 ? Math.floor(width / 2) : width, height: Math.max(40, 20 * own.length) }];
  });
  return panels(parts);
}

function interval({ se, ...row }: Row, quantiles: number[]): Row {
  const width = se === null ? null : quantile(quantiles, Number(row["n_units"]) - 1) * Number(se);
  const [low, high] = width === null ? [null, null] : [Number(row["value"]) - width, Number(row["value"]) + width];
  return { run_id: row["run_id"]!, group: "", measure: row["measure"]!, value: row["value"]!, low, high, n_units: row["n_units"]! };
}

const TEN_DIGITS = "CASE WHEN value = 0 THEN 0 ELSE round(value, 9 - CAST(floor(log10(abs(value))) AS INTEGER)) END";

/** The share of units that have at most each value, as steps, thinned to what a screen shows. */
export async function distribution(workspace: Workspace, templates: Templates, unit: string, measure: Evaluated): Promise<Specification> {
  const named = `SELECT CAST(run_id AS VARCHAR) AS run_id, value FROM results WHERE measure = ${string(measure.text)}`;
  const counts = rowsOf(await workspace.database.query(`SELECT run_id, count(value) AS n, count(*) - count(value) AS n_undefined FROM (${named}) GROUP BY ALL HAVING count(*) > 0 ORDER BY run_id`));
  const names = counts.filter((r) => Number(r["n"]) > 0).map((r) => String(r["run_id"]));
  const pixels = Math.max(10, Math.min(200, Math.floor(1200 / Math.max(1, names.length))));
  const rows = rowsOf(
    await workspace.database.query(`
WITH equal AS (SELECT run_id, max(value) AS value, count(*) AS n FROM (${named}) WHERE value IS NOT NULL GROUP BY run_id, ${TEN_DIGITS}),
steps AS (SELECT run_id, value, sum(n) OVER (PARTITION BY run_id ORDER BY value) / sum(n) OVER (PARTITION BY run_id) AS share FROM equal),
line AS (FROM steps UNION ALL SELECT run_id, min(value), 0 FROM steps GROUP BY run_id),
placed AS (SELECT *, coalesce(floor((value - min(value) OVER of_run) / nullif(max(value) OVER of_run - min(value) OVER of_run, 0) * ${pixels - 1}), 0) AS place FROM line WINDOW of_run AS (PARTITION BY run_id))
SELECT run_id, value, share FROM placed
QUALIFY (SELECT count(*) FROM line) <= ${4 * pixels} OR 1 IN (row_number() OVER (PARTITION BY run_id, place ORDER BY value, share), row_number() OVER (PARTITION BY run_id, place ORDER BY value DESC, share DESC))
ORDER BY run_id, value, share`),
  );
  const { few, chosen, ...channels } = channelsOf(templates, names);
  const title = `${measure.text}: how it spreads over units`;
  const left = counts.reduce((sum, r) => sum + Number(r["n_undefined"]), 0);
  const subtitle = [
    countedRange(counts.map((r) => Number(r["n"])), unit),
    left ? `${left.toLocaleString("en")} undefined values are left out` : "",
    few ? "" : `in colour: ${chosen.join(", ")}; grey: ${names.length - 1} others`,
  ].filter(Boolean);
  const inFront = few ? rows : [...rows.filter((r) => r["run_id"] !== chosen[0]), ...rows.filter((r) => r["run_id"] === chosen[0])];
  const places = {
    title, subtitle, description: described(title, subtitle), measure: directed(measure), names, chosen,
    ...channels,
  };
  const specification = fill(templates.distribution, places, inFront);
  if (names.length < 2) {
    const encoding = specification["encoding"] as { [name: string]: Specification };
    for (const channel of ["color", "strokeDash"]) encoding[channel]!["legend"] = null;
  }
  return specification;
}

/** Colours and dashes of systems: of many only the first has its own. */
export function channelsOf({ style: { series, dashes, context } }: Templates, names: string[]): { few: boolean; chosen: string[]; colours: string[]; dashes: number[][] } {
  const few = names.length <= series.length;
  const chosen = few ? names : names.slice(0, 1);
  return {
    few, chosen,
    colours: names.map((n, i) => (few ? series[i]! : n === chosen[0] ? series[0]! : context)),
    dashes: names.map((n, i) => (few ? dashes[i]! : n === chosen[0] ? dashes[0]! : [1, 0])),
  };
}

const MOST_SYSTEMS = 25;
const MOST_COLUMNS = 200;

/** Units by systems as colours: units from hard to easy, systems from good to bad. */
export async function units(workspace: Workspace, templates: Templates, unit: string, measure: Evaluated): Promise<Specification> {
  const { database } = workspace;
  const turned = measure.direction === "lower" ? "" : "-";
  const named = `SELECT CAST(run_id AS VARCHAR) AS run_id, CAST(${unit}_id AS VARCHAR) AS unit, value FROM results WHERE measure = ${string(measure.text)} AND value IS NOT NULL`;
  const [n, low, high] = await database.row(`SELECT count(DISTINCT unit), min(value), max(value) FROM (${named})`);
  const best = (await database.query(`SELECT run_id FROM (${named}) GROUP BY run_id ORDER BY ${turned}avg(value), run_id`)).rows.map(([r]) => String(r));
  const order = best.slice(0, MOST_SYSTEMS);
  const count = Number(n);
  const columns = count <= MOST_COLUMNS ? count : Math.max(1, Math.min(MOST_COLUMNS, Math.floor(MOST_ROWS / order.length)));
  const rows = rowsOf(
    await database.query(`
WITH named AS (${named}),
hard AS (SELECT unit, row_number() OVER (ORDER BY ${turned ? "" : "-"}avg(value), unit) - 1 AS turn FROM named GROUP BY unit),
placed AS (SELECT run_id, unit, value, turn, turn * ${columns} // ${count} + 1 AS place FROM named JOIN hard USING (unit) WHERE run_id IN (${order.map(string).join(", ")}))
SELECT run_id, CASE WHEN count(*) > 1 THEN arg_min(unit, turn) || ' … ' || arg_max(unit, turn) ELSE any_value(unit) END AS unit,
place, avg(value) AS value, count(*) AS n_units FROM placed GROUP BY run_id, place ORDER BY min(turn), run_id`),
  );
  const binned = columns < count;
  const subtitle = [
    `${counted(count, unit)}, the hardest on the left${binned ? `; columns are means of about ${rounded(count / columns)}` : ""}`,
    best.length > MOST_SYSTEMS ? `the best ${MOST_SYSTEMS} systems; ${counted(best.length - MOST_SYSTEMS, "other")} left out` : "",
  ].filter(Boolean);
  const title = `${measure.text} of every ${unit} and system`;
  const places = {
    title, subtitle, description: described(title, subtitle), order, across: `${counted(count, unit)} by mean value`,
    measure: directed(measure), domain: Number(low) >= 0 && Number(high) <= 1 ? [0, 1] : undefined,
  };
  const specification = fill(binned ? templates.units_binned : templates.units, places, rows);
  const width = Math.max(Number(specification["width"]), Math.min(900, 5 * new Set(rows.map((r) => r["place"])).size));
  return { ...specification, width, height: Math.max(60, 18 * order.length) };
}
