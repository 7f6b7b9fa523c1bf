// The tables of the page: files that are chosen or dropped, and the examples.
import { element } from "../elements";
import { string } from "../quoting";
import type { Kind, Workspace } from "../workspace";

export function dataPart(workspace: Workspace): HTMLElement {
  const list = element("ul");
  workspace.on("tables", () =>
    list.replaceChildren(...[...workspace.tables.values()].map((t) => element("li", {}, `${t.name}: ${t.kind}, ${t.rows} rows, ${t.source}`))),
  );
  return element("div", {}, element("button", { type: "button", onclick: () => void example(workspace) }, "Example: rankings"), list);
}

async function example(workspace: Workspace): Promise<void> {
  for (const [file, kind] of [["qrels.txt", "qrels"], ["bm25.txt", "run"], ["tfidf.txt", "run"]] as [string, Kind][]) {
    const text = await (await fetch(new URL(`data/examples/${file}`, workspace.folder))).text();
    await workspace.database.next(() => workspace.database.duckdb.registerFileText(file, text));
    const name = file.replace(".txt", "");
    const columns = kind === "qrels" ? "column0 AS query_id, column2 AS doc_id, CAST(column3 AS DOUBLE) AS relevance"
      : "column0 AS query_id, column2 AS doc_id, CAST(column4 AS DOUBLE) AS score, column5 AS run_id";
    await workspace.database.run(`CREATE OR REPLACE TABLE ${name} AS SELECT ${columns} FROM read_csv(${string(file)}, delim = ' ', header = false, all_varchar = true)`);
    const [rows] = await workspace.database.row(`SELECT count(*) FROM ${name}`);
    workspace.tables.set(name, { name, kind, source: file, columns: [], rows: Number(rows), notes: [] });
  }
  workspace.changed("tables");
}
