// Layouts of lines without a header: which of them fit all lines of a file, as in Python.
import { Refused } from "../errors";
import type { Kind } from "../workspace";
import { legible } from "./bad_lines";
import type { Knowledge, LineLayout } from "./knowledge";
import { DECIMAL, INTEGER } from "./values";

type Rows = string[][];

/** Fields of lines that all have the same number of them. */
class Lines {
  private readonly seen = new Map<number, Set<string>>();

  constructor(readonly rows: Rows) {}

  values(place: number): Set<string> {
    let values = this.seen.get(place);
    if (!values) this.seen.set(place, (values = new Set(this.rows.map((r) => r[place]!))));
    return values;
  }

  all(place: number, form: RegExp): boolean {
    return [...this.values(place)].every((v) => form.test(v));
  }

  between(place: number, low: number, high: number): boolean {
    return this.all(place, DECIMAL) && [...this.values(place)].every((v) => Number(v) >= low && Number(v) <= high);
  }

  once(...places: number[]): boolean {
    return new Set(this.rows.map((r) => places.map((p) => r[p]).join("\t"))).size === this.rows.length;
  }

  zero(place: number): boolean {
    return this.between(place, 0, 0);
  }

  /** Whether a field numbers the lines of each query without gaps, from 0 or 1. */
  ranks(place: number): boolean {
    if (!this.all(place, INTEGER)) return false;
    const ranks = new Map<string, number[]>();
    for (const row of this.rows) {
      const of = ranks.get(row[0]!);
      if (of) of.push(Number(row[place]));
      else ranks.set(row[0]!, [Number(row[place])]);
    }
    const first = Math.min(...[...this.values(place)].slice(0, 10_000).map(Number));
    return (first === 0 || first === 1) && [...ranks.values()].every((of) => of.sort((a, b) => a - b).every((r, i) => r === first + i));
  }

  /** Whether the fields are a query, a document and numbers: no document twice in a query. */
  secondIsDocument(): boolean {
    const several = this.values(0).size < this.rows.length && this.values(1).size > 1;
    return several && this.once(0, 1) && this.all(2, DECIMAL);
  }
}

function judgedOnce(l: Lines): boolean {
  if (l.secondIsDocument()) return false;
  const zeros = l.zero(2) && l.rows.length > l.values(0).size;
  return l.all(3, DECIMAL) && !zeros && (l.values(1).size === 1 || l.once(0, 2));
}

const values = (l: Lines) => l.values(1).has("all") && l.values(0).size > 1 && [...l.values(0)].every((v) => v.includes("_") || /^\p{L}+$/u.test(v));
const grades = (l: Lines) => l.all(2, INTEGER) && l.between(2, -9, 10);
const isQ0 = (l: Lines) => l.values(1).size === 1 && l.values(1).has("Q0");

/** Whether lines fit, by the format, the kind and the number of fields of a layout. */
const FITS: Record<string, (l: Lines) => boolean> = {
  "pairs qrels 2": (l) => l.once(0, 1),
  "trec run 2": (l) => l.once(0, 1),
  "pairs qrels 3": (l) => {
    const ranked = l.ranks(2) && l.values(2).size > 5;
    return l.all(2, INTEGER) && [...l.values(2)].some((v) => Number(v) >= 0) && l.once(0, 1) && !ranked;
  },
  "cranfield qrels 3": (l) => l.values(2).size > 1 && l.all(2, /^(?:-1|[1-5])$/) && l.once(0, 1),
  "ntcir qrels 3": (l) => l.all(2, /^[Ll]\d+$/),
  "msmarco run 3": (l) => l.all(2, /^[+]?\d+$|^-0+$/) && l.once(0, 2),
  "ranklib run 3": (l) => l.all(2, DECIMAL) && !((grades(l) && !l.once(0, 2)) || l.ranks(2) || values(l)),
  "trec qrels 4": judgedOnce,
  "diversity qrels 4": (l) => l.values(1).size > 1 && !l.once(0, 2) && !l.zero(2) && l.all(3, DECIMAL),
  "smart qrels 4": (l) => l.zero(2) && l.zero(3) && l.once(0, 1) && !l.zero(1),
  "trec run 4": (l) => isQ0(l) && l.ranks(3),
  "prefs qrels 5": (l) => l.all(4, DECIMAL) && !l.once(0, 1, 2) && !l.once(0, 1),
  "sampled qrels 5": (l) => l.values(1).size === 1 && l.once(0, 2) && !l.zero(2) && l.all(4, INTEGER),
  "prels qrels 5": (l) => l.once(0, 1) && l.all(2, INTEGER) && l.all(3, INTEGER) && !l.zero(1) && l.between(4, 0, 1),
  "passages qrels 5": (l) => [2, 3, 4].every((p) => l.all(p, INTEGER)) && !l.zero(1) && l.between(2, 0, Infinity) && l.between(3, 1, Infinity),
  "trec run 5 run_id": (l) => l.ranks(3) && !l.zero(2) && (l.values(4).size === 1 || !l.all(4, DECIMAL)),
  "trec run 5 score": (l) => isQ0(l) && l.ranks(3) && l.all(4, DECIMAL),
  "trec run 6": (l) => l.all(4, DECIMAL),
};

