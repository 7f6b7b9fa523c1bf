// A console for SQL over all tables of the page.
import { element } from "../elements";
import { table } from "../table";
import type { Workspace } from "../workspace";

export function sqlPart(workspace: Workspace): HTMLElement {
  const input = element("textarea", { "aria-label": "SQL", rows: 4 });
  const place = element("div");
  const run = async () => {
    try {
      place.replaceChildren(table(await workspace.database.query(input.value), "Rows"));
    } catch (error) {
      place.replaceChildren(element("p", { role: "alert" }, (error as Error).message));
    }
  };
  return element("div", {}, input, element("button", { type: "button", onclick: () => void run() }, "Run"), place);
}
