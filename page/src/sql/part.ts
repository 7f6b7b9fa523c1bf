// A console for SQL over all tables of the page.
import { action } from "../actions";
import { element } from "../elements";
import { table } from "../table";
import type { Workspace } from "../workspace";
import { statementsOf } from "./statements";

// What a table of the page shows is read; what is larger is asked for in parts.
const MOST_ROWS = 10_000;

export function sqlPart(workspace: Workspace, example = "FROM summary ORDER BY measure, value DESC"): HTMLElement {
  const input = element("textarea", { id: "sql", rows: 5, spellcheck: "false", onkeydown: enter });
  input.value = example;
  const place = element("div");
  const running = action(workspace, "Run", async () => {
    place.replaceChildren();
    for (const statement of statementsOf(input.value)) {
      workspace.progress("Running");
      const macros = statement.match(/\bireval_\w+/gi) ?? [];
      await workspace.install(...macros.map((m) => m.toLowerCase()).filter((m) => workspace.catalog.has(m)));
      // A result is held in memory, so one of any size is cut by DuckDB.
      const asked = /^(?:select|from|with|values)\b/i.test(statement) ? `FROM (${statement}\n) LIMIT ${MOST_ROWS}` : statement;
      const rows = await workspace.database.query(asked, MOST_ROWS);
      if (!rows.columns.length) continue;
      const more = rows.rows.length >= MOST_ROWS ? `The first ${MOST_ROWS.toLocaleString("en")} rows; LIMIT and OFFSET give others.` : "";
      place.replaceChildren(table(rows, "Rows"), more);
    }
  });
  function enter(event: Event): void {
    const { key, ctrlKey, metaKey } = event as KeyboardEvent;
    if (key === "Enter" && (ctrlKey || metaKey)) void running.run();
  }
  return element(
    "div",
    {},
    element("label", { for: "sql" }, "Statements over the tables of the page, and macros such as ireval_ndcg (Ctrl+Enter runs them)"),
    input,
    element("p", { class: "buttons" }, running.button, running.stop),
    running.message,
    place,
  );
}
