// The leaderboard of a collection: its runs with the last values of all measures, the best first.
import { element, printable } from "../elements";
import { Refused } from "../errors";
import { identifier, string } from "../quoting";
import { table } from "../table";
import type { Workspace } from "../workspace";

/** The values that are shown: of one collection, and of one group of `by=`. */
export interface Choice {
  collection: string;
  groups: string;
}

/** Chooses collection and groups; `then` is called with every choice, the first included. */
export async function choicePart(workspace: Workspace, then: (choice: Choice) => Promise<void>): Promise<HTMLElement> {
  const { rows } = await workspace.database.query(
    "SELECT collection, groups FROM leaderboard GROUP BY collection, groups ORDER BY max(made_at) DESC, collection, groups <> '{}', groups",
  );
  const collections = [...new Set(rows.map(([c]) => String(c)))];
  const groupsOf = (collection: string) => rows.filter(([c]) => c === collection).map(([, g]) => String(g));
  const groups = select("Group", [], (text) => (text === "{}" ? "all" : text), () => void choose());
  const collection = select("Collection", collections, (text) => text || "(without a name)", () => {
    fill(groups, groupsOf(collection.value));
    void choose();
  });
  // One choice after the other, so that the last one is what stands there.
  let last = Promise.resolve();
  const choose = () => {
    groups.parentElement!.hidden = groups.options.length < 2;
    collection.parentElement!.hidden = collection.options.length < 2;
    const choice = { collection: collection.value, groups: groups.value };
    last = last.then(() => then(choice)).catch((error: unknown) => workspace.progress(Refused.of(error).message));
    return last;
  };
  if (collections.length) {
    fill(groups, groupsOf(collections[0]!));
    await choose();
  }
  return element("div", { class: "choices" }, collection.parentElement!, groups.parentElement!);
}

/** A choice among texts, in its label. */
export function select(label: string, values: string[], shown: (text: string) => string, onchange: () => void): HTMLSelectElement {
  const choice = element("select", { onchange });
  fill(choice, values, shown);
  element("label", {}, `${label} `, choice);
  return choice;
}

function fill(choice: HTMLSelectElement, values: string[], shown = (text: string) => (text === "{}" ? "all" : text)): void {
  choice.replaceChildren(...values.map((value) => element("option", { value }, printable(shown(value)))));
}

/** The measures of a choice, in their order. */
export async function measuresOf(workspace: Workspace, choice: Choice): Promise<string[]> {
  const { rows } = await workspace.database.query(`SELECT measure FROM leaderboard JOIN measures USING (evaluation_id, measure)
    WHERE ${where(choice)} GROUP BY measure ORDER BY min(place), measure`);
  return rows.map(([measure]) => String(measure));
}

export function where({ collection, groups }: Choice): string {
  return `collection = ${string(collection)} AND groups = ${string(groups)}`;
}

/** The runs of a choice, a column per measure. */
export async function boardTable(workspace: Workspace, choice: Choice): Promise<HTMLElement> {
  const measures = await measuresOf(workspace, choice);
  const values = measures.map((m) => `max(value) FILTER (measure = ${string(m)}) AS ${identifier(m)}`);
  const first = string(measures[0] ?? "");
  const rows = await workspace.database.query(`
    SELECT min(rank) FILTER (measure = ${first}) AS rank, run_id, ${values.join(", ")}, max(n_units) AS n_units,
      string_agg(DISTINCT differs, ', ') AS differs, max(made_at) AS made_at, max(tags) AS tags
    FROM leaderboard WHERE ${where(choice)} GROUP BY conditions, run_id ORDER BY conditions, rank NULLS LAST, run_id`);
  // Columns that say nothing are left out.
  const empty = ["differs", "tags"].filter((name) => {
    const i = rows.columns.findIndex((c) => c.name === name);
    return rows.rows.every((row) => row[i] === null || row[i] === "{}");
  });
  const shown = rows.columns.map((c, i) => (empty.includes(c.name) ? -1 : i)).filter((i) => i >= 0);
  const kept = { columns: shown.map((i) => rows.columns[i]!), rows: rows.rows.map((row) => shown.map((i) => row[i]!)) };
  return table(kept, `The last value of every run, by ${printable(measures[0] ?? "")}`);
}
