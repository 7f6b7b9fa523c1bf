// The leaderboard of a collection: its runs with the last values of all measures, the best first.
import { element, printable } from "../elements";
import { identifier, string } from "../quoting";
import { table } from "../table";
import type { Workspace } from "../workspace";

/** The values that are shown: of one collection, one family of measures, and one group of `by=`. */
export interface Choice {
  collection: string;
  family: string;
  groups: string;
}

const LEVELS: [keyof Choice, string, (text: string) => string][] = [
  ["collection", "Collection", (text) => text || "(without a name)"],
  ["family", "Family", (text) => text],
  ["groups", "Group", groupText],
];

/** A group of `by=` in words: lang = de. */
function groupText(groups: string): string {
  const values = Object.entries(JSON.parse(groups) as Record<string, unknown>).map(([name, value]) => `${name} = ${String(value)}`);
  return values.join(", ") || "all";
}

/** Chooses what is shown; `then` is called with every choice, the first included, and fails for none. */
export async function choicePart(workspace: Workspace, then: (choice: Choice) => Promise<void>): Promise<HTMLElement> {
  const { rows } = await workspace.database.query(`
    SELECT collection, family, groups FROM leaderboard JOIN evaluations USING (evaluation_id)
    GROUP BY collection, family, groups ORDER BY max(made_at) DESC, collection, family, groups <> '{}', groups`);
  const selects = LEVELS.map(([, label, shown], level) => select(label, [], shown, () => narrow(level + 1)));
  /** Fills the choices from a level on with what there is under those before it. */
  function narrow(from: number): void {
    for (let level = from; level < LEVELS.length; level++) {
      const under = rows.filter((row) => selects.slice(0, level).every((s, i) => s.value === row[i]));
      fill(selects[level]!, [...new Set(under.map((row) => String(row[level])))], LEVELS[level]![2]);
      selects[level]!.parentElement!.hidden = selects[level]!.options.length < 2;
    }
    const choice = Object.fromEntries(LEVELS.map(([name], i) => [name, selects[i]!.value])) as unknown as Choice;
    // One choice after the other, so that the last one is what stands there.
    last = last.then(() => then(choice));
  }
  let last = Promise.resolve();
  if (rows.length) narrow(0);
  await last;
  return element("div", { class: "choices" }, ...selects.map((s) => s.parentElement!));
}

/** A choice among texts, in its label. */
export function select(label: string, values: string[], shown: (text: string) => string, onchange: () => void): HTMLSelectElement {
  const choice = element("select", { onchange });
  fill(choice, values, shown);
  element("label", {}, `${label} `, choice);
  return choice;
}

function fill(choice: HTMLSelectElement, values: string[], shown: (text: string) => string): void {
  choice.replaceChildren(...values.map((value) => element("option", { value }, printable(shown(value)))));
}

/** The measures of a choice, in their order. */
export async function measuresOf(workspace: Workspace, choice: Choice): Promise<string[]> {
  const { rows } = await workspace.database.query(`SELECT measure FROM leaderboard JOIN measures USING (evaluation_id, measure)
    WHERE ${where(choice)} GROUP BY measure ORDER BY min(place), measure`);
  return rows.map(([measure]) => String(measure));
}

export function where({ collection, family, groups }: Choice): string {
  const evaluations = `SELECT evaluation_id FROM evaluations WHERE family = ${string(family)}`;
  return `collection = ${string(collection)} AND groups = ${string(groups)} AND evaluation_id IN (${evaluations})`;
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
  const board = { columns: shown.map((i) => rows.columns[i]!), rows: rows.rows.map((row) => shown.map((i) => row[i]!)) };
  return table(board, `The last value of every run, by ${printable(measures[0] ?? "")}`);
}
