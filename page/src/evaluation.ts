// Measures over the tables of the page, into the tables `results` and `summary`.
import type { Measure } from "./catalog";
import { Refused } from "./errors";
import { identifier, string } from "./quoting";
import type { Kind, Workspace } from "./workspace";

/** The kind of the tables that a parameter of a macro names. */
export function kindOf(parameter: string): Kind {
  return (parameter === "runs" ? "run" : parameter) as Kind;
}

/** The families whose macros find all their tables. */
export function families(workspace: Workspace): string[] {
  const there = (tables: string[]) => tables.every((parameter) => workspace.of(kindOf(parameter)).length > 0);
  return workspace.catalog.families.filter((f) => workspace.catalog.entries.some((e) => e.family === f && there(e.tables)));
}

/** The end of the names of macros that fit the columns of the tables, for families with several kinds of tables. */
export async function suffixOf(workspace: Workspace, family: string): Promise<string> {
  if (family !== "organization") return "";
  const columns = (await Promise.all(workspace.of("system" as Kind).map((t) => columnsOf(workspace, t.name)))).flat();
  return columns.includes("cluster_id") ? (columns.includes("score") ? "" : "_relatedness") : "_priority";
}

/** The columns of a table or view of the database. */
export async function columnsOf(workspace: Workspace, table: string): Promise<string[]> {
  return (await workspace.database.query(`SELECT * FROM ${identifier(table)} LIMIT 0`)).columns.map((c) => c.name);
}

// Tables of several systems: without a column of them, each table is one.
const OF_SYSTEMS = ["run", "labels", "clusters", "system", "probabilities"];

/** One view over the tables of a kind, and its statement. */
export async function together(workspace: Workspace, kind: Kind): Promise<string> {
  const selects: string[] = [];
  for (const { name } of workspace.of(kind)) {
    const named = !OF_SYSTEMS.includes(kind) || (await columnsOf(workspace, name)).includes("run_id");
    selects.push(named ? `FROM ${identifier(name)}` : `SELECT ${string(name)} AS run_id, * FROM ${identifier(name)}`);
  }
  return `CREATE OR REPLACE VIEW all_${kind} AS ${selects.join(" UNION ALL BY NAME ")}`;
}

/** The call of a macro over the tables of the page. */
function call(measure: Measure, positive: string): string {
  const { entry, values, text } = measure;
  const options: [string, string | number | boolean][] = Object.entries(values);
  if (entry.options.some((o) => o.name === "positive") && !("positive" in values)) {
    if (!positive) throw new Refused(`${text} is of one class, the positive one.`, "Choose it beside the measures.");
    options.push(["positive", positive]);
  }
  const tables = entry.tables.map((parameter) => string(`all_${kindOf(parameter)}`));
  return `${entry.macro}(${[...tables, ...options.map(([k, v]) => `${identifier(k)} := ${typeof v === "string" ? string(v) : v}`)].join(", ")})`;
}

/** Evaluates measures: `results` has a row per measure, system and unit, `summary` one per measure and system. */
export async function evaluate(workspace: Workspace, measures: Measure[], positive = ""): Promise<void> {
  const { database, progress } = workspace;
  const lacking = measures.flatMap((m) => m.entry.tables.map((p): [string, Kind] => [m.text, kindOf(p)])).find(([, kind]) => !workspace.of(kind).length);
  if (lacking) throw new Refused(`${lacking[0]} also reads a table of the kind ${lacking[1].replace("_", " ")}, and there is none.`, "Choose its file under Data; where it was recognised as another kind, change that there.");
  const kinds = [...new Set(measures.flatMap((m) => m.entry.tables.map(kindOf)))];
  const statements: string[] = [];
  const run = async (statement: string) => {
    await database.run(statement);
    statements.push(statement);
  };
  for (const kind of kinds) await run(await together(workspace, kind));
  await workspace.install(...measures.map((m) => m.entry.macro));
  // Of measures that fail nothing is left behind, and what was there before stays.
  for (const [i, measure] of measures.entries()) {
    progress(`Evaluating ${measure.text}`, i / measures.length);
    const select = `SELECT ${string(measure.text)} AS measure, * FROM ${call(measure, positive)}`;
    try {
      await run(i ? `INSERT INTO evaluated BY NAME ${select}` : `CREATE OR REPLACE TEMP TABLE evaluated AS ${select}`);
    } catch (error) {
      const { message, hint } = Refused.of(error);
      throw new Refused(message === "Stopped." || message.startsWith(measure.text) ? message : `${measure.text}: ${message}`, hint);
    }
  }
  if (!(await database.row("SELECT count(*) FROM evaluated"))[0]) throw new Refused("There are no values.", "Similarity needs two runs of the same queries; other measures need rows in each table.");
  const keys = (await columnsOf(workspace, "evaluated")).filter((c) => c !== "value");
  await run(`CREATE OR REPLACE TABLE results AS FROM evaluated ORDER BY ${keys.map(identifier).join(", ")}`);
  await run("DROP TABLE evaluated");
  workspace.measures = measures.map(({ text, entry }) => ({ text, direction: entry.direction, aggregation: entry.aggregation }));
  await run(await summarize(workspace));
  workspace.statements = statements;
  workspace.sources = kinds.flatMap((kind) => workspace.of(kind));
  workspace.comparing = "";
  workspace.macros = [...new Set(measures.map((m) => m.entry.macro))];
  workspace.changed("results");
}

/** What tells a system in `results`, and what a unit. */
export async function shapeOf(workspace: Workspace): Promise<{ systems: string[]; unit: string }> {
  const columns = await columnsOf(workspace, "results");
  const unit = columns.find((c) => c === "query_id") ?? "unit_id";
  return { systems: columns.filter((c) => ["run_id", "other_run_id"].includes(c)), unit };
}

/** The view of means over units, or of sums for measures that are counts, as in `summary()`. */
async function summarize(workspace: Workspace): Promise<string> {
  const sums = workspace.measures.filter((m) => m.aggregation === "sum").map((m) => string(m.text));
  const mean = "fsum(value) / count(value)";
  const value = sums.length ? `CASE WHEN measure IN (${sums.join(", ")}) THEN fsum(value) ELSE ${mean} END` : mean;
  const systems = (await shapeOf(workspace)).systems.map(identifier).join(", ");
  const counts = "count(*) AS n_units, count(*) - count(value) AS n_undefined";
  return `CREATE OR REPLACE VIEW summary AS SELECT ${systems}, measure, ${value} AS value, ${counts} FROM results GROUP BY ${systems}, measure`;
}

/** The classes of labels, of which one may be the positive one. */
export async function classes(workspace: Workspace): Promise<string[]> {
  if (!workspace.of("labels").length) return [];
  const labels = workspace.of("labels").map((t) => `SELECT CAST(label AS VARCHAR) AS label FROM ${identifier(t.name)}`);
  const { rows } = await workspace.database.query(`SELECT DISTINCT label FROM (${labels.join(" UNION ALL ")}) WHERE label IS NOT NULL ORDER BY label LIMIT 200`);
  return rows.map(([label]) => String(label));
}
