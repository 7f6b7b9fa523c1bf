// Parquet files and Arrow files, read in the tab.
import * as arrow from "apache-arrow";
import { Refused } from "../errors";
import type { Field } from "./values";

/** The columns of a file. */
export async function columnsOf(file: Blob & { name: string }, format: "parquet" | "arrow"): Promise<string[]> {
  if (format === "arrow") return (await arrowTable(file)).schema.fields.map((f) => f.name);
  throw new Refused(`${file.name} is a Parquet file.`);
}

/** The rows of a file in batches, with the fields under their new names. */
export async function* rowsOf(
  file: Blob & { name: string },
  _format: "parquet" | "arrow",
  fields: Field[],
  seen: (share: number) => void,
  signal: AbortSignal,
): AsyncGenerator<arrow.RecordBatch> {
  const table = await arrowTable(file);
  for (const [i, batch] of table.batches.entries()) {
    if (signal.aborted) throw new Refused("Stopped.");
    seen(i / table.batches.length);
    const chosen = batch.select(fields.map((f) => f.source));
    const schema = new arrow.Schema(fields.map((f, j) => new arrow.Field(f.name, chosen.schema.fields[j]!.type, true)));
    yield new arrow.RecordBatch(schema, chosen.data);
  }
}

async function arrowTable(file: Blob & { name: string }): Promise<arrow.Table> {
  try {
    return arrow.tableFromIPC(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    throw new Refused(`${file.name} is a damaged Arrow file: ${(error as Error).message}.`, "Copy or write it again.");
  }
}
