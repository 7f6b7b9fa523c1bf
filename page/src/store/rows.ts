// What else a store or a report holds: its tables as they are.
import { element, printable } from "../elements";
import { identifier } from "../quoting";
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
    const first = await workspace.database.query(`FROM ${identifier(name)} LIMIT ${MOST}`);
    place.replaceChildren(table(first, rows > MOST ? `The first ${MOST} of ${rows.toLocaleString("en")} rows` : description));
  };
  const summary = element("summary", {}, element("code", {}, printable(name)), ` ${rows.toLocaleString("en")} rows. ${printable(description)}`);
  const details = element("details", { ontoggle: () => void open() }, summary, place);
  return details;
}
