// The values that fields of text files may have, and Arrow columns of them.
import * as arrow from "apache-arrow";

/** id: text that is not empty; any: text that may be missing; score: a number that orders rows, so it must be exact. */
export type Form = "id" | "any" | "decimal" | "score" | "number" | "integer" | "count" | "level" | "zero" | "probability";

export interface Field {
  /** What the file calls it. */
  name: string;
  form: Form;
}

export const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
export const INTEGER = /^[+-]?\d+$/;
const EXACT = 2 ** 53;
const POWERS = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A number of few digits in ASCII, exactly as Number() reads it; NaN if it takes another look. */
function quick(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  const negative = bytes[at] === 0x2d;
  if (negative || bytes[at] === 0x2b) at++;
  let digits = 0, seen = 0, after = 0, point = false;
  for (; at < to; at++) {
    const c = bytes[at]!;
    if (c >= 0x30 && c <= 0x39) {
      digits = digits * 10 + (c - 0x30);
      seen++;
      if (point) after++;
    } else if (c === 0x2e && !point) point = true;
    else return NaN;
  }
  if (!seen || seen > 15) return NaN;
  const value = after ? digits / POWERS[after]! : digits;
  return negative ? -value : value;
}

/** A growing column of Arrow. */
export abstract class Column {
  length = 0;

  constructor(readonly field: Field) {}

  /** Adds the value of a field's bytes; returns what is wrong with it. */
  abstract add(bytes: Uint8Array, from: number, to: number): string;
  abstract addNull(): void;
  abstract take(): arrow.Data;
  abstract get type(): arrow.DataType;
  /** The bytes that it holds. */
  abstract get size(): number;

  /** Adds text, of JSON. */
  addText(text: string): string {
    const bytes = encoder.encode(text);
    return this.add(bytes, 0, bytes.length);
  }

  static of(field: Field): Column {
    if (field.form === "id" || field.form === "any") return new Texts(field);
    return ["integer", "count", "level"].includes(field.form) ? new Integers(field) : new Numbers(field);
  }
}

function grown<T extends Int32Array | Uint8Array | Float64Array | BigInt64Array>(values: T, length: number): T {
  if (length <= values.length) return values;
  const larger = new (values.constructor as new (n: number) => T)(Math.max(length, 2 * values.length));
  (larger as Uint8Array).set(values as Uint8Array);
  return larger;
}

class Validity {
  private bits = new Uint8Array(0);
  nulls = 0;

  /** Marks a row as missing. */
  miss(row: number): void {
    const before = this.bits.length;
    this.bits = grown(this.bits, (row >> 3) + 1);
    this.bits.fill(255, before);
    this.bits[row >> 3]! &= ~(1 << (row & 7));
    this.nulls++;
  }

  bitmap(length: number): Uint8Array | undefined {
    if (!this.nulls) return undefined;
    const before = this.bits.length;
    this.bits = grown(this.bits, (length >> 3) + 1);
    this.bits.fill(255, before);
    return this.bits;
  }
}

class Texts extends Column {
  private bytes = new Uint8Array(1 << 16);
  private offsets = new Int32Array(1 << 12);
  private validity = new Validity();
  readonly type = new arrow.Utf8();

  get size(): number {
    return this.offsets[this.length]!;
  }

  add(bytes: Uint8Array, from: number, to: number): string {
    if (from === to) {
      if (this.field.form === "id") return `${this.field.name} is empty`;
      this.addNull();
      return "";
    }
    const start = this.offsets[this.length]!, end = start + to - from;
    this.bytes = grown(this.bytes, end);
    if (to - from < 32) for (let i = from, j = start; i < to; ) this.bytes[j++] = bytes[i++]!;
    else this.bytes.set(bytes.subarray(from, to), start);
    this.close(end);
    return "";
  }

  addNull(): void {
    this.validity.miss(this.length);
    this.close(this.offsets[this.length]!);
  }

  private close(end: number): void {
    this.offsets = grown(this.offsets, this.length + 2);
    this.offsets[++this.length] = end;
  }

