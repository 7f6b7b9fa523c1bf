// A table of rows that is sorted by its columns, and shows more rows when asked.
import { decimals, text, type Cell } from "./cells";
import type { Rows } from "./database";
import { element, printable } from "./elements";

export interface Look {
  /** What a value is written as, by the name of its column. */
  formats?: Record<string, (value: Cell) => string>;
  /** Whether texts keep their lines. */
  lines?: boolean;
  /** A class of a cell. */
  mark?: (row: Cell[], column: number) => string | undefined;
}

const STEP = 100;
// Longer texts have several lines.
const LONG = 40;
const collator = new Intl.Collator("en", { numeric: true });

/** The order of two values: numbers by size, texts as people count, and what is undefined last. */
function compared(a: Cell, b: Cell, turned: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
  return turned ? -order : order;
}

export function table({ columns, rows }: Rows, caption: string, { formats = {}, lines, mark }: Look = {}): HTMLElement {
  let [by, turned, shown] = [-1, false, rows.length > 1.5 * STEP ? STEP : rows.length];
  const numeric = columns.map((_, i) => rows.some((r) => typeof r[i] === "number") && rows.every((r) => r[i] === null || typeof r[i] === "number"));
  const looks = columns.map((c, i) => formats[c.name] ?? (numeric[i] && rows.some((r) => r[i] !== null && !Number.isInteger(r[i])) ? decimals : text));
  const heads = columns.map((c, i) =>
    element(
      "th",
      { scope: "col", class: [numeric[i] && "number", c.name.length > LONG && "prose"].filter(Boolean).join(" ") || undefined },
      element("button", { type: "button", onclick: () => sort(i) }, printable(c.name)),
    ),
  );
  const body = element("tbody");
  const more = element("button", { type: "button", onclick: () => fill((shown *= 10)) });
  const line = (row: Cell[]) =>
    element(
      "tr",
      {},
      ...row.map((value, i) => {
        const written = looks[i]!(value);
        const several = lines && written.includes("\n");
        const shownText = several ? written.split("\n").map(printable).join("\n") : printable(written);
        const classes = [several ? "lines" : numeric[i] ? "number" : written.length > LONG && "prose", value === null && "none", mark?.(row, i)].filter(Boolean).join(" ");
        return element("td", { class: classes || undefined }, value === null ? "–" : shownText);
      }),
    );
  function fill(_: number): void {
    const order = by < 0 ? rows : [...rows].sort((a, b) => compared(a[by]!, b[by]!, turned));
    body.replaceChildren(...order.slice(0, shown).map(line));
    more.hidden = rows.length <= shown;
    more.textContent = `Show more: ${text(Math.min(shown, rows.length))} of ${text(rows.length)} rows are here`;
  }
  /** Numbers begin with the largest, texts with the first. */
  function sort(i: number): void {
    turned = i === by ? !turned : numeric[i]!;
    by = i;
    heads.forEach((h, j) => (j === by ? h.setAttribute("aria-sort", turned ? "descending" : "ascending") : h.removeAttribute("aria-sort")));
    fill(shown);
  }
  fill(shown);
  return element(
    "div",
    { class: "table" },
    element(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": caption },
      element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...heads)), body),
    ),
    more,
  );
}
