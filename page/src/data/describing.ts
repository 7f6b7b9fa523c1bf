// What a file is: its format, its kind of table, its columns; as far as a person did not say it.
import { Refused } from "../errors";
import type { Kind } from "../workspace";
import { kindOf, type Mapping, refuseMissing, resolve } from "./columns";
import { HEAD, head, pieces, refuseOther } from "./files";
import type { Knowledge, LineLayout } from "./knowledge";
import { isObject } from "./json_lines";
import { fitting, only, possible } from "./layouts";

/** What a person chose; all else is recognised. */
export interface Choice {
  kind?: Kind;
  /** The words of a layout of lines. */
  layout?: string;
  /** The file's names of our columns; "" is none. */
  columns?: Record<string, string>;
  /** What names a run without a column of runs. */
  named?: "file" | "tag";
  /** What the second field of judgments is. */
  second?: "subtopic_id" | "assessor_id";
}

export interface Description {
  format: "lines" | "separated" | "jsonl" | "parquet" | "arrow";
  kind: Kind;
  /** The columns of the file; of lines, the fields of their layout. */
  names: string[];
  mapping: Mapping;
  layout?: LineLayout;
  /** The layouts that a person can choose. */
  layouts: LineLayout[];
  /** The separator; "" is blanks and tabs. */
  separator: string;
  /** The lines up to the end of the header. */
  skip: number;
}

/** An error of a file, with what is known of it so that a person can say the rest. */
export class Undecided extends Refused {
  constructor(
    cause: Refused,
    readonly description: Partial<Description>,
  ) {
    super(cause.message, cause.hint);
  }
}

