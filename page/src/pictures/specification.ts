// Specifications of Vega-Lite with their places filled in: rows, titles, orders, domains.
import type { Cell } from "../cells";
import type { Rows } from "../database";
import { printable } from "../elements";

export type Row = Record<string, Cell>;
/** A value of JSON. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Specification = { [name: string]: Json };

/** Rows by the names of their columns. */
export function rowsOf({ columns, rows }: Rows): Row[] {
  return rows.map((row) => Object.fromEntries(columns.map((c, i) => [c.name, row[i]!])));
}

/** The value as it is drawn: ten digits, in which sums of the same values agree, and texts without hidden signs. */
export function drawable(value: Json): Json {
  if (typeof value === "number") return Number.isFinite(value) ? Number(value.toPrecision(10)) : null;
  if (typeof value === "string") return printable(value);
  if (Array.isArray(value)) return value.map(drawable);
  return value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, drawable(v)])) : value;
}

/**
 * A specification with values for its places, such as «title».  A list of one place becomes the list that is its value,
 * and a property without a value is left out.  Rows with the place «rows» become all rows.
 */
export function fill(template: Specification, places: { [name: string]: Json | undefined }, rows: Row[]): Specification {
  const values = Object.fromEntries(Object.entries(places).map(([k, v]) => [k, v === undefined ? undefined : drawable(v)]));
  const whole = (value: Json): string | undefined => (typeof value === "string" ? /^«(\w+)»$/.exec(value)?.[1] : undefined);
  function filled(value: Json): Json | undefined {
    const name = whole(value);
    if (name) return values[name];
    if (typeof value === "string") return value.replace(/«(\w+)»/g, (_, place: string) => String(values[place]));
    if (Array.isArray(value)) {
      const only = value.length === 1 ? whole(value[0]!) : undefined;
      return only ? values[only] : value.map((v) => filled(v) ?? null);
    }
    if (!value || typeof value !== "object") return value;
    const entries = Object.entries(value).flatMap(([k, v]): [string, Json][] => {
      const inner = filled(v);
      return inner === undefined ? [] : [[k, inner]];
    });
    return Object.fromEntries(entries);
  }
  const { datasets, ...rest } = template;
  const tables = Object.entries(datasets as { [name: string]: Specification[] }).map(([name, some]): [string, Json] =>
    some.some((row) => row["rows"] === "«rows»") ? [name, drawable(rows)] : [name, filled(some)!],
  );
  return { ...(filled(rest) as Specification), datasets: Object.fromEntries(tables) };
}

/** One picture for each of some parts, with its name above it. */
export function panels(parts: [string, Specification][], columns = 2): Specification {
  const [first] = parts;
  if (parts.length === 1) return first![1];
  const { title, description, config, $schema } = first![1];
  const datasets: Specification = {};
  const concat = parts.map(([name, part], i) => {
    const { title: _, description: __, config: ___, $schema: ____, datasets: tables, ...rest } = part;
    // Rows of each part have a name of their own.
    const named = Object.fromEntries(Object.keys(tables as Specification).map((k) => [k, `${k}-${i}`]));
    for (const [k, rows] of Object.entries(tables as Specification)) datasets[named[k]!] = rows;
    return { ...renamed(rest, named), title: { text: drawable(name), fontSize: 12, anchor: "start" } };
  });
  return { concat, columns, title: title!, description: description!, config: config!, $schema: $schema!, datasets };
}

function renamed(value: Specification, names: Record<string, string>): Specification {
  return JSON.parse(JSON.stringify(value), (key, inner) => (key === "name" && typeof inner === "string" ? (names[inner] ?? inner) : inner));
}
