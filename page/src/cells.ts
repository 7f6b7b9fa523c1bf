// Values of a result as the page shows them.
import * as arrow from "apache-arrow";

export type Cell = string | number | boolean | null;

/** A value of Arrow: whole numbers beyond 2^53, times and nested values as text. */
export function cell(value: unknown, type: arrow.DataType): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (arrow.DataType.isTimestamp(type)) return new Date(Number(value)).toISOString().replace("T", " ").replace("Z", "");
  if (arrow.DataType.isDate(type)) return new Date(Number(value)).toISOString().slice(0, 10);
  if (typeof value === "number") return value;
  if (value instanceof Uint8Array) return Array.from(value, (b) => b.toString(16).padStart(2, "0")).join("");
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner));
}

const digits = new Intl.NumberFormat("en", { maximumFractionDigits: 4, minimumFractionDigits: 4 });
const whole = new Intl.NumberFormat("en");

/** The text of a number with four digits after the point, as the report has them. */
export function decimals(value: Cell): string {
  return typeof value === "number" && Number.isFinite(value) ? digits.format(value) : text(value);
}

/** The text of a value in a table. */
export function text(value: Cell): string {
  if (value === null) return "";
  if (typeof value !== "number") return String(value);
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  return Number.isInteger(value) ? whole.format(value) : digits.format(value);
}
