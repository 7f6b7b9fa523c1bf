// Files become tables of DuckDB: rows in batches of Arrow, and a view of them under our names.
import * as arrow from "apache-arrow";
import { Refused } from "../errors";
import { identifier } from "../quoting";
import type { Kind, LoadedTable, Workspace } from "../workspace";
import { BadLines } from "./bad_lines";
import type { Mapping } from "./columns";
import { creating } from "./creating";
import type { Description } from "./describing";
import { pieces, records } from "./files";
import { JsonReader } from "./json_lines";
import type { Knowledge } from "./knowledge";
import { LineReader } from "./lines";
import { arrowStream, parquetColumns, parquetRows } from "./parquet";
import type { Plan } from "./planning";
import type { Column } from "./values";

// Rows and bytes of one batch.
const ROWS = 1 << 17;
const BYTES = 1 << 23;
/** Reads a file into a table; errors leave nothing behind. */
export async function read(
  workspace: Workspace,
  known: Knowledge,
  file: File,
  description: Description,
  planned: Plan,
  name: string,
  seen: (share: number) => void,
  signal: AbortSignal,
): Promise<LoadedTable> {
  const { database } = workspace;
  const base = `files.${identifier(name)}`;
  await database.run("CREATE SCHEMA IF NOT EXISTS files", `DROP VIEW IF EXISTS ${identifier(name)}`, `DROP TABLE IF EXISTS ${base}`);
  const state = { rows: 0 };
  try {
    if (description.format === "arrow") await insert(workspace, name, arrowStream(await bytesOf(file)), true);
    else if (description.format === "parquet") {
      const columns = planned.fields.map((f) => f.name);
      await parquetRows(workspace.folder, file, columns, seen, signal, async ({ bytes, rows }) => {
        await insert(workspace, name, bytes, state.rows === 0);
        state.rows += rows;
      });
    } else await readText(workspace, file, description, planned, name, seen, signal, state);
    if (description.format === "arrow" || description.format === "parquet") {
      state.rows = Number((await database.row(`SELECT count(*) FROM ${base}`))[0]);
      await refuseTypes(workspace, known, file.name, description.kind, planned.read, base);
    }
    if (!state.rows) throw new Refused(`${file.name} is empty: it has no rows.`, "Check that the program that wrote it ran to its end.");
    await database.run(`CREATE VIEW ${identifier(name)} AS SELECT ${planned.items.join(", ")} FROM ${base}${planned.where}`);
  } catch (error) {
    await database.run(`DROP TABLE IF EXISTS ${base}`);
    throw error;
  }
  const columns = (await database.query(`SELECT * FROM ${identifier(name)} LIMIT 0`)).columns.map((c) => c.name);
  return { name, kind: description.kind, source: file.name, columns, rows: state.rows, notes: planned.notes, creating: creating(name, file.name, description, planned.fields, planned.items, planned.where) };
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
      fields: names.map((n) => fields.find((f) => f.name === n)),
      names,
      what: layout ? (layout.kind === "run" ? "a run has" : "a judgment has") : "the header has",
      hints: layout ? hints(layout.kind) : {},
      // A tag that is read may hold blanks.
      rest: layout?.columns.length === 6 && fields.some((f) => f.name === "run_id"),
    },
    bad,
    skip + 1,
  );
  const order = layout?.score_from === "order" ? new Map<string, number>() : undefined;
  const flush = async (force: boolean) => {
    const rows = reader.columns[0]?.length ?? 0;
    if (bad.count || !rows || (!force && rows < ROWS && reader.columns.reduce((n, c) => n + c.size, 0) < BYTES)) return;
    const batch = batchOf(reader.columns);
    await insert(workspace, name, streamed(order ? ordered(batch, order) : batch), state.rows === 0);
    state.rows += rows;
  };
  await records(skipped(pieces(file, seen, signal), skip), file.name, (bytes, end) => reader.read(bytes, end), () => flush(false));
  if (bad.count) throw bad.error();
  await flush(true);
}

function hints(kind: Kind): { [n: number]: string } {
  const judgments = "If these are judgments, choose so as the kind of table.";
  return kind === "run"
    ? { 4: judgments, 5: "If the score is missing, choose a layout without scores.", 0: "If the tag of the run contains blanks, choose that the run is named by it." }
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

function batchOf(columns: Column[]): arrow.RecordBatch {
  const schema = new arrow.Schema(columns.map((c) => new arrow.Field(c.field.name, c.type, true)));
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

function streamed(batch: arrow.RecordBatch): Uint8Array {
  return arrow.RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true);
}

/** Adds the rows of a stream of Arrow to a table; each has a connection of its own, which a damaged one would block. */
async function insert(workspace: Workspace, name: string, bytes: Uint8Array, create: boolean): Promise<void> {
  await workspace.database.next(async () => {
    const connection = await workspace.database.duckdb.connect();
    try {
      await connection.insertArrowFromIPCStream(bytes, { schema: "files", name, create });
    } finally {
      await connection.close();
    }
  });
}

async function bytesOf(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer());
}

/** The columns of a file that has types. */
export async function columnsOf(workspace: Workspace, file: File, format: "parquet" | "arrow"): Promise<string[]> {
  if (format === "parquet") return parquetColumns(workspace.folder, file);
  await workspace.database.run("CREATE SCHEMA IF NOT EXISTS files", "DROP TABLE IF EXISTS files.read");
  try {
    await insert(workspace, "read", arrowStream(await bytesOf(file)), true);
    return (await workspace.database.query("SELECT * FROM files.read LIMIT 0")).columns.map((c) => c.name);
  } catch (error) {
    throw new Refused(`${file.name} is a damaged arrow file, or one with compressed columns: ${(error as Error).message}`, "Write it as Parquet.");
  } finally {
    await workspace.database.run("DROP TABLE IF EXISTS files.read");
  }
}

/** Refuses columns whose types do not fit: ids are text or whole numbers, scores and grades are numbers. */
async function refuseTypes(workspace: Workspace, known: Knowledge, file: string, kind: Kind, read: Mapping, base: string): Promise<void> {
  const types = new Map((await workspace.database.query(`DESCRIBE ${base}`)).rows.map((r) => [String(r[0]), String(r[1])]));
  for (const { name, kind: of } of known.kinds[kind].columns) {
    const column = read.get(name), type = types.get(column ?? "");
    if (column === undefined || type === undefined) continue;
    const whole = /^U?(TINY|SMALL|BIG)?INT(EGER)?$/.test(type);
    const number = whole || /^(FLOAT|DOUBLE|DECIMAL|HUGEINT|UHUGEINT)/.test(type);
    const allowed = of === "id" && !(whole || type === "VARCHAR") ? "text or integers"
      : of === "number" && !number ? "numbers"
      : of === "integer" && !whole ? "integers" : "";
    if (allowed) throw new Refused(`${file}: column '${column}' of the table of ${known.kinds[kind].words} is ${type}; it must hold ${allowed}.`, "Convert it, or choose another column.");
  }
}
