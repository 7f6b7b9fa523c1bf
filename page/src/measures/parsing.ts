// Measures as people write them: "nDCG@10 AP(rel=2) F1(average='macro')".
import type { Catalog, Entry, Measure, Option, Value } from "../catalog";
import { Refused } from "../errors";
import { nearest } from "./nearest";

/** The measures of a text, separated by blanks or commas. */
export function parse(catalog: Catalog, text: string, family: string, suffix = ""): Measure[] {
  const words = split(text);
  if (!words.length) throw new Refused("No measure is named.", "Write nDCG@10 AP, or choose from the list.");
  const measures = words.map((word) => measure(catalog, word, family, suffix));
  return measures.filter((m, i) => measures.findIndex((other) => other.text === m.text) === i);
}

/** Cut at blanks, commas and semicolons outside of brackets; blanks around ( and @ bind. */
export function split(text: string): string[] {
  const words: string[] = [""];
  let depth = 0;
  let quote = "";
  for (const c of text.trim().replace(/\s+([(@])/g, "$1").replace(/@\s+/g, "@")) {
    if (quote) quote = c === quote ? "" : quote;
    else if (depth && /['"]/.test(c)) quote = c;
    else depth += Number(c === "(") - Number(c === ")");
    if (!depth && !quote && /[\s,;]/.test(c)) words.push("");
    else words[words.length - 1] += c;
  }
  return words.filter(Boolean);
}

function measure(catalog: Catalog, text: string, family: string, suffix: string): Measure {
  const parts = /^([\w-]+)(?:\((.*)\))?(?:@([^@()]+))?$/s.exec(text);
  if (!parts) throw new Refused(`${text} cannot be read.`, "Write it like AP(rel=2)@5.");
  const [, name = "", list = "", at] = parts;
  const same = (n: string) => n.toLowerCase() === name.toLowerCase();
  const named = catalog.entries.filter((e) => e.family === family && e.suffix === suffix && (same(e.name) || e.aliases.some(same)));
  const first = named[0];
  if (!first) throw unknown(catalog, name, family);
  const asked = argumentsOf(text, list);
  if (at !== undefined) asked[first.at] = literal(text, at);
  for (const parameter of Object.keys(asked)) {
    if (!(parameter in first.parameters)) {
      throw new Refused(`${first.name} has no parameter ${parameter}.`, `It has ${Object.keys(first.parameters).join(", ")}.`);
    }
    if (asked[parameter] === first.parameters[parameter]) delete asked[parameter];
  }
  const written = write(first, asked);
  const fits = (e: Entry) =>
    Object.entries(e.fixed).every(([k, v]) => asked[k] === v) &&
    Object.keys(asked).every((k) => k in e.fixed || e.options.some((o) => o.parameter === k));
  const entry = named.filter(fits)[0];
  if (!entry) throw new Refused(`There is no macro of ${written}.`, possible(named, family, written));
  const values: Record<string, Value> = {};
  for (const option of entry.options) {
    const value = asked[option.parameter];
    if (value !== undefined) values[option.name] = checked(written, option, value);
    else if (!option.default && option.name !== "positive") {
      const example = option.parameter === entry.at ? `${entry.name}@${proposed(option)}` : `${entry.name}(${option.parameter}=${proposed(option)})`;
      throw new Refused(`${entry.name} needs ${option.parameter}: ${option.allowed}.`, `Write ${example}.`);
    }
  }
  return { text: written, entry, values };
}

/** The measure with values, as Python writes it: parameters in their order, the one after @ at the end. */
export function write(entry: Entry, values: Record<string, Value>): string {
  const inner = Object.keys(entry.parameters).filter((k) => k in values && k !== entry.at).map((k) => `${k}=${python(values[k]!)}`);
  const text = entry.name + (inner.length ? `(${inner.join(", ")})` : "");
  return entry.at in values ? `${text}@${python(values[entry.at]!)}` : text;
}

function python(value: Value): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "string" ? `'${value}'` : String(value);
}

/** A value that an option allows. */
export function proposed(option: Option): string {
  if (option.parameter === "cutoff") return "10";
  if (option.parameter === "max_rel") return "3";
  return option.default ? String(Number(option.default)) : option.type === "BIGINT" ? "10" : "0.5";
}

function argumentsOf(text: string, list: string): Record<string, Value> {
  const values: Record<string, Value> = {};
  let rest = list.trim();
  while (rest) {
    const match = /^(\w+)\s*=\s*('[^']*'|"[^"]*"|[^,'"\s]+)\s*(?:,\s*|$)/.exec(rest);
    if (!match) throw new Refused(`${text} cannot be read: in brackets there must be name=value pairs.`, "Write it like P(rel=2)@5.");
    values[match[1]!] = literal(text, match[2]!);
    rest = rest.slice(match[0].length);
  }
  return values;
}

function literal(text: string, written: string): Value {
  if (/^(['"]).*\1$/s.test(written)) return written.slice(1, -1);
  if (/^(true|false)$/i.test(written)) return written.toLowerCase() === "true";
  if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(written)) return finite(text, Number(written));
  if (/^[([]/.test(written)) throw new Refused(`${text} has a list of values, which macros do not take.`, "It needs Python.");
  throw new Refused(`${text} cannot be read: ${written} is no number, and text has quotes.`, `Write '${written}'.`);
}

function finite(text: string, value: number): number {
  if (Number.isFinite(value)) return value;
  throw new Refused(`${text} has a number that is too large.`, "Write a smaller one.");
}

function checked(text: string, option: Option, value: Value): Value {
  const number = option.type === "BIGINT" || option.type === "DOUBLE";
  const wrong = number ? typeof value !== "number" || (option.type === "BIGINT" && !Number.isSafeInteger(value)) : typeof value !== "string";
  if (wrong) throw new Refused(`${text}: ${option.parameter} must be ${option.allowed}.`, `Write ${option.parameter}=${proposed(option)}.`);
  return value;
}

function possible(named: Entry[], family: string, text: string): string {
  const options = named.flatMap((e) => e.options.filter((o) => !["duplicates", "positive"].includes(o.name)).map((o) => o.parameter));
  const words = named.flatMap((e) => Object.entries(e.fixed).map(([k, v]) => `${k}=${python(v)}`));
  const list = [...new Set([...options, ...words])];
  const here = list.length ? `Here it takes ${list.join(", ")}; what else` : "What";
  return `${here} it takes needs Python: ireval macros -m "${text}"${family === "ranking" ? "" : ` --family ${family}`}`;
}

function unknown(catalog: Catalog, name: string, family: string): Refused {
  const all = (e: Entry) => [e.name, ...e.aliases];
  const near = nearest(name, catalog.entries.filter((e) => e.family === family).flatMap(all));
  const elsewhere = catalog.entries.find((e) => e.family !== family && all(e).some((n) => n.toLowerCase() === name.toLowerCase()));
  if (elsewhere) return new Refused(`There is no measure ${name} of ${family}.`, `It is one of ${elsewhere.family}: choose that family.`);
  return new Refused(`There is no measure ${name} of ${family} that has a macro.`, near ? `Did you mean ${near}?` : "The list has all.");
}
