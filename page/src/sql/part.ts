// A console for SQL over all tables of the page.
import { action } from "../actions";
import type { Rows } from "../database";
import { element } from "../elements";
import { Refused } from "../errors";
import { csv } from "../results/downloads";
import { save } from "../saving";
import { table } from "../table";
import type { Workspace } from "../workspace";
import { limited, statementsOf, unlimited } from "./statements";

// What a table of the page shows is read; what is larger is asked for in parts.
const MOST_ROWS = 10_000;

function takeAway(rows: Rows): HTMLElement {
  const button = element("button", { type: "button", onclick: () => save("rows.csv", csv(rows), "text/csv") }, "Rows as CSV");
  return element("p", { class: "buttons" }, button);
}

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
      if (/^copy\b[\s\S]*\bto\b/i.test(statement)) throw new Refused("COPY writes no file from a tab.", "Ask for the rows: below them they are taken away as CSV.");
      // A result is held in memory, so one of any size is cut by DuckDB.
      const rows = await workspace.database.query(limited(statement, MOST_ROWS), MOST_ROWS).catch((error: unknown) => {
        const { message, hint } = Refused.of(error);
        throw new Refused(unlimited(message), hint);
      });
      if (!rows.columns.length) continue;
      const more = rows.rows.length >= MOST_ROWS ? `The first ${MOST_ROWS.toLocaleString("en")} rows; LIMIT and OFFSET give others.` : "";
      place.replaceChildren(table(rows, "Rows", { lines: true }), more, takeAway(rows));
    }
  }, "main");
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
