// Lines of fields: between blanks, or with a separator and quotes.  Bytes go to columns; no line becomes a text.
import type { BadLines } from "./bad_lines";
import { Column, type Field } from "./values";

/** The fields of a record: where each begins and ends in `bytes`. */
interface Record {
  bytes: Uint8Array;
  at: Int32Array;
  n: number;
}

export interface Layout {
  /** The separator's byte; 0: blanks and tabs, and lines that begin with # are comments. */
  separator: number;
  /** The fields in the order of the file; what is not read is undefined. */
  fields: (Field | undefined)[];
  /** The names of all fields, for messages. */
  names: string[];
  /** "a run has": the start of what a line should have. */
  what: string;
  /** Hints for a wrong number of fields, by that number; 0: any larger one. */
  hints: { [n: number]: string };
  /** Whether what stands behind the last field belongs to it, as in run tags with blanks. */
  rest: boolean;
}

const TAB = 9, LF = 10, CR = 13, BLANK = 32, QUOTE = 34, HASH = 35;

export class LineReader {
  readonly columns: Column[];
  private readonly targets: (Column | undefined)[];
  private record: Record = { bytes: new Uint8Array(0), at: new Int32Array(64), n: 0 };
  private scratch = new Uint8Array(256);
  /** Whether no line of these bytes needs a closer look. */
  private sound = true;
  rows = 0;

  constructor(
    private readonly layout: Layout,
    private readonly bad: BadLines,
    private line: number,
  ) {
    this.targets = layout.fields.map((f) => f && Column.of(f));
    this.columns = this.targets.filter((c): c is Column => c !== undefined);
  }

  /** Reads complete lines: the number of bytes up to the end of the last one. */
  read(bytes: Uint8Array, end: boolean): number {
    const last = end ? bytes.length : bytes.lastIndexOf(LF) + 1;
    const complete = bytes.subarray(0, last);
    this.sound = isUtf8(complete) && !complete.includes(0) && !complete.includes(CR);
    const quotes = this.layout.separator !== 0 && bytes.includes(QUOTE);
    let from = 0;
    while (from < last) {
      let to = bytes.indexOf(LF, from);
      if (to < 0) to = last;
      if (quotes && hasQuote(bytes, from, to)) {
        const next = this.quotedRecord(bytes, from, end ? bytes.length : last, end);
        // The record goes on behind these bytes.
        if (next < 0) return from;
        from = next;
      } else {
        this.oneLine(bytes, from, to);
        this.line++;
        from = to + 1;
      }
    }
    return Math.min(from, bytes.length);
  }

  private oneLine(bytes: Uint8Array, from: number, to: number): void {
    let end = to;
    while (end > from && bytes[end - 1] === CR) end--;
    if (this.layout.separator) this.split(bytes, from, end);
    else this.splitBlanks(bytes, from, end);
    const { n, at } = this.record;
    if (n === 0 || (n === 1 && at[0] === at[1])) return;
    const wrong = this.unusual(bytes, from, end);
    if (wrong) this.bad.add(this.line, bytes.subarray(from, to), wrong);
    else this.add(bytes.subarray(from, to));
  }

  /** What no line of text has. */
  private unusual(bytes: Uint8Array, from: number, to: number): string {
    if (this.sound) return "";
    const line = bytes.subarray(from, to);
    if (line.includes(0)) return "it holds a NUL byte";
    if (line.includes(CR)) return "it holds a carriage return";
    return isUtf8(line) ? "" : "it is not valid UTF-8";
  }

  private splitBlanks(bytes: Uint8Array, from: number, to: number): void {
    const record = this.record;
    record.bytes = bytes;
    record.n = 0;
    let at = from;
    while (at < to) {
      while (at < to && (bytes[at] === BLANK || bytes[at] === TAB)) at++;
      if (at === to || (record.n === 0 && bytes[at] === HASH)) return;
      const start = at;
      if (this.layout.rest && record.n === this.layout.fields.length - 1) at = trimmedEnd(bytes, at, to);
      else while (at < to && bytes[at] !== BLANK && bytes[at] !== TAB) at++;
      this.push(start, at);
      if (this.layout.rest && record.n === this.layout.fields.length) return;
    }
  }

