// The page of a store, or of a report's tables: what it shows depends on which tables there are.
import { byId, element, printable } from "../elements";
import { resultsPart } from "../results/part";
import { sqlPart } from "../sql/part";
import { boardTable, choicePart, measuresOf, where, type Choice } from "../store/boards";
import { historyPart } from "../store/history";
import { rowsPart } from "../store/rows";
import { loadTables, readStored, type Stored } from "../store/tables";
import type { Workspace } from "../workspace";
import { start } from "./starting";

void start(async (workspace) => {
  const stored = await readStored(workspace.folder);
  document.title = printable(stored.title);
  byId("title").textContent = printable(stored.title);
  await loadTables(workspace, stored);
  if (stored.kind === "store") await showStore(workspace);
  else showReport(workspace, stored);
  add("tables", "Tables", rowsPart(workspace, stored.tables));
  add("console", "SQL", sqlPart(workspace));
});

function add(id: string, title: string, ...parts: HTMLElement[]): void {
  const heading = element("h2", { id: `${id}-heading` }, title);
  document.querySelector("main")!.append(element("section", { id, "aria-labelledby": heading.id }, heading, ...parts));
}

async function showStore(workspace: Workspace): Promise<void> {
  const board = element("div");
  const history = element("div");
  const choose = async (choice: Choice) => {
    board.replaceChildren(await boardTable(workspace, choice));
    history.replaceChildren(await historyPart(workspace, choice));
    await choseResults(workspace, choice);
  };
  const results = resultsPart(workspace);
  const choice = await choicePart(workspace, choose);
  if (!choice.querySelector("option")) {
    add("leaderboard", "Leaderboard", element("p", {}, "The store holds no evaluation."));
    return;
  }
  add("leaderboard", "Leaderboard", choice, board);
  add("results", "Results", results);
  add("history", "History", history);
}

/** The last values of a choice as `results`, the table that measures would have filled. */
async function choseResults(workspace: Workspace, choice: Choice): Promise<void> {
  const statement = `CREATE OR REPLACE TABLE results AS SELECT measure, run_id, unit_id, value, status
    FROM "values" JOIN (FROM last_summaries SELECT evaluation_id, run_id, groups, measure, collection) USING (evaluation_id, run_id, groups, measure)
    WHERE ${where(choice)}`;
  await workspace.database.run(statement);
  await nameMeasures(workspace, `SELECT measure, any_value(higher_is_better), any_value(aggregation) FROM measures
    JOIN leaderboard USING (evaluation_id, measure) WHERE ${where(choice)} GROUP BY measure ORDER BY min(place), measure`);
  workspace.statements = [statement];
  workspace.changed("results");
}

function showReport(workspace: Workspace, stored: Stored): void {
  if (!stored.tables.some((t) => t.name === "results")) return;
  add("results", "Results", resultsPart(workspace));
  workspace.changed("results");
}