  take(): arrow.Data {
    const data = arrow.makeData({
      type: this.type,
      length: this.length,
      nullCount: this.validity.nulls,
      nullBitmap: this.validity.bitmap(this.length),
      valueOffsets: this.offsets.slice(0, this.length + 1),
      data: this.bytes.slice(0, this.size),
    });
    this.length = 0;
    this.validity = new Validity();
    return data;
  }
}

class Numbers extends Column {
  private values = new Float64Array(1 << 12);
  private validity = new Validity();
  readonly type = new arrow.Float64();

  get size(): number {
    return 8 * this.length;
  }

  add(bytes: Uint8Array, from: number, to: number): string {
    const { form, name } = this.field;
    if (from === to && form === "number") {
      this.addNull();
      return "";
    }
    let value = quick(bytes, from, to);
    if (Number.isNaN(value) || Math.abs(value) >= EXACT) {
      const text = decoder.decode(bytes.subarray(from, to)).replace(/^[ \t]+|[ \t]+$/g, "");
      if (!DECIMAL.test(text)) {
        const infinite = /^[+-]?(?:nan|inf|infinity)$/i.test(text);
        const comma = DECIMAL.test(text.replace(",", ".")) ? ": the decimal separator is a point" : "";
        return `${name} ${quoted(text)} is not a ${infinite ? "finite " : ""}number${comma}`;
      }
      value = Number(text);
      if (!Number.isFinite(value)) return `${name} ${quoted(text)} is too large for a 64-bit float`;
      if (form === "score" && INTEGER.test(text) && abs(text) > BigInt(EXACT)) {
        return `${name} ${text} is a whole number beyond 2^53, which floats cannot distinguish from others: use ranks in place of such scores`;
      }
    }
    if (form === "zero" && value) return `the ${name} field is ${quoted(text(bytes, from, to))}, and is 0 on the lines before`;
    if (form === "probability" && !(value >= 0 && value <= 1)) {
      return `${name} ${quoted(text(bytes, from, to))} is no probability from 0 to 1`;
    }
    this.values = grown(this.values, this.length + 1);
    this.values[this.length++] = value;
    return "";
  }

  addNull(): void {
    this.validity.miss(this.length);
    this.values = grown(this.values, this.length + 1);
    this.values[this.length++] = 0;
  }

  take(): arrow.Data {
    const { length, type } = this;
    const nullBitmap = this.validity.bitmap(length);
    const data = arrow.makeData({ type, length, nullCount: this.validity.nulls, nullBitmap, data: this.values.slice(0, length) });
    this.length = 0;
    this.validity = new Validity();
    return data;
  }
}

class Integers extends Column {
  private values = new BigInt64Array(1 << 12);
  readonly type = new arrow.Int64();

  get size(): number {
    return 8 * this.length;
  }

  add(bytes: Uint8Array, from: number, to: number): string {
    const { form, name } = this.field;
    let written = text(bytes, from, to).replace(/^[ \t]+|[ \t]+$/g, "");
    if (form === "level") {
      if (!/^L/i.test(written)) return `${name} ${quoted(written)} is not a level such as L2`;
      written = written.slice(1);
    }
    if (!INTEGER.test(written)) return `${name} ${quoted(written)} is not an integer`;
    const value = written.length > 40 ? 1n << 64n : BigInt(written.replace("+", ""));
    if (value !== BigInt.asIntN(64, value)) return `${name} ${quoted(written)} is too large for a 64-bit integer`;
    if (form === "count" && value < 0n) return `${name} ${value} is negative`;
    this.values = grown(this.values, this.length + 1);
    this.values[this.length++] = value;
    return "";
  }

  addNull(): void {
    throw new Error("Whole numbers are never missing.");
  }

  take(): arrow.Data {
    const data = arrow.makeData({ type: this.type, length: this.length, data: this.values.slice(0, this.length) });
    this.length = 0;
    return data;
  }
}

function abs(text: string): bigint {
  return BigInt(text.replace(/^[+-]/, ""));
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return decoder.decode(bytes.subarray(from, to));
}

/** Text in quotes, cut. */
export function quoted(text: string): string {
  return `'${text.slice(0, 40)}'`;
}