function key(layout: LineLayout): string {
  const start = `${layout.format} ${layout.kind} ${layout.columns.length}`;
  return layout.format === "trec" && layout.columns.length === 5 ? `${start} ${layout.columns[4]}` : start;
}

function fields(line: string): string[] {
  return line.split(/[ \t]+/).filter(Boolean);
}

/** The rows with the usual number of fields. */
function usual(lines: string[]): Rows {
  const rows = lines.map(fields);
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [0];
  return rows.filter((r) => r.length === most);
}

/** The layouts that a person can choose among for lines with this number of fields. */
export function possible(known: Knowledge, n: number): LineLayout[] {
  return known.layouts.filter((l) => l.columns.length === n && key(l) in FITS);
}

/** The layouts that fit lines; the last query may go on behind them. */
export function fitting(known: Knowledge, lines: string[], complete: boolean): { layouts: LineLayout[]; n: number; first: string[] } {
  let rows = usual(lines);
  const first = rows[0] ?? [];
  // Surplus fields of a run are those of a tag with blanks.
  const surplus = first.length > 6 && INTEGER.test(first[3]!) && DECIMAL.test(first[4]!);
  if (surplus) return { layouts: [], n: 6, first };
  if (!complete) {
    const others = rows.filter((r) => r[0] !== rows.at(-1)![0]);
    if (others.length) rows = others;
  }
  const all = new Lines(rows);
  return { layouts: rows.length ? possible(known, first.length).filter((l) => FITS[key(l)]!(all)) : [], n: first.length, first };
}

/** The one layout, or an error that says what the lines may be. */
export function only(known: Knowledge, fit: ReturnType<typeof fitting>, kind: Kind | undefined, name: string): LineLayout {
  const layouts = kind ? fit.layouts.filter((l) => l.kind === kind) : fit.layouts;
  if (layouts.length === 1) return layouts[0]!;
  if (layouts.length > 1) {
    const words = layouts.map((l) => l.words);
    throw new Refused(`${name} may have ${words.slice(0, -1).join(", ")} or ${words.at(-1)}: its lines fit each of them.`, "Choose which it is.");
  }
  if (kind && fit.layouts.length) {
    throw new Refused(`${name} has ${fit.layouts[0]!.words}, and ${known.kinds[kind].words} is read.`, "Choose the kind of table that it is.");
  }
  // What stands in most files with so many fields: its bad lines are reported with their numbers.
  const nearest = fit.n === 6 ? "run" : fit.n === 4 ? "qrels" : undefined;
  const likely = known.layouts.find((l) => l.format === "trec" && l.kind === nearest && l.columns.length === fit.n && !l.score_from);
  if (likely && (!kind || kind === nearest)) return likely;
  const shown = legible(new TextEncoder().encode(fit.first.join(" ")));
  throw new Refused(
    `${name} has ${fit.n} field${fit.n === 1 ? "" : "s"} a line, and no layout of judgments or runs fits them; the first line: '${shown}'.`,
    "Put a line before them that names the columns, such as query_id, doc_id and score; or choose what they have.",
  );
}
