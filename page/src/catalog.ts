// The measures that have macros, and measures as people write them: "nDCG@10 AP(rel=2) F1(average='macro')".
import { Refused } from "./errors";
import { string } from "./quoting";

export interface Option {
  name: string;
  type: string;
  default: string;
  allowed: string;
}

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
  fixed: Record<string, string | number | boolean>;
  macro: string;
  tables: string[];
  options: Option[];
}

/** A measure that was asked for: its macro, and values of the macro's options. */
export interface Measure {
  text: string;
  entry: Entry;
  values: Record<string, string | number | boolean>;
}

export class Catalog {
  constructor(
    readonly version: string,
    readonly entries: Entry[],
    readonly statements: Record<string, string[]>,
  ) {}

  static async load(folder: URL): Promise<Catalog> {
    const read = async (name: string) => (await fetch(new URL(`data/${name}.json`, folder))).json();
    const [catalog, statements] = await Promise.all([read("catalog"), read("macros")]);
    return new Catalog(catalog.version, catalog.measures, statements);
  }

  /** The measures of a text, separated by blanks or commas. */
  parse(text: string, family: string): Measure[] {
    return [...text.matchAll(/[^\s,(]+(?:\([^)]*\))?(?:@\d+)?/g)].map(([word]) => this.measure(word, family));
  }

  private measure(text: string, family: string): Measure {
    const parts = /^([\w-]+?)(?:\((.*)\))?(?:@(\d+))?$/.exec(text);
    if (!parts) throw new Refused(`${text} is not a measure.`, "Write nDCG@10 or AP(rel=2).");
    const [, name = "", list = "", cutoff] = parts;
    const asked: Record<string, string | number | boolean> = {};
    for (const [, key = "", value = ""] of list.matchAll(/(\w+)\s*=\s*('[^']*'|"[^"]*"|[^,\s]+)/g)) asked[key] = literal(value);
    if (cutoff !== undefined) asked["k"] = Number(cutoff);
    const named = this.entries.filter(
      (e) => e.family === family && [e.name, ...e.aliases].some((n) => n.toLowerCase() === name.toLowerCase()),
    );
    if (!named.length) throw new Refused(`There is no measure ${name} among those of ${family} that have a macro.`, this.nearest(name, family));
    const fits = (e: Entry) => {
      const fixed = Object.entries(e.fixed).map(([k, v]) => [k === "cutoff" ? "k" : k, v] as const);
      const others = Object.keys(asked).filter((k) => !fixed.some(([f]) => f === k));
      return fixed.every(([k, v]) => asked[k] === v) && others.every((k) => e.options.some((o) => o.name === k));
    };
    const entry = named.filter(fits).sort((a, b) => Object.keys(b.fixed).length - Object.keys(a.fixed).length)[0];
    if (!entry) {
      const allowed = [...new Set(named.flatMap((e) => e.options.map((o) => o.name)))];
      throw new Refused(`${text} has no macro here.`, `Parameters are ${allowed.join(", ")}; the others need Python: ir.evaluate(qrels, run, "${text}")`);
    }
    const values = Object.fromEntries(Object.entries(asked).filter(([k]) => entry.options.some((o) => o.name === k)));
    for (const option of entry.options) {
      if (!option.default && values[option.name] === undefined) {
        const example = option.name === "k" ? `${entry.name}@10` : `${entry.name}(${option.name}=…)`;
        throw new Refused(`${text} needs ${option.name}: ${option.allowed}.`, `Write ${example}.`);
      }
    }
    return { text, entry, values };
  }

  private nearest(name: string, family: string): string {
    const start = name.slice(0, 2).toLowerCase();
    const near = this.entries.filter((e) => e.family === family && e.name.toLowerCase().startsWith(start)).map((e) => e.name);
    return near.length ? `There are ${[...new Set(near)].slice(0, 8).join(", ")}.` : "The list shows all.";
  }
}

function literal(value: string): string | number | boolean {
  if (/^['"]/.test(value)) return value.slice(1, -1);
  if (value === "True" || value === "true") return true;
  if (value === "False" || value === "false") return false;
  return Number.isNaN(Number(value)) ? value : Number(value);
}

/** The call of a measure's macro over tables. */
export function call(measure: Measure, tables: string[]): string {
  const values = Object.entries(measure.values).map(([k, v]) => `${k} := ${typeof v === "string" ? string(v) : v}`);
  return `${measure.entry.macro}(${[...tables.map(string), ...values].join(", ")})`;
}