  private split(bytes: Uint8Array, from: number, to: number): void {
    const record = this.record, separator = this.layout.separator;
    record.bytes = bytes;
    record.n = 0;
    let start = from;
    for (let at = from; at <= to; at++) {
      if (at < to && bytes[at] !== separator) continue;
      let first = start;
      while (first < at && (bytes[first] === BLANK || (bytes[first] === TAB && separator !== TAB))) first++;
      this.push(first, trimmedEnd(bytes, first, at, separator));
      start = at + 1;
    }
  }

  private push(from: number, to: number): void {
    const record = this.record;
    if (2 * record.n + 2 > record.at.length) {
      const larger = new Int32Array(2 * record.at.length);
      larger.set(record.at);
      record.at = larger;
    }
    record.at[2 * record.n] = from;
    record.at[2 * record.n + 1] = to;
    record.n++;
  }

  /** A record with quoted fields, which may hold line ends: where the next one begins; -1: its end is not here. */
  private quotedRecord(bytes: Uint8Array, from: number, to: number, end: boolean): number {
    const separator = this.layout.separator;
    if (this.scratch.length < to - from) this.scratch = new Uint8Array(to - from);
    this.record.bytes = this.scratch;
    this.record.n = 0;
    const first = this.line;
    let at = from, out = 0, wrong = "", done = false, lines = 1;
    while (!done) {
      while (at < to && bytes[at] === BLANK) at++;
      const start = out;
      if (bytes[at] === QUOTE) {
        for (at++; ; at++) {
          if (at >= to) {
            if (!end) return -1;
            this.bad.add(first, bytes.subarray(from, lineEnd(bytes, from, to)), "a quote is opened and never closed");
            this.line = first + 1;
            return lineEnd(bytes, from, to) + 1;
          }
          if (bytes[at] === QUOTE && bytes[++at] !== QUOTE) break;
          if (bytes[at] === LF) lines++;
          this.scratch[out++] = bytes[at]!;
        }
        this.push(start, out);
      } else {
        while (at < to && bytes[at] !== separator && bytes[at] !== LF) this.scratch[out++] = bytes[at++]!;
        while (out > start && (this.scratch[out - 1] === CR || this.scratch[out - 1] === BLANK || (this.scratch[out - 1] === TAB && separator !== TAB))) out--;
        this.push(start, out);
      }
      while (at < to && bytes[at] === CR) at++;
      done = at >= to || bytes[at] === LF;
      if (!done && bytes[at] !== separator) {
        wrong ||= `wrong quoting ('${String.fromCharCode(separator)}' expected after '"')`;
        while (at < to && bytes[at] !== separator && bytes[at] !== LF) at++;
        done = at >= to || bytes[at] === LF;
      }
      at++;
    }
    const raw = bytes.subarray(from, lineEnd(bytes, from, to));
    wrong ||= this.unusual(bytes, from, at - 1).replace(/.*carriage.*/, "");
    if (wrong) this.bad.add(first, raw, wrong);
    else this.add(raw);
    this.line = first + lines;
    return at;
  }

  private add(line: Uint8Array): void {
    const { bytes, at, n } = this.record, { names, what, hints } = this.layout;
    if (n !== names.length) {
      const hint = hints[n] ?? (n > names.length ? (hints[0] ?? "") : "");
      const shown = this.layout.separator ? "" : ` (${names.join(" ")})`;
      this.bad.add(this.line, line, `${n} field${n === 1 ? "" : "s"} where ${what} ${names.length}${shown}`, hint);
      return;
    }
    const wrong: string[] = [];
    for (let i = 0; i < n; i++) {
      const why = this.targets[i]?.add(bytes, at[2 * i]!, at[2 * i + 1]!);
      if (why) wrong.push(why);
    }
    if (wrong.length) this.bad.add(this.line, line, wrong.join("; "));
    this.rows++;
  }
}

function trimmedEnd(bytes: Uint8Array, from: number, to: number, separator = 0): number {
  let end = to;
  while (end > from && (bytes[end - 1] === BLANK || (bytes[end - 1] === TAB && separator !== TAB))) end--;
  return end;
}

function lineEnd(bytes: Uint8Array, from: number, to: number): number {
  const end = bytes.indexOf(LF, from);
  return end < 0 || end > to ? to : end;
}

function hasQuote(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === QUOTE) return true;
  return false;
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
