// What the package knows of tables, which the build wrote as JSON: kinds, columns and their other names, layouts.
import type { Kind } from "../workspace";

export interface KnownColumn {
  name: string;
  kind: "id" | "number" | "integer" | "class" | "time" | "text";
  aliases: string[];
  required: boolean;
}

export interface LineLayout {
  format: string;
  kind: "qrels" | "run";
  columns: string[];
  words: string;
  /** Whether tabs alone stand between the fields. */
  text: boolean;
  /** What orders a run without scores. */
  score_from: "" | "rank" | "order";
}

export interface FileKinds {
  others: { mark: number[]; words: string; hint: string }[];
}

export interface Knowledge extends FileKinds {
  kinds: Record<Kind, { words: string; columns: KnownColumn[] }>;
  layouts: LineLayout[];
}

export async function load(folder: URL): Promise<Knowledge> {
  return (await fetch(new URL("data/tables.json", folder))).json();
}
