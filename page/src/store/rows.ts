// What else a store or a report holds: its tables as they are.
import { element, printable } from "../elements";
import { identifier } from "../quoting";
import { filled } from "../results/sections";
import { table } from "../table";
import type { Workspace } from "../workspace";
import type { StoredTable } from "./tables";

const MOST = 200;

/** A list of tables, each with its first rows folded under what it is. */
export function rowsPart(workspace: Workspace, tables: StoredTable[]): HTMLElement {
  return element("div", {}, ...tables.filter((t) => t.rows).map((t) => folded(workspace, t)));
}

function folded(workspace: Workspace, { name, description, rows }: StoredTable): HTMLElement {
  const place = element("div");
  const open = async () => {
    if (!details.open || place.childElementCount) return;
    await filled(place, async () => {
      const first = await workspace.database.query(`FROM ${identifier(name)} LIMIT ${MOST}`);
      return [table(first, rows > MOST ? `The first ${MOST} of ${rows.toLocaleString("en")} rows` : `All rows of ${name}`)];
    });
  };
  const count = `${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}`;
  const summary = element("summary", {}, element("code", {}, printable(name)), ` ${count}. ${printable(description.replaceAll("`", ""))}`);
  const details = element("details", { ontoggle: () => void open() }, summary, place);
  return details;
}
