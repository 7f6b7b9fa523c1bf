// Parquet files and Arrow files as streams of Arrow for DuckDB, which has no extension here; and Parquet of a query.
import type { Database } from "../database";
import { Refused } from "../errors";
import type { Reply, Request } from "./parquet_worker";

/** Rows as a stream of Arrow. */
interface Batch {
  bytes: Uint8Array;
  rows: number;
}

/** Runs work with a worker that answers one request after the other. */
async function withWorker<T>(folder: URL, signal: AbortSignal | undefined, work: (ask: (request: Request) => Promise<Reply>) => Promise<T>): Promise<T> {
  const worker = new Worker(new URL("parquet.js", folder));
  const ask = (request: Request) =>
    new Promise<Reply>((resolve, reject) => {
      const stop = () => reject(new Refused("Stopped."));
      if (signal?.aborted) stop();
      signal?.addEventListener("abort", stop, { once: true });
      worker.onerror = (event) => reject(new Error(event.message));
      worker.onmessage = ({ data }: MessageEvent<Reply>) => (data.error === undefined ? resolve(data) : reject(new Error(data.error)));
      worker.postMessage(request);
    });
  try {
    return await work(ask);
  } finally {
    worker.terminate();
  }
}

function damaged(file: File, error: unknown): Refused {
  if (error instanceof Refused) return error;
  const message = (error as Error).message.replace(/^(Parquet error: |Arrow: |External: )+/, "").split("\n")[0]!.replace(/\.$/, "");
  return new Refused(`${file.name} is a damaged parquet file: ${message}.`, "Copy or write it again.");
}

/** The columns of a Parquet file. */
export async function parquetColumns(folder: URL, file: File): Promise<string[]> {
  const { columns, all } = await withWorker(folder, undefined, (ask) => ask({ columns: file })).catch((error: unknown) => {
    throw damaged(file, error);
  });
  if (!all) throw new Refused(`${file.name} is empty: it has no rows.`, "Check that the program that wrote it ran to its end.");
  return columns!;
}

/** Reads the rows of a Parquet file in batches, each of which is used before the next one is read. */
export async function parquetRows(
  folder: URL,
  file: File,
  names: string[],
  seen: (share: number) => void,
  signal: AbortSignal,
  use: (batch: Batch) => Promise<void>,
): Promise<void> {
  await withWorker(folder, signal, async (ask) => {
    const asked = (request: Request) => ask(request).catch((error: unknown) => {
      throw damaged(file, error);
    });
    const { all } = await asked({ rows: file, names });
    let read = 0;
    for (;;) {
      const { rows, bytes } = await asked({ next: true });
      if (!bytes) return;
      await use({ bytes, rows: rows! });
      read += rows!;
      seen(read / all!);
    }
  });
}

/** The stream that a file of Arrow holds: behind a mark, and with an index behind its end. */
export function arrowStream(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0x41 ? bytes.subarray(8) : bytes;
}

/** The rows of a query as a Parquet file. */
export async function writeParquet(folder: URL, database: Database, sql: string): Promise<Uint8Array> {
  const file = await database.next((connection) => connection.useUnsafe((duckdb, id) => duckdb.runQuery(id, sql)));
  return (await withWorker(folder, undefined, (ask) => ask({ write: arrowStream(file) }))).bytes!;
}
