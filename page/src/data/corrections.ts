// What a person can say of a file otherwise than it was recognised: its kind, its layout, its columns.
import { element, printable } from "../elements";
import type { Kind } from "../workspace";
import type { Choice, Description } from "./describing";
import type { Knowledge } from "./knowledge";

type Entry = [value: string, text: string];

export function corrections(known: Knowledge, description: Partial<Description>, choice: Choice, open: boolean, then: (choice: Choice) => void): HTMLElement {
  const { format, layouts = [], layout, names = [], mapping = new Map<string, string>() } = description;
  const kind = description.kind ?? "table";
  const next: Choice = { ...choice };
  const fields: HTMLElement[] = [];
  if (format === "lines") {
    const entries: Entry[] = layouts.map((l) => [l.words, l.words]);
    fields.push(select("Its lines are", [["", "not chosen"], ...entries], layout?.words ?? "", (value) => {
      next.layout = value || undefined;
      delete next.kind;
    }));
    const chosen = layout ?? layouts.find((l) => l.words === choice.layout);
    if (chosen?.columns.includes("iteration") && chosen.kind === "qrels") {
      fields.push(select("The second field is", [["", "not read"], ["subtopic_id", "a subtopic"], ["assessor_id", "an assessor"]], choice.second ?? "", (value) => {
        next.second = (value || undefined) as Choice["second"];
      }));
    }
    if (chosen?.columns.includes("run_id")) {
      fields.push(select("The run is named by", [["file", "its file"], ["tag", "the tag of its lines"]], choice.named ?? "file", (value) => {
        next.named = value as Choice["named"];
      }));
    }
  } else {
    const kinds = Object.entries(known.kinds).map(([value, { words }]): Entry => [value, words]);
    const columns = element("div", { class: "choices" });
    const showColumns = (of: Kind, now: Map<string, string>) =>
      columns.replaceChildren(...known.kinds[of].columns.map((column) =>
        select(column.name, [["", column.required ? "missing" : "none"], ...names.map((n): Entry => [n, n])], now.get(column.name) ?? "", (value) => {
          next.columns = { ...next.columns, [column.name]: value };
        }),
      ));
    showColumns(kind, mapping);
    fields.push(select("It is a table of", kinds, kind, (value) => {
      next.kind = value as Kind;
      delete next.columns;
      showColumns(next.kind, new Map());
      then(next);
    }), columns);
  }
  const form = element("form", { onsubmit: (event) => {
    event.preventDefault();
    then(next);
  } }, element("div", { class: "choices" }, ...fields), element("button", { type: "submit" }, "Read it again"));
  return element("details", { open }, element("summary", {}, "Change how it is read"), form);
}

function select(label: string, entries: Entry[], value: string, then: (value: string) => void): HTMLElement {
  const options = entries.map(([v, text]) => element("option", { value: v, selected: v === value }, printable(text)));
  const control = element("select", { onchange: () => then(control.value) }, ...options);
  return element("label", {}, `${label} `, control);
}
