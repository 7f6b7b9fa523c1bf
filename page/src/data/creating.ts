// The statement that reads a file as the page read it, in any DuckDB.
import { identifier, string } from "../quoting";
import type { Description } from "./describing";
import type { Field, Form } from "./values";

const TYPES: Partial<Record<Form, string>> = { decimal: "DOUBLE", score: "DOUBLE", number: "DOUBLE", probability: "DOUBLE", integer: "BIGINT", count: "BIGINT" };
const LINE = "columns = {'line': 'VARCHAR'}, auto_detect = false, header = false, delim = chr(1), quote = '', escape = '', comment = ''";

/** A view of a file's rows; undefined for files that DuckDB does not read as the page does. */
export function creating(name: string, file: string, { format, layout, names, separator, skip }: Description, fields: Field[], items: string[], where: string): string | undefined {
  if (fields.some((f) => f.form === "level")) return undefined;
  const typed = (read: (field: Field) => string) =>
    fields.map((f) => {
      const type = TYPES[f.form];
      return `${type ? `CAST(${read(f)} AS ${type})` : read(f)} AS ${identifier(f.name)}`;
    });
  const view = (rows: string) => `CREATE OR REPLACE VIEW ${identifier(name)} AS SELECT ${items.join(", ")} FROM (${rows})${where}`;
  if (format === "parquet") return view(`SELECT ${fields.map((f) => identifier(f.name)).join(", ")} FROM read_parquet(${string(file)})`);
  if (format === "jsonl") {
    const columns = fields.map((f) => `${string(f.name)}: 'VARCHAR'`).join(", ");
    return view(`SELECT ${typed((f) => identifier(f.name)).join(", ")} FROM read_json(${string(file)}, format = 'newline_delimited', columns = {${columns}})`);
  }
  if (format === "separated" && separator) {
    const columns = names.map((n) => `${string(n)}: 'VARCHAR'`).join(", ");
    const options = `columns = {${columns}}, auto_detect = false, header = false, skip = ${skip}, delim = ${string(separator)}, quote = '"', escape = '"'`;
    return view(`SELECT ${typed((f) => identifier(f.name)).join(", ")} FROM read_csv(${string(file)}, ${options})`);
  }
  if (format !== "lines" && format !== "separated") return undefined;
  // Fields between blanks; a line of blanks alone, or one that begins with #, is no row.
  const cut = separator ? `string_split(line, ${string(separator)})` : "regexp_split_to_array(trim(line, ' ' || chr(9) || chr(13)), '[ \\t]+')";
  const lines = `SELECT ${cut} AS fields, row_number() OVER () AS turn FROM read_csv(${string(file)}, ${LINE}, skip = ${skip}) WHERE trim(line, ' ' || chr(9) || chr(13)) <> '' AND line[1] <> '#'`;
  const place = (f: Field) => `fields[${names.indexOf(f.name) + 1}]`;
  const order = layout?.score_from === "order" ? [`row_number() OVER (PARTITION BY fields[${names.indexOf("query_id") + 1}] ORDER BY turn) AS "order"`] : [];
  return view(`SELECT ${[...typed(place), ...order].join(", ")} FROM (${lines})`);
}
