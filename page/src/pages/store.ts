// The page of a store, or of a report's tables: what it shows depends on which tables there are.
import { byId, element, printable } from "../elements";
import { identifier } from "../quoting";
import { resultsPart } from "../results/part";
import { filled } from "../results/sections";
import { sqlPart } from "../sql/part";
import { boardTable, choicePart, where, type Choice } from "../store/boards";
import { historyPart } from "../store/history";
import { rowsPart } from "../store/rows";
import { loadTables, readStored, type Stored } from "../store/tables";
import type { Workspace } from "../workspace";
import { start } from "./starting";

void start(async (workspace) => {
  const stored = await readStored(workspace.folder);
  document.title = printable(stored.title);
  byId("title").textContent = printable(stored.title);
  if (stored.back) byId("title").after(element("p", {}, element("a", { href: stored.back }, "The report")));
  await loadTables(workspace, stored);
  if (stored.kind === "store") await showStore(workspace);
  else await showReport(workspace, stored);
  add("tables", "Tables", rowsPart(workspace, stored.tables));
  const first = workspace.tables.has("summary") || stored.kind === "store" ? undefined : stored.tables[0]?.name;
  add("console", "SQL", sqlPart(workspace, first && `FROM ${identifier(first)}`));
});

function add(id: string, title: string, ...parts: HTMLElement[]): void {
  const heading = element("h2", { id: `${id}-heading` }, title);
  document.querySelector("main")!.append(element("section", { id, "aria-labelledby": heading.id }, heading, ...parts));
}

async function showStore(workspace: Workspace): Promise<void> {
  const board = element("div");
  const history = element("div");
  const failed = element("div");
  const choose = async (choice: Choice) => {
    workspace.progress("Querying");
    await filled(board, async () => [await boardTable(workspace, choice)]);
    await filled(failed, async () => (await choseResults(workspace, choice), []));
    await filled(history, async () => [await historyPart(workspace, choice)]);
    workspace.progress("");
  };
  const results = element("div", {}, failed, resultsPart(workspace));
  const choice = await choicePart(workspace, choose);
  if (!choice.querySelector("option")) {
    add("leaderboard", "Leaderboard", element("p", {}, "The store holds no evaluation."));
    return;
  }
  add("leaderboard", "Leaderboard", choice, board);
  add("results", "Results", results);
  add("history", "History", history);
}

/** The last values of a choice as `results` and `summary`, the tables that measures would have filled. */
async function choseResults(workspace: Workspace, choice: Choice): Promise<void> {
  // Runs of other judgments or conventions are ranked apart, and not compared.
  const comparable = `${where(choice)} AND conditions = (SELECT min(conditions) FROM leaderboard WHERE ${where(choice)})`;
  const key = "evaluation_id, run_id, groups, measure";
  const statements = [
    `CREATE OR REPLACE TABLE results AS SELECT measure, run_id, unit_id, value
FROM "values" SEMI JOIN (FROM leaderboard WHERE ${comparable}) USING (${key}) ORDER BY ALL`,
    `CREATE OR REPLACE VIEW summary AS SELECT run_id, measure, value, n_units, n_undefined FROM leaderboard WHERE ${comparable}`,
  ];
  await workspace.database.run(...statements, "DROP TABLE IF EXISTS comparison");
  workspace.comparing = "";
  await nameMeasures(workspace, `SELECT measure, any_value(higher_is_better), any_value(aggregation) FROM measures
    JOIN leaderboard USING (evaluation_id, measure) WHERE ${where(choice)} GROUP BY measure ORDER BY min(place), measure`);
  workspace.statements = statements;
  workspace.changed("results");
}

/** A report brings `results`, `summary` and `measures`, if it has values per unit. */
async function showReport(workspace: Workspace, stored: Stored): Promise<void> {
  if (!["results", "summary", "measures"].every((name) => stored.tables.some((t) => t.name === name))) return;
  add("results", "Results", resultsPart(workspace));
  await nameMeasures(workspace, "SELECT measure, higher_is_better, 'mean' FROM measures");
  workspace.changed("results");
}

async function nameMeasures(workspace: Workspace, sql: string): Promise<void> {
  const { rows } = await workspace.database.query(sql);
  workspace.measures = rows.map(([text, higher, aggregation]) => ({
    text: String(text),
    direction: higher === null ? "none" : higher ? "higher" : "lower",
    aggregation: String(aggregation),
  }));
}
