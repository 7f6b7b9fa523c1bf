// What is read of a file, and the view of it under our names.
import { identifier, string } from "../quoting";
import type { Kind } from "../workspace";
import { listed, type Mapping } from "./columns";
import type { Choice, Description } from "./describing";
import type { Knowledge } from "./knowledge";
import type { Field, Form } from "./values";

const FORMS: Record<string, Form> = {
  subtopic_weight: "decimal", stratum: "any", method: "any", iprob: "probability", start: "count", length: "count",
  third: "zero", fourth: "zero", rank: "integer", relevance: "decimal", score: "score",
};

/** What is read of a file: the fields, and the SELECT items that give our columns from them. */
export interface Plan {
  fields: Field[];
  items: string[];
  where: string;
  notes: string[];
  /** The columns that are read under our names. */
  read: Mapping;
  /** Whether the run is named after its file. */
  named: boolean;
}

/** The name of a run: that of its file, without endings. */
export function stem(name: string): string {
  const bare = name.replace(/\.(gz|bz2|xz|zst)$/i, "").replace(/(?!^)\.[^.]*$/, "");
  return bare || name;
}

export function plan(known: Knowledge, file: string, { kind, mapping, layout, names, format }: Description, choice: Choice): Plan {
  const notes: string[] = [];
  const ours = new Map([...mapping].map(([column, name]) => [name, column]));
  const ranked = kind === "run" || kind === "system";
  const byRank = ranked && !mapping.has("score") && mapping.has("rank");
  const byOrder = layout?.score_from === "order";
  const iteration = kind === "qrels" && choice.second;
  const unread: string[] = [];
  const fields: Field[] = [];
  const items: string[] = [];
  const renamed: string[] = [];
  const read: Mapping = new Map();
  for (const name of names) {
    let column = ours.get(name);
    if (column === "iteration" && iteration) column = iteration;
    const tag = column === "run_id" && layout && choice.named !== "tag";
    const needless = column === "iteration" || tag || (column === "rank" && ranked && !byRank);
    if (needless) continue;
    if (column === undefined && (kind === "run" || kind === "qrels") && !layout) {
      unread.push(name);
      continue;
    }
    const text = layout === undefined && column === undefined;
    fields.push({ name, form: text ? "any" : form(known, kind, column ?? name, layout !== undefined, layout?.format) });
    if (!byRank || column !== "rank") items.push(`${identifier(name)} AS ${identifier(column ?? name)}`);
    if (column !== undefined && column !== name) renamed.push(`${name} is ${column}`);
    if (column !== undefined) read.set(column, name);
  }
  if (byRank) items.push(`-CAST(${identifier(mapping.get("rank")!)} AS DOUBLE) AS "score"`);
  if (byOrder) items.push('-CAST("order" AS DOUBLE) AS "score"');
  const named = ranked && !read.has("run_id");
  if (named) items.unshift(`${string(stem(file))} AS "run_id"`);
  if (kind === "qrels" && !read.has("relevance")) items.push('CAST(1 AS DOUBLE) AS "relevance"');
  if (renamed.length) notes.push(`${renamed.join(", ")}.`);
  if (layout) notes.push(`Read as ${layout.words}.`);
  if (unread.length) notes.push(`Not read: ${listed(unread)}.`);
  if (byRank) notes.push("It has no scores: −rank is the score.");
  if (byOrder) notes.push("It has no scores: the order of the lines is the order of the run.");
  if (named) notes.push("The run is named after its file.");
  let where = "";
  if (layout?.format === "cranfield") {
    items.splice(items.findIndex((i) => i.startsWith('"relevance"')), 1, '5 - "relevance" AS "relevance"');
    where = ' WHERE "relevance" <> -1';
    notes.push("Grades are 5 − code; rows of code −1 are left out.");
  }
  if (layout?.format === "smart") {
    items.splice(0, items.length, '"query_id"', '"doc_id"', 'CAST(1 AS DOUBLE) AS "relevance"');
  }
  if (format === "separated" && fields.some((f) => f.form === "any" && kind === "table")) notes.push("Its columns are text: CAST(… AS DOUBLE) makes numbers of them.");
  return { fields, items, where, notes, read, named };
}

function form(known: Knowledge, kind: Kind, column: string, lines: boolean, format = ""): Form {
  if (format === "ntcir" && column === "relevance") return "level";
  const declared = known.kinds[kind].columns.find((c) => c.name === column);
  if (kind === "run" || kind === "qrels") return FORMS[column] ?? "id";
  if (lines || !declared) return "any";
  return declared.kind === "number" || declared.kind === "integer" ? "number" : "any";
}
