// The measures that have macros, and the statements that create these.

export interface Option {
  /** Its name in the macro. */
  name: string;
  /** Its name in the measure: the cutoff is k in macros. */
  parameter: string;
  type: string;
  /** SQL; empty where a value is required. */
  default: string;
  allowed: string;
}

export type Value = string | number | boolean;

export interface Entry {
  family: string;
  name: string;
  sentence: string;
  formula: string;
  source: string;
  direction: "higher" | "lower" | "none";
  range: [number | null, number | null] | null;
  aliases: string[];
  aggregation: string;
  /** Values of parameters that its macro has in its statement. */
  fixed: Record<string, Value>;
  /** The parameter after @. */
  at: string;
  /** All parameters with their defaults; null where one is required. */
  parameters: Record<string, Value | null>;
  macro: string;
  tables: string[];
  /** The end of its name, in families with several kinds of tables. */
  suffix: string;
  options: Option[];
}

/** A measure that was asked for: its macro, and values of the macro's options. */
export interface Measure {
  /** As it is written in Python, without what is a default. */
  text: string;
  entry: Entry;
  values: Record<string, Value>;
}

export class Catalog {
  constructor(
    readonly version: string,
    readonly entries: Entry[],
    private readonly statements: Promise<Record<string, string[]>>,
  ) {}

  /** The catalog; the statements, which are large, come while the page can already be used. */
  static async load(folder: URL): Promise<Catalog> {
    const read = async (name: string) => (await fetch(new URL(`data/${name}.json`, folder))).json();
    const statements = read("macros");
    statements.catch(() => undefined);
    const { version, measures } = await read("catalog");
    return new Catalog(version, measures, statements);
  }

  /** The statements that create a macro. */
  async creating(macro: string): Promise<string[]> {
    const statements = (await this.statements)[macro];
    if (!statements) throw new Error(`There is no macro ${macro}.`);
    return statements;
  }

  /** Whether there is a macro of that name. */
  has(macro: string): boolean {
    return macro === "ireval_evaluate" || macro === "ireval_compare" || this.entries.some((e) => e.macro === macro);
  }

  /** The families, in their order. */
  get families(): string[] {
    return [...new Set(this.entries.map((e) => e.family))];
  }
}
