// Bytes of files: unpacked, counted, and stopped when nobody wants them any more.
import { Refused } from "../errors";
import type { FileKinds } from "./knowledge";

/** The bytes that say what a file is. */
export const HEAD = 1 << 16;
// Small pieces are read together.
const TOGETHER = 1 << 20;
// The longest record; a longer one is no line of a table.
const LONGEST = 1 << 28;

/** The first bytes, unpacked. */
export async function head(file: File): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of pieces(file)) {
    parts.push(part);
    size += part.length;
    if (size >= HEAD) break;
  }
  return joined(parts).subarray(0, HEAD);
}

async function isGzip(file: File): Promise<boolean> {
  const start = await file.slice(0, 2).arrayBuffer().catch((error: unknown) => {
    throw unreadable(file.name, error);
  });
  const [a, b] = new Uint8Array(start);
  return a === 0x1f && b === 0x8b;
}

/** The bytes of a file in pieces, gzip unpacked; `seen` gets the share of the file that was read. */
export async function* pieces(
  file: File,
  seen: (share: number) => void = () => {},
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, control) {
      read += part.length;
      seen(Math.min(1, read / file.size));
      control.enqueue(part);
    },
  });
  const gzip = await isGzip(file);
  let stream = file.stream().pipeThrough(counted) as ReadableStream<Uint8Array>;
  if (gzip) stream = stream.pipeThrough(new DecompressionStream("gzip") as unknown as TransformStream<Uint8Array, Uint8Array>);
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw gzip ? damaged(file.name, error) : unreadable(file.name, error);
      });
      if (signal?.aborted) throw new Refused("Stopped.");
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function damaged(name: string, error: unknown): Refused {
  const message = error instanceof Error ? error.message : String(error);
  if (/junk|trailing/i.test(message)) {
    return new Refused(`${name} consists of several gzip files, one behind the other.`, `Pack it once: zcat ${name} | gzip > new.gz`);
  }
  return new Refused(`${name} is a damaged or truncated gzip file.`, "Copy or download it again.");
}

function unreadable(name: string, error: unknown): Refused {
  const message = error instanceof Error ? error.message : String(error);
  return new Refused(`${name} cannot be read: ${message}`, "It may have changed since it was chosen: choose it again.");
}

/** Reads a file by complete records: `read` gets bytes and returns how many belong to complete ones. */
export async function records(
  source: AsyncIterable<Uint8Array>,
  name: string,
  read: (bytes: Uint8Array, end: boolean) => number,
  then: () => Promise<void>,
): Promise<void> {
  let rest: Uint8Array[] = [];
  let size = 0, enough = TOGETHER;
  for await (const piece of source) {
    rest.push(piece);
    size += piece.length;
    if (size < enough) continue;
    if (size > LONGEST) throw new Refused(`${name} has a line of more than 256 MB, or a quote that is never closed.`, "Is it a table of lines?");
    const bytes = joined(rest);
    const used = read(bytes, false);
    rest = [bytes.subarray(used)];
    size = bytes.length - used;
    // A long line is not joined again with each piece.
    enough = Math.max(TOGETHER, 2 * size);
    await then();
  }
  const bytes = joined(rest);
  if (bytes.length) read(bytes, true);
  await then();
}

export function joined(parts: Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const bytes = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Refuses what is neither a table nor text, by its first bytes. */
export function refuseOther(bytes: Uint8Array, name: string, kinds: FileKinds): void {
  const other = kinds.others.find(({ mark }) => mark.every((b, i) => bytes[i] === b));
  if (other) throw new Refused(`${name} is ${other.words}, not a table or lines of text.`, other.hint.replaceAll("{name}", name));
  const start = new TextDecoder().decode(bytes.subarray(0, 400)).trimStart().toLowerCase();
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)) {
    const inside = new TextDecoder("latin1").decode(bytes);
    const what = inside.includes("xl/") ? "a workbook of Excel (.xlsx)" : inside.includes("opendocument") ? "a file of OpenDocument" : "a zip archive";
    throw new Refused(`${name} is ${what}, not a table or lines of text.`, "Unpack it, or save its sheet as CSV, in UTF-8.");
  }
  if (bytes.length > 11 && String.fromCharCode(...bytes.subarray(8, 12)) === "DUCK") {
    throw new Refused(`${name} is a DuckDB database.`, `Write the table out: duckdb ${name} "COPY its_table TO 'new.parquet'"`);
  }
  if (/^(<!doctype html|<html|<head|<body)/.test(start)) {
    throw new Refused(`${name} is a page of HTML, not a table or lines of text.`, "It may be a sign-in page or a server's error page. Download the file itself.");
  }
  if (/^(<\?xml|<!doctype)/.test(start)) throw new Refused(`${name} is a document of XML.`, "Write it as a table: CSV, JSON lines or Parquet.");
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new Refused(`${name} is not UTF-8 text but UTF-16.`, `Convert it: iconv -f UTF-16 -t UTF-8 ${name} > new.txt`);
  }
  const text = new TextDecoder().decode(bytes);
  const strange = (text.match(/[\x00-\x08\x0e-\x1f\ufffd]/g) ?? []).length;
  // A few stray bytes are bad lines, reported with their numbers; many are another kind of file.
  if (strange > bytes.length / 20) throw new Refused(`${name} is not text, or not in UTF-8.`, "Files of text (TREC, CSV, JSON lines), Parquet and Arrow are read.");
}
