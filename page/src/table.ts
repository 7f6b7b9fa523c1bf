// A table of rows that can be sorted by its columns.
import { text } from "./cells";
import type { Rows } from "./database";
import { element, printable } from "./elements";

export function table({ columns, rows }: Rows, caption: string): HTMLElement {
  const head = element("tr", {}, ...columns.map((c) => element("th", { scope: "col" }, printable(c.name))));
  const body = rows.map((row) => element("tr", {}, ...row.map((value) => element("td", {}, printable(text(value))))));
  return element("table", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...body));
}
