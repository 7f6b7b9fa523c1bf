// Values of a result as the page shows them.
import * as arrow from "apache-arrow";

export type Cell = string | number | boolean | null;

/** A value of Arrow: whole numbers beyond 2^53, times and nested values as text. */
export function cell(value: unknown, type: arrow.DataType): Cell {
  const inner = nested(value, type);
  return typeof inner === "object" && inner !== null ? JSON.stringify(inner) : inner;
}

type Nested = Cell | Nested[] | { [name: string]: Nested };

function nested(value: unknown, type: arrow.DataType): Nested {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "bigint" && !arrow.DataType.isTime(type)) return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (arrow.DataType.isTime(type)) return clock(BigInt(value as bigint | number));
  if (arrow.DataType.isTimestamp(type) || arrow.DataType.isDate(type)) {
    const at = new Date(Number(value));
    // The browser's calendar ends in the year 275760.
    if (Number.isNaN(at.getTime())) return String(value);
    const written = at.toISOString().replace("T", " ").replace(/(\.000)?Z$/, "");
    return arrow.DataType.isDate(type) ? written.split(" ")[0]! : written;
  }
  if (typeof value === "number") return value;
  if (value instanceof Uint8Array) return Array.from(value, (b) => b.toString(16).padStart(2, "0")).join("");
  if (arrow.DataType.isStruct(type)) return Object.fromEntries(type.children.map((f) => [f.name, nested((value as Record<string, unknown>)[f.name], f.type)]));
  if (value instanceof arrow.Vector) return Array.from(value as Iterable<unknown>, (v) => nested(v, type.children[0]!.type));
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner));
}

/** A value of a column; Arrow reads intervals of months, days and nanoseconds as if they were months. */
export function cellAt(column: arrow.Vector | null, row: number, type: arrow.DataType): Cell {
  const value: unknown = column?.get(row);
  if (!column || value === null || !arrow.DataType.isInterval(type)) return cell(value, type);
  const [months, days, low, high] = column.data[0]!.values.subarray(4 * row, 4 * row + 4) as Int32Array;
  const time = ((BigInt(high!) << 32n) | BigInt(low! >>> 0)) / 1000n;
  const parts = [[Math.trunc(months! / 12), "year"], [months! % 12, "month"], [days!, "day"]] as const;
  const words = parts.filter(([n]) => n).map(([n, word]) => `${n} ${word}${Math.abs(n) === 1 ? "" : "s"}`);
  return [...words, ...(time || !words.length ? [clock(time)] : [])].join(" ");
}

/** Microseconds as hours, minutes and seconds. */
function clock(time: bigint): string {
  const size = time < 0n ? -time : time;
  const seconds = size / 1_000_000n;
  const parts = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map((part) => String(part).padStart(2, "0"));
  const rest = String(size % 1_000_000n).padStart(6, "0").replace(/0+$/, "");
  return `${time < 0n ? "-" : ""}${parts.join(":")}${rest && `.${rest}`}`;
}

const digits = new Intl.NumberFormat("en", { maximumFractionDigits: 4, minimumFractionDigits: 4 });
const whole = new Intl.NumberFormat("en");

/** The text of a number with four digits after the point, as the report has them; of a smaller one that is not 0, three. */
export function decimals(value: Cell): string {
  if (typeof value !== "number" || !Number.isFinite(value)) return text(value);
  // Of larger ones the last digits are not known.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return value.toExponential();
  return value !== 0 && Math.abs(value) < 0.00005 ? value.toExponential(2) : digits.format(value);
}

/** The text of a value in a table. */
export function text(value: Cell): string {
  if (value === null) return "";
  if (typeof value !== "number") return String(value);
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  return Number.isSafeInteger(value) ? whole.format(value) : decimals(value);
}
