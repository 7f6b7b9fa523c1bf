// Measures over the tables of the page.
import { call, type Measure } from "./catalog";
import { Refused } from "./errors";
import { string } from "./quoting";
import type { Workspace } from "./workspace";

/** The tables that the macros of a family read, by the names of their parameters, as one view each. */
async function inputs(workspace: Workspace, measure: Measure): Promise<string[]> {
  const kinds = { qrels: "qrels", run: "run", labels: "labels", clusters: "clusters" } as const;
  return measure.entry.tables.map((parameter) => {
    const kind = kinds[parameter as keyof typeof kinds];
    if (!kind || !workspace.of(kind).length) throw new Refused(`${measure.text} reads a table of ${parameter}.`, "Choose a file of it.");
    return `all_${kind}`;
  });
}

/** Evaluates measures into the table `results`. */
export async function evaluate(workspace: Workspace, measures: Measure[]): Promise<void> {
  const { database, progress } = workspace;
  for (const kind of ["qrels", "run", "labels", "clusters"] as const) {
    const tables = workspace.of(kind);
    if (!tables.length) continue;
    const selects = tables.map((t) => `FROM ${t.name}`).join(" UNION ALL BY NAME ");
    await database.run(`CREATE OR REPLACE VIEW all_${kind} AS ${selects}`);
  }
  const statements: string[] = [];
  for (const [i, measure] of measures.entries()) {
    progress(measure.text, i / measures.length);
    await workspace.install(measure.entry.macro);
    const select = `SELECT ${string(measure.text)} AS measure, * FROM ${call(measure, await inputs(workspace, measure))}`;
    const statement = i ? `INSERT INTO results BY NAME ${select}` : `CREATE OR REPLACE TABLE results AS ${select}`;
    await database.run(statement);
    statements.push(statement);
  }
  workspace.measures = measures.map((m) => m.text);
  workspace.statements = statements;
  workspace.changed("results");
}
