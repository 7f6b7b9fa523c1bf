// What the page holds: tables, the measures asked for, and their values.  Parts of the page listen to it.
import { Catalog } from "./catalog";
import { writeParquet } from "./data/parquet";
import { Database, type Progress } from "./database";

/** What a table is for. */
export type Kind = "qrels" | "run" | "labels" | "clusters" | "probabilities" | "hierarchy" | "gold" | "system" | "click_model" | "table";

export interface LoadedTable {
  /** Its name in SQL. */
  name: string;
  kind: Kind;
  /** The file or query it comes from. */
  source: string;
  columns: string[];
  rows: number;
  /** What was recognised, repaired or assumed. */
  notes: string[];
  /** The statement that creates it in any DuckDB, from the file in the folder where it runs. */
  creating?: string;
}

/** A measure whose values are there. */
export interface Evaluated {
  text: string;
  direction: "higher" | "lower" | "none";
  /** "mean", or "sum" of counts. */
  aggregation: string;
}

/** "tables": a table came or went; "results": measures were evaluated; "comparison": they were compared. */
export type Change = "tables" | "results" | "comparison";

export class Workspace extends EventTarget {
  readonly tables = new Map<string, LoadedTable>();
  /** The measures whose values are in the table `results` (measure, run_id, query_id or unit_id, value). */
  measures: Evaluated[] = [];
  /** The statements that gave `results`, for reading and taking away, and the macros that they call. */
  statements: string[] = [];
  macros: string[] = [];
  /** The tables that were evaluated. */
  sources: LoadedTable[] = [];
  /** The statement that gave the table `comparison`. */
  comparing = "";
  private readonly created = new Set<string>();

  constructor(
    readonly database: Database,
    readonly catalog: Catalog,
    readonly folder: URL,
    readonly progress: Progress,
  ) {
    super();
  }

  changed(what: Change): void {
    this.dispatchEvent(new Event(what));
  }

  on(what: Change, then: () => void): void {
    this.addEventListener(what, then);
  }

  of(kind: Kind): LoadedTable[] {
    return [...this.tables.values()].filter((t) => t.kind === kind);
  }

  /** The rows of a query as a Parquet file. */
  parquet(sql: string): Promise<Uint8Array> {
    return writeParquet(this.folder, this.database, sql);
  }

  /** Creates macros that are not there yet; all of them take seconds, one takes a hundredth. */
  async install(...macros: string[]): Promise<void> {
    for (const name of macros.filter((m) => !this.created.has(m))) {
      await this.database.run(...(await this.catalog.creating(name)));
      this.created.add(name);
    }
  }
}
