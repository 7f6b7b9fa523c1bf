// Files become tables of DuckDB: rows in batches of Arrow, and a view of them under our names.
import * as arrow from "apache-arrow";
import { Refused } from "../errors";
import { identifier, string } from "../quoting";
import type { Kind, LoadedTable, Workspace } from "../workspace";
import { BadLines } from "./bad_lines";
import { type Choice, type Description } from "./describing";
import { pieces, records } from "./files";
import { JsonReader } from "./json_lines";
import type { Knowledge } from "./knowledge";
import { LineReader } from "./lines";
import { rowsOf } from "./parquet";
import type { Column, Field, Form } from "./values";

// Rows and bytes of one batch.
const ROWS = 1 << 17;
const BYTES = 1 << 23;
const FORMS: Record<string, Form> = {
  subtopic_weight: "decimal", stratum: "any", method: "any", iprob: "probability", start: "count", length: "count",
  third: "zero", fourth: "zero", rank: "integer", relevance: "decimal", score: "score",
};

/** What is read of a file: the fields, and the SELECT items that give our columns from them. */
interface Plan {
  fields: Field[];
  items: string[];
  where: string;
  notes: string[];
}

/** The name of a run: that of its file, without endings. */
export function stem(name: string): string {
  const bare = name.replace(/\.(gz|bz2|xz|zst)$/i, "").replace(/(?!^)\.[^.]*$/, "");
  return bare || name;
}

function plan(known: Knowledge, file: string, { kind, mapping, layout, names, format }: Description, choice: Choice): Plan {
  const notes: string[] = [];
  const ours = new Map([...mapping].map(([column, name]) => [name, column]));
  const ranked = kind === "run" || kind === "system";
  const byRank = ranked && !mapping.has("score") && mapping.has("rank");
  const byOrder = layout?.score_from === "order";
  const iteration = kind === "qrels" && choice.second;
  const unread: string[] = [];
  const fields: Field[] = [];
  const items: string[] = [];
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
    fields.push({ name: column ?? name, source: name, form: text ? "any" : form(known, kind, column ?? name, layout !== undefined, layout?.format) });
    if (column !== "rank") items.push(identifier(column ?? name));
  }
  if (byRank) items.push('-CAST("rank" AS DOUBLE) AS "score"');
  if (byOrder) items.push('-CAST("order" AS DOUBLE) AS "score"');
  if (ranked && !fields.some((f) => f.name === "run_id")) items.unshift(`${string(stem(file))} AS "run_id"`);
  if (kind === "qrels" && !fields.some((f) => f.name === "relevance")) items.push('CAST(1 AS DOUBLE) AS "relevance"');
  const renamed = fields.filter((f) => f.name !== f.source).map((f) => `${f.source} is ${f.name}`);
  if (renamed.length) notes.push(`${renamed.join(", ")}.`);
  if (layout) notes.push(`Read as ${layout.words}.`);
  if (unread.length) notes.push(`Not read: ${unread.join(", ")}.`);
  if (byRank) notes.push("It has no scores: −rank is the score.");
  if (byOrder) notes.push("It has no scores: the order of the lines is the order of the run.");
  if (layout?.columns.includes("run_id") && choice.named !== "tag") notes.push(`The run is named after its file.`);
  let where = "";
  if (layout?.format === "cranfield") {
    items.splice(items.indexOf('"relevance"'), 1, '5 - "relevance" AS "relevance"');
    where = ' WHERE "relevance" <> -1';
    notes.push("Grades are 5 − code; rows of code −1 are left out.");
  }
  if (layout?.format === "smart") {
    items.splice(0, items.length, '"query_id"', '"doc_id"', 'CAST(1 AS DOUBLE) AS "relevance"');
  }
  if (format === "separated" && fields.some((f) => f.form === "any" && kind === "table")) notes.push("Its columns are text: CAST(… AS DOUBLE) makes numbers of them.");
  return { fields, items, where, notes };
}

function form(known: Knowledge, kind: Kind, column: string, lines: boolean, format = ""): Form {
  if (format === "ntcir" && column === "relevance") return "level";
  const declared = known.kinds[kind].columns.find((c) => c.name === column);
  if (kind === "run" || kind === "qrels") return FORMS[column] ?? "id";
  if (lines || !declared) return "any";
  if (declared.kind === "number") return column === "score" || declared.required ? "number" : "number";
  return declared.kind === "integer" ? "number" : "any";
}

