// The worker that reads and writes Parquet.  It ends with its file: damage and memory go with it.
import "../worker";
import init, { Compression, ParquetFile, Table, WriterPropertiesBuilder, writeParquet } from "parquet-wasm/esm";

/** What is wanted: the names of columns, rows in batches of Arrow, the next batch, or a stream of Arrow as Parquet. */
export type Request =
  | { columns: File }
  | { rows: File; names: string[] }
  | { next: true }
  | { write: Uint8Array };

export interface Reply {
  error?: string;
  columns?: string[];
  /** The rows of the file. */
  all?: number;
  /** The rows of a batch; none: there are no more. */
  rows?: number;
  bytes?: Uint8Array;
}

const ROWS = 1 << 16;
const started = init({ module_or_path: new URL("parquet.wasm", self.location.href) });
let reader: ReadableStreamDefaultReader | undefined;

async function answer(request: Request): Promise<Reply> {
  await started;
  if ("columns" in request) {
    const metadata = (await ParquetFile.fromFile(request.columns)).metadata();
    if (!metadata.numRowGroups()) return { columns: [], all: 0 };
    // A column of structures has several parts.
    const parts = metadata.rowGroup(0).columns().map((c) => c.columnPath()[0]!);
    return { columns: [...new Set(parts)], all: metadata.fileMetadata().numRows() };
  }
  if ("rows" in request) {
    const file = await ParquetFile.fromFile(request.rows);
    const stream = await file.stream({ columns: request.names, batchSize: ROWS, concurrency: 1 });
    reader = stream.getReader();
    return { all: file.metadata().fileMetadata().numRows() };
  }
  if ("write" in request) {
    const properties = new WriterPropertiesBuilder().setCompression(Compression.ZSTD).build();
    return { bytes: writeParquet(Table.fromIPCStream(request.write), properties) };
  }
  const { done, value } = await reader!.read();
  if (done) return {};
  const rows: number = value.numRows;
  return { rows, bytes: value.intoIPCStream() };
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  postMessage({ error: message === "unreachable" ? "its pages do not hold what they should" : message });
}

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  answer(data).then((reply) => postMessage(reply, { transfer: reply.bytes ? [reply.bytes.buffer] : [] }), fail);
});
// Damage may end the library in the middle of a step, which then never answers.
self.addEventListener("unhandledrejection", (event) => fail(event.reason));
self.addEventListener("error", (event) => fail(event.error ?? event.message));
