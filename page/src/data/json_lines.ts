// Lines that hold a JSON object each.
import type { BadLines } from "./bad_lines";
import { isUtf8 } from "./lines";
import { Column, type Field, quoted } from "./values";

const LF = 10;
const decoder = new TextDecoder();

export class JsonReader {
  readonly columns: Column[];
  rows = 0;

  constructor(
    fields: Field[],
    private readonly bad: BadLines,
    private line = 1,
  ) {
    this.columns = fields.map((f) => Column.of(f));
  }

  /** Reads complete lines: the number of bytes up to the end of the last one. */
  read(bytes: Uint8Array, end: boolean): number {
    const last = end ? bytes.length : bytes.lastIndexOf(LF) + 1;
    for (let from = 0; from < last; this.line++) {
      let to = bytes.indexOf(LF, from);
      if (to < 0) to = last;
      this.oneLine(bytes.subarray(from, to));
      from = to + 1;
    }
    return last;
  }

  private oneLine(line: Uint8Array): void {
    const text = decoder.decode(line).trim();
    if (!text) return;
    const wrong = isUtf8(line) ? this.add(text) : "it is not valid UTF-8";
    if (wrong) this.bad.add(this.line, line, wrong);
    else this.rows++;
  }

  private add(text: string): string {
    let row: unknown;
    try {
      row = JSON.parse(text);
    } catch (error) {
      return `it is not JSON (${(error as Error).message})`;
    }
    if (!isObject(row)) return "it is not a JSON object";
    const twice = repeated(text, row);
    if (twice) return `it has the key ${quoted(twice)} twice`;
    for (const column of this.columns) {
      const wrong = value(column, row, text);
      if (wrong) return wrong;
    }
    return "";
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function value(column: Column, row: Record<string, unknown>, text: string): string {
  const { name, form } = column.field;
  let item = row[name];
  if (item === undefined || item === null) {
    if (form === "any" || form === "number") {
      column.addNull();
      return "";
    }
    return `'${name}' is ${item === undefined ? "missing" : "null"}`;
  }
  if (typeof item === "number" && Number.isInteger(item) && !Number.isSafeInteger(item)) item = digits(text, name) ?? item;
  if (form === "id") {
    const whole = typeof item === "bigint" || Number.isInteger(item);
    if (typeof item !== "string" && !whole) return `${name} ${quoted(JSON.stringify(item))} is neither text nor an integer`;
    if (/\p{Cs}/u.test(String(item))) return `${name} is not valid Unicode`;
    return column.addText(String(item));
  }
  if (form === "any") return column.addText(typeof item === "object" ? JSON.stringify(item) : String(item));
  if (typeof item === "string" && form === "number") return column.addText(item);
  return typeof item === "number" || typeof item === "bigint"
    ? column.addText(String(item))
    : `${name} ${JSON.stringify(item).slice(0, 40)} is not a number`;
}

/** The digits of a whole number beyond 2^53, which numbers of JavaScript do not hold. */
function digits(text: string, key: string): bigint | undefined {
  const at = text.indexOf(JSON.stringify(key));
  const number = /^\s*:\s*(-?\d+)\s*[,}]/.exec(text.slice(at + JSON.stringify(key).length));
  return number ? BigInt(number[1]!) : undefined;
}

/** A key that an object has twice: reading keeps the last value only. */
function repeated(text: string, row: Record<string, unknown>): string | undefined {
  if ((text.match(/"\s*:/g) ?? []).length === Object.keys(row).length) return undefined;
  return Object.keys(row).find((key) => {
    const written = JSON.stringify(key);
    let n = 0;
    for (const at of occurrences(text, written)) if (/^\s*:/.test(text.slice(at + written.length)) && depth(text, at) === 1) n++;
    return n > 1;
  });
}

function* occurrences(text: string, part: string): Generator<number> {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) yield at;
}

/** How many brackets are open at a place, outside of texts. */
function depth(text: string, end: number): number {
  let open = 0, inside = false;
  for (let at = 0; at < end; at++) {
    const c = text[at];
    if (inside) {
      if (c === "\\") at++;
      else if (c === '"') inside = false;
    } else if (c === '"') inside = true;
    else if (c === "{" || c === "[") open++;
    else if (c === "}" || c === "]") open--;
  }
  return inside ? -1 : open;
}