/** Reads a file into a table; errors leave nothing behind. */
export async function read(
  workspace: Workspace,
  known: Knowledge,
  file: File,
  description: Description,
  choice: Choice,
  name: string,
  seen: (share: number) => void,
  signal: AbortSignal,
): Promise<LoadedTable> {
  const { database } = workspace;
  const planned = plan(known, file.name, description, choice);
  const base = `files.${identifier(name)}`;
  await database.run("CREATE SCHEMA IF NOT EXISTS files", `DROP VIEW IF EXISTS ${identifier(name)}`, `DROP TABLE IF EXISTS ${base}`);
  const state = { rows: 0 };
  try {
    if (description.format === "parquet" || description.format === "arrow") {
      for await (const batch of rowsOf(file, description.format, planned.fields, seen, signal)) state.rows += await insert(workspace, name, batch, state.rows === 0);
    } else await readText(workspace, file, description, planned, name, seen, signal, state);
    if (!state.rows) throw new Refused(`${file.name} is empty: it has no rows.`, "Check that the program that wrote it ran to its end.");
    await database.run(`CREATE VIEW ${identifier(name)} AS SELECT ${planned.items.join(", ")} FROM ${base}${planned.where}`);
  } catch (error) {
    await database.run(`DROP TABLE IF EXISTS ${base}`);
    throw error;
  }
  const columns = (await database.query(`SELECT * FROM ${identifier(name)} LIMIT 0`)).columns.map((c) => c.name);
  return { name, kind: description.kind, source: file.name, columns, rows: state.rows, notes: planned.notes };
}

async function readText(
  workspace: Workspace,
  file: File,
  description: Description,
  { fields }: Plan,
  name: string,
  seen: (share: number) => void,
  signal: AbortSignal,
  state: { rows: number },
): Promise<void> {
  const { layout, format, names, separator, skip } = description;
  const bad = new BadLines(file.name);
  const reader = format === "jsonl" ? new JsonReader(fields, bad) : new LineReader(
    {
      separator: separator ? separator.charCodeAt(0) : 0,
      fields: names.map((n) => fields.find((f) => f.source === n)),
      names,
      what: layout ? (layout.kind === "run" ? "a run has" : "a judgment has") : "the header has",
      hints: layout ? hints(layout.kind) : {},
      rest: layout?.columns.length === 6,
    },
    bad,
    skip + 1,
  );
  const order = layout?.score_from === "order" ? new Map<string, number>() : undefined;
  const flush = async (force: boolean) => {
    const rows = reader.columns[0]?.length ?? 0;
    if (bad.count || !rows || (!force && rows < ROWS && reader.columns.reduce((n, c) => n + c.size, 0) < BYTES)) return;
    const batch = batchOf(reader.columns, fields);
    await insert(workspace, name, order ? ordered(batch, order) : batch, state.rows === 0);
    state.rows += rows;
  };
  await records(skipped(pieces(file, seen, signal), skip), file.name, (bytes, end) => reader.read(bytes, end), () => flush(false));
  if (bad.count) throw bad.error();
  await flush(true);
}

function hints(kind: Kind): { [n: number]: string } {
  const judgments = "If these are judgments, choose so as the kind of table.";
  return kind === "run"
    ? { 4: judgments, 5: "If the score is missing, choose a layout without scores." }
    : { 6: "If this is a run, choose so as the kind of table." };
}

/** The bytes behind the mark of UTF-8 and the first lines. */
async function* skipped(source: AsyncIterable<Uint8Array>, lines: number): AsyncGenerator<Uint8Array> {
  let left = lines, start = true;
  for await (let piece of source) {
    if (start && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf) piece = piece.subarray(3);
    start = false;
    while (left && piece.length) {
      const end = piece.indexOf(10);
      piece = end < 0 ? piece.subarray(piece.length) : piece.subarray(end + 1);
      if (end >= 0) left--;
    }
    if (piece.length) yield piece;
  }
}

function batchOf(columns: Column[], fields: Field[]): arrow.RecordBatch {
  const schema = new arrow.Schema(fields.map((_, i) => new arrow.Field(columns[i]!.field.name, columns[i]!.type, true)));
  const length = columns[0]!.length;
  const children = columns.map((c) => c.take());
  return new arrow.RecordBatch(schema, arrow.makeData({ type: new arrow.Struct(schema.fields), length, children }));
}

/** A batch with the place of each row among those of its query. */
function ordered(batch: arrow.RecordBatch, seen: Map<string, number>): arrow.RecordBatch {
  const queries = batch.getChild("query_id")!;
  const places = new Float64Array(batch.numRows);
  for (let i = 0; i < batch.numRows; i++) {
    const query = String(queries.get(i));
    places[i] = (seen.get(query) ?? 0) + 1;
    seen.set(query, places[i]!);
  }
  const field = new arrow.Field("order", new arrow.Float64());
  const schema = new arrow.Schema([...batch.schema.fields, field]);
  const children = [...batch.data.children, arrow.makeData({ type: new arrow.Float64(), length: batch.numRows, data: places })];
  return new arrow.RecordBatch(schema, arrow.makeData({ type: new arrow.Struct(schema.fields), length: batch.numRows, children }));
}

async function insert(workspace: Workspace, name: string, batch: arrow.RecordBatch, create: boolean): Promise<number> {
  const bytes = arrow.RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true);
  await workspace.database.next((connection) => connection.insertArrowFromIPCStream(bytes, { schema: "files", name, create }));
  return batch.numRows;
}
