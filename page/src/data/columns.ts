// Which columns of a file are ours, and which kind of table it is, by their names.
import { Refused } from "../errors";
import type { Kind } from "../workspace";
import type { Knowledge, KnownColumn } from "./knowledge";

const SHOWN = 20;

/** Our names of columns, and the file's. */
export type Mapping = Map<string, string>;

/** The file's name of a column, by our name and its other names; what is taken is not found again. */
function lookup(column: KnownColumn, names: string[], taken: Iterable<string> = []): string | undefined {
  const used = new Set(taken);
  for (const alias of [column.name, ...column.aliases]) {
    // The exact spelling first.
    const name = names.includes(alias) ? alias : names.find((n) => n.toLowerCase() === alias.toLowerCase());
    if (name !== undefined && !used.has(name)) return name;
  }
  return undefined;
}

/** The file's name for each of our columns that it has; `chosen` is what the person chose. */
export function resolve(known: Knowledge, kind: Kind, names: string[], chosen: Record<string, string> = {}): Mapping {
  const mapping: Mapping = new Map(Object.entries(chosen).filter(([, name]) => name && names.includes(name)));
  const columns = known.kinds[kind].columns;
  for (const column of columns) {
    if (column.name in chosen) continue;
    const name = lookup(column, names, mapping.values());
    if (name !== undefined) mapping.set(column.name, name);
  }
  // Judgments of BEIR and ranx call the grade "score".
  const score = names.find((n) => ["score", "sim", "similarity", "rsv"].includes(n.toLowerCase()));
  if (kind === "qrels" && !mapping.has("relevance") && !("relevance" in chosen) && score !== undefined) mapping.set("relevance", score);
  return mapping;
}

/** Refuses a table that lacks a column. */
export function refuseMissing(known: Knowledge, kind: Kind, mapping: Mapping, names: string[], file: string): void {
  const absent = known.kinds[kind].columns.filter((c) => c.required && !mapping.has(c.name)).map((c) => c.name);
  const one = (...of: string[]) => !of.some((c) => mapping.has(c)) && absent.push(of.join("' or '"));
  if (kind === "run") one("score", "rank");
  if (kind === "labels") one("label") || one("prediction", "score");
  if (kind === "clusters") ["label", "cluster_id"].forEach((c) => one(c));
  if (kind === "gold") one("item_id") || one("relevance", "label");
  if (kind === "system") one("item_id") || one("score", "cluster_id");
  if (!absent.length) return;
  const s = absent.length > 1 ? "s" : "";
  const what = `${file}: the table of ${known.kinds[kind].words} has no column${s} '${absent.join("', '")}' (it has: ${listed(names)}).`;
  throw new Refused(what, `Choose which column it is below, or another kind of table.`);
}

/** Names of columns, of many the first ones. */
export function listed(names: string[]): string {
  return names.length > SHOWN ? `${names.slice(0, SHOWN).join(", ")} and ${names.length - SHOWN} more` : names.join(", ");
}

/** The kind of table that has such columns. */
export function kindOf(known: Knowledge, names: string[]): Kind {
  const lower = new Set(names.map((n) => n.toLowerCase()));
  const has = (kind: Kind, column: string) => {
    const described = known.kinds[kind].columns.find((c) => c.name === column)!;
    return lookup(described, names) !== undefined;
  };
  const exactly = (...of: string[]) => of.every((n) => lower.has(n));
  if (exactly("parameter", "value")) return "click_model";
  const query = has("run", "query_id"), doc = has("run", "doc_id");
  if (query && exactly("item_id") && has("gold", "relevance") && exactly("label")) return "gold";
  if (query && doc && has("system", "cluster_id")) return "system";
  if (query && exactly("item_id") && exactly("label") && !has("labels", "prediction")) return "gold";
  if (query && doc) {
    if (has("run", "rank") || has("run", "run_id")) return "run";
    if (has("qrels", "relevance")) return "qrels";
    // BEIR calls grades scores.
    if (exactly("query-id", "corpus-id", "score")) return "qrels";
    if (has("run", "score")) return "run";
  }
  if (has("hierarchy", "label") && has("hierarchy", "parent") && !has("labels", "prediction")) return "hierarchy";
  if (has("labels", "label")) {
    if (["cluster_id", "cluster", "community", "labels_pred"].some((n) => lower.has(n))) return "clusters";
    if (exactly("item_id") && !has("labels", "prediction") && (exactly("probability") || exactly("prob"))) return "probabilities";
    if (has("labels", "prediction") || has("labels", "score")) return "labels";
  }
  return "table";
}