const SEPARATORS = [",", "\t", ";", "|"];
// The lines that decide between layouts which fit the first ones.
const MOST = 500_000;
export async function describe(known: Knowledge, file: File, choice: Choice, columnsOf: (format: "parquet" | "arrow") => Promise<string[]>): Promise<Description> {
  if (!file.size) throw empty(file.name);
  const bytes = await head(file);
  if (!bytes.length) throw empty(file.name);
  const start = String.fromCharCode(...bytes.subarray(0, 6));
  if (start.startsWith("PAR1") || start === "ARROW1" || start.startsWith("\xff\xff\xff\xff")) {
    const format = start.startsWith("PAR1") ? "parquet" : "arrow";
    return named(known, file.name, await columnsOf(format), choice, { format, separator: "", skip: 0, layouts: [] });
  }
  refuseOther(bytes, file.name, known);
  const complete = bytes.length < HEAD;
  const text = new TextDecoder().decode(bytes);
  const numbered = text.split("\n").map((line, i) => ({ line: line.replace(/\r$/, ""), number: i + 1 }));
  if (!complete && numbered.length > 1) numbered.pop();
  const lines = numbered.filter(({ line }) => line.trim() && !/^[ \t]*#/.test(line));
  if (/^"?sep=.?"?$/i.test(lines[0]?.line ?? "")) lines.shift();
  const first = lines[0];
  if (!first) throw empty(file.name);
  if (first.line.trimStart().startsWith("{")) return json(known, file.name, lines.map((l) => l.line), choice);
  if (first.line.trimStart().startsWith("[")) {
    throw new Refused(`${file.name} has an array of JSON; JSON lines are read, one object a line.`, `Convert it: ireval convert ${file.name} -o new.csv`);
  }
  if (first.line.includes("\r")) throw new Refused(`${file.name} ends its lines with carriage returns alone.`, `Convert it: tr '\\r' '\\n' < ${file.name} > new.csv`);
  const ending = /\.([a-z]+)(?:\.gz)?$/i.exec(file.name)?.[1]?.toLowerCase();
  const separator = header(known, first.line, ending, choice);
  if (separator !== undefined) {
    const names = namesOf(first.line, separator);
    const twice = names.find((n, i) => names.indexOf(n) !== i);
    if (twice !== undefined) throw new Refused(`${file.name}: the header names '${twice}' twice.`, "Rename one of the columns.");
    return named(known, file.name, names, choice, { format: "separated", separator: separator === " " ? "" : separator, skip: first.number, layouts: [] });
  }
  if (areTexts(lines.map((l) => l.line))) {
    throw new Refused(`${file.name} has texts between tabs, and no names of columns.`, "Put a line before them that names the columns, such as query_id and text.");
  }
  return ofLines(known, file, lines.map((l) => l.line), complete, choice);
}

function empty(name: string): Refused {
  return new Refused(`${name} is empty: it has no rows.`, "Check that the program that wrote it ran to its end.");
}

/** The names in a header. */
export function namesOf(line: string, separator: string): string[] {
  if (separator === " ") return line.split(/[ \t]+/).filter(Boolean);
  const names: string[] = [];
  const quoted = separator === "\t" ? /^ *"((?:[^"]|"")*)" *(?=\t|$)/ : new RegExp(`^[ \\t]*"((?:[^"]|"")*)"[ \\t]*(?=[${separator}]|$)`);
  for (let rest = line; ; ) {
    const name = quoted.exec(rest);
    const end = name ? name[0].length : rest.indexOf(separator);
    names.push(name ? name[1]!.replaceAll('""', '"') : rest.slice(0, end < 0 ? undefined : end).trim());
    if (end < 0 || end >= rest.length) return names;
    rest = rest.slice(end + 1);
  }
}

/** The separator of a line that names columns; undefined if it is a row. */
function header(known: Knowledge, line: string, ending: string | undefined, choice: Choice): string | undefined {
  if (choice.layout) return undefined;
  const candidates = [...SEPARATORS, " "].map((separator) => ({ separator, names: namesOf(line, separator) }));
  const sure = candidates.find(({ names }) => kindOf(known, names) !== "table" || Object.values(choice.columns ?? {}).some((n) => n && names.includes(n)));
  if (sure) return sure.separator;
  const usual = ending === "tsv" ? "\t" : ",";
  const several = [usual, ...SEPARATORS].find((s) => namesOf(line, s).length > 1);
  if (ending === "csv" || (choice.kind === "table" && several)) return several ?? usual;
  // The first line of a table has names; a number among them makes it a row.
  const row = line.split(/[ \t]+/).some((n) => DATA.test(n));
  return several && !row && (several !== "\t" || ending === "tsv") ? several : undefined;
}

/** Whether tabs alone stand between the fields of lines: some hold blanks, as texts do, but no id. */
function areTexts(lines: string[]): boolean {
  const rows = lines.map((line) => line.split("\t"));
  const n = rows[0]!.length;
  return (n === 2 || n === 4) && rows.every((r) => r.length === n && !r[0]!.includes(" ")) && lines.some((l) => l.trim().includes(" "));
}

const DATA = /^[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?$/;

function named(known: Knowledge, name: string, names: string[], choice: Choice, rest: Omit<Description, "kind" | "names" | "mapping">): Description {
  const kind = choice.kind ?? kindOf(known, names);
  const mapping = resolve(known, kind, names, choice.columns);
  const description = { ...rest, kind, names, mapping };
  try {
    refuseMissing(known, kind, mapping, names, name);
  } catch (error) {
    throw new Undecided(error as Refused, description);
  }
  return description;
}

function json(known: Knowledge, name: string, lines: string[], choice: Choice): Description {
  const rows: Record<string, unknown>[] = [];
  for (const line of lines.slice(0, 200)) {
    try {
      const row: unknown = JSON.parse(line);
      if (isObject(row)) rows.push(row);
    } catch {
      // Bad lines are reported with their numbers.
    }
  }
  const byQuery = rows.length === 1 && Object.values(rows[0]!).every(isObject);
  if (!rows.length || byQuery) {
    const what = byQuery ? "has JSON by query, in one object" : "has no object of JSON on its first lines";
    throw new Refused(`${name} ${what}; JSON lines are read, one object a line.`, `Convert it: ireval convert ${name} -o new.csv`);
  }
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return named(known, name, names, choice, { format: "jsonl", separator: "", skip: 0, layouts: [] });
}

async function ofLines(known: Knowledge, file: File, lines: string[], complete: boolean, choice: Choice): Promise<Description> {
  let fit = fitting(known, lines, complete);
  if (fit.layouts.length !== 1 && !complete && !choice.layout) fit = fitting(known, await firstLines(file), true);
  const layouts = possible(known, fit.n);
  const asked = layouts.find((l) => l.words === choice.layout);
  let layout: LineLayout;
  try {
    layout = asked ?? only(known, fit, choice.kind, file.name);
    if (layout.format === "diversity" && !choice.second) {
      throw new Refused(
        `${file.name} judges a document of a query several times, with other values of the second field: subtopics or assessors.`,
        "Choose which they are.",
      );
    }
  } catch (error) {
    const kind = choice.kind ?? fit.layouts[0]?.kind ?? "table";
    const layout = fit.layouts.length === 1 ? fit.layouts[0] : undefined;
    throw new Undecided(error as Refused, { format: "lines", kind, names: [], mapping: new Map(), layouts, ...(layout && { layout }) });
  }
  const mapping = new Map(layout.columns.map((c) => [c, c]));
  return { format: "lines", kind: layout.kind, names: layout.columns, mapping, layout, layouts, separator: "", skip: 0 };
}

async function firstLines(file: File): Promise<string[]> {
  const lines: string[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of pieces(file)) {
    const parts = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = parts.pop()!;
    for (const line of parts) if (line.trim() && !line.startsWith("#")) lines.push(line);
    if (lines.length >= MOST) return lines;
  }
  return rest.trim() ? [...lines, rest] : lines;
}
