// The tables of the page: files that are chosen or dropped, and the examples.
import { element, printable } from "../elements";
import type { LoadedTable, Workspace } from "../workspace";
import { examples } from "./examples";
import { Item } from "./item";
import { load } from "./knowledge";
import { stem } from "./planning";

export function dataPart(workspace: Workspace): HTMLElement {
  const items: Item[] = [];
  const list = element("ul", { class: "files", "aria-label": "Files", "aria-busy": "false" });
  const known = load(workspace.folder);
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  /** Reads one file after the other. */
  const queue = (work: () => Promise<void>): Promise<void> => {
    list.setAttribute("aria-busy", String(++waiting > 0));
    last = last.then(work).finally(() => list.setAttribute("aria-busy", String(--waiting > 0)));
    return last;
  };
  const others = (item: Item): LoadedTable[] => items.filter((i) => i !== item && i.named).map((i) => i.table!);
  const remove = (item: Item) => {
    items.splice(items.indexOf(item), 1);
    item.element.remove();
    input.focus();
  };
  const open = async (files: File[]): Promise<void> => {
    const knowledge = await known;
    const work = files.map((file) => {
      const same = items.find((i) => isSame(i.file, file));
      if (same?.failed) return same.read();
      if (same) return workspace.progress(`${printable(file.name)} is here already.`);
      const item = new Item(workspace, knowledge, file, freeName(file, items, workspace), { queue, others, remove });
      items.push(item);
      list.append(item.element);
      return item.read();
    });
    await Promise.all(work);
  };
  const input = element("input", {
    type: "file",
    multiple: true,
    onchange: () => {
      void open([...(input.files ?? [])]);
      // The same file can be chosen again.
      input.value = "";
    },
  });
  const zone = element(
    "label",
    { class: "drop" },
    "Drop files anywhere on the page, or choose them. ",
    input,
    element("br"),
    element("span", { class: "note" }, "Judgments and runs, labels, clusters, and other tables: TREC's lines, CSV and TSV, JSON lines, Parquet, Arrow; text also as gzip. They stay in this tab."),
  );
  takeDrops(zone, (files) => void open(files));
  const example = async (names: string[]) => {
    const read = async (name: string) => new File([await (await fetch(new URL(`data/examples/${name}`, workspace.folder))).blob()], name, { lastModified: 0 });
    await open(await Promise.all(names.map(read)));
  };
  const buttons = Object.entries(examples).map(([name, files]) => element("button", { type: "button", onclick: () => void example(files) }, `Example: ${name}`));
  return element("div", {}, zone, element("div", { class: "buttons" }, ...buttons), list);
}

/** Whether a file was chosen again, and has not changed since. */
function isSame(one: File, other: File): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
}

/** Files may be dropped anywhere on the page. */
function takeDrops(zone: HTMLElement, open: (files: File[]) => void): void {
  const over = (event: DragEvent, is: boolean) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    zone.classList.toggle("over", is);
  };
  document.addEventListener("dragover", (event) => over(event, true));
  document.addEventListener("dragleave", (event) => over(event, false));
  document.addEventListener("drop", (event) => {
    over(event, false);
    open([...(event.dataTransfer?.files ?? [])]);
  });
}

// Tables of the page, and words that SQL does not take for a name.
const RESERVED = new Set(
  ("results summary all and any as asc between by case cast check collate column create cross default desc describe distinct do else end except " +
    "exists false fetch files for foreign from full grant group having in inner intersect into is join lateral left like limit natural not null " +
    "offset on only or order outer pivot primary qualify references returning right rollup rows select show some summarize symmetric table then to " +
    "trailing true union unique unpivot using values view when where window with").split(" "),
);

/** A name that SQL reads without quotes, and that no other table has. */
function freeName(file: File, items: Item[], workspace: Workspace): string {
  let name = stem(file.name).replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d|$)/, "t_").toLowerCase();
  if (RESERVED.has(name) || name.startsWith("all_")) name += "_file";
  const taken = (n: string) => items.some((i) => i.name === n) || workspace.tables.has(n);
  let free = name;
  for (let i = 2; taken(free); i++) free = `${name}_${i}`;
  return free;
}
