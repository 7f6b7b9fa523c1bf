// The list of measures: searched by words, each with its sentence, formula, source and parameters.
import type { Entry, Value } from "../catalog";
import { element } from "../elements";
import { proposed, write } from "./parsing";

const BEST = { higher: "more is better", lower: "less is better", none: "no direction" };

/** The list; `add` gets the text of a measure that is chosen. */
export function measureList(entries: Entry[], add: (text: string) => void): HTMLElement {
  const named = new Map<string, Entry[]>();
  for (const entry of entries) named.set(entry.name, [...(named.get(entry.name) ?? []), entry]);
  const items = [...named].map(([name, some]) => {
    const first = some[0]!;
    const words = [name, ...first.aliases, first.sentence, first.source].join(" ").toLowerCase();
    const item = element("details", { class: "measure", ontoggle: open }, element("summary", {}, element("b", {}, name), ` ${first.sentence}`));
    function open(): void {
      if (item.open && item.childElementCount === 1) item.append(description(some, add));
    }
    return { words, item: element("li", {}, item) };
  });
  const count = element("p", { class: "count", role: "status" });
  const search = element("input", { id: "search", type: "search", oninput: filter });
  function filter(): void {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const { words: text, item } of items) {
      item.hidden = !words.every((w) => text.includes(w));
      n += Number(!item.hidden);
    }
    count.textContent = `${n} of ${items.length} measures`;
  }
  filter();
  return element(
    "div",
    {},
    element("p", { class: "field" }, element("label", { for: "search" }, "Search measures"), search),
    count,
    element("ul", { class: "measures" }, ...items.map((i) => i.item)),
  );
}

/** What a measure is, and its parameters; what is chosen is added as text. */
function description(entries: Entry[], add: (text: string) => void): HTMLElement {
  const first = entries[0]!;
  const ends = (first.range ?? [null, null]).map((e, i) => e ?? (i ? "∞" : "−∞"));
  const facts: [string, string][] = [
    ["Formula", first.formula],
    ["Range", `${ends[0]} to ${ends[1]}, ${BEST[first.direction]}`],
    ["Mean of units", first.aggregation === "sum" ? "no: units are added" : "yes"],
    ["Also called", first.aliases.join(", ")],
    ["Source", first.source],
  ];
  const values: Record<string, Value> = {};
  const button = element("button", { type: "button", onclick: () => add(write(first, values)) });
  const say = () => void (button.textContent = `Add ${write(first, values)}`);
  const fields = parameters(entries).map(({ name, allowed, words, initial }) => {
    const id = `parameter-${first.family}-${first.name}-${name}`;
    const usual = first.parameters[name];
    const input = words
      ? element("select", { id, onchange: set }, ...[usual ?? "", ...words].map((w) => element("option", {}, String(w))))
      : element("input", { id, type: "text", inputmode: "decimal", size: 8, placeholder: initial ? "" : shown(usual), oninput: set });
    if (initial) {
      input.value = initial;
      values[name] = Number(initial);
    }
    function set(): void {
      const word = words?.find((w) => String(w) === input.value);
      const value = words ? word : input.value.trim() === "" || Number.isNaN(Number(input.value)) ? undefined : Number(input.value);
      input.setAttribute("aria-invalid", String(!words && value === undefined && input.value.trim() !== ""));
      if (value === undefined || value === usual) delete values[name];
      else values[name] = value;
      say();
    }
    return element("p", { class: "field" }, element("label", { for: id }, name), input, element("span", { class: "allowed" }, allowed));
  });
  say();
  return element(
    "div",
    { class: "description" },
    element("dl", {}, ...facts.filter(([, text]) => text).flatMap(([term, text]) => [element("dt", {}, term), element("dd", {}, text)])),
    ...fields,
    element("p", {}, button),
  );
}

interface Parameter {
  name: string;
  allowed: string;
  words?: Value[];
  initial?: string;
}

/** The parameters that macros of a measure take: numbers, and the words of those whose statements differ. */
function parameters(entries: Entry[]): Parameter[] {
  const out = new Map<string, Parameter>();
  for (const option of entries.flatMap((e) => e.options)) {
    if (out.has(option.parameter) || ["duplicates", "positive"].includes(option.name)) continue;
    out.set(option.parameter, { name: option.parameter, allowed: option.allowed, ...(option.default ? {} : { initial: proposed(option) }) });
  }
  for (const [name, value] of entries.flatMap((e) => Object.entries(e.fixed))) {
    const there = out.get(name) ?? { name, allowed: "", words: [] };
    if (there.words && !there.words.includes(value)) there.words.push(value);
    out.set(name, there);
  }
  return [...out.values()];
}

function shown(value: Value | null | undefined): string {
  return value === null || value === undefined || value === "None" ? "none" : String(value);
}
