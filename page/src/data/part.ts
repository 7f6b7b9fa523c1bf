// The tables of the page: files that are chosen or dropped, and the examples.
import { element, printable } from "../elements";
import { Refused } from "../errors";
import { identifier } from "../quoting";
import type { Workspace } from "../workspace";
import { corrections } from "./corrections";
import { type Choice, describe, type Description, Undecided } from "./describing";
import { examples } from "./examples";
import { type Knowledge, load } from "./knowledge";
import { columnsOf, read, stem } from "./reading";

/** A file that was chosen, and what became of it. */
interface Item {
  name: string;
  file: File;
  choice: Choice;
  description?: Partial<Description>;
  error?: Refused;
  share?: number;
  stopping: AbortController;
}

export function dataPart(workspace: Workspace): HTMLElement {
  return new Files(workspace).element;
}

class Files {
  readonly element: HTMLElement;
  private readonly items: Item[] = [];
  private readonly list = element("ul", { class: "files", "aria-label": "Files" });
  private readonly known: Promise<Knowledge>;
  private last: Promise<void> = Promise.resolve();
  /** The files that are still to be read. */
  private waiting = 0;

  constructor(private readonly workspace: Workspace) {
    this.known = load(workspace.folder);
    const input = element("input", { type: "file", multiple: true, onchange: () => {
      void this.open([...(input.files ?? [])]);
      input.value = "";
    } });
    const zone = element("label", { class: "drop" }, "Drop files here, or choose them: judgments and runs, labels, clusters, other tables (TREC, CSV, JSON lines, Parquet, Arrow; text also as gzip). They stay in this tab. ", input);
    const buttons = Object.entries(examples).map(([name, files]) =>
      element("button", { type: "button", onclick: () => void this.example(files) }, `Example: ${name}`),
    );
    this.element = element("div", {}, zone, element("p", { class: "examples" }, ...buttons), this.list);
    this.takeDrops(zone);
  }

  /** Files may be dropped anywhere on the page. */
  private takeDrops(zone: HTMLElement): void {
    const over = (event: DragEvent, is: boolean) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      zone.classList.toggle("over", is);
    };
    document.addEventListener("dragover", (event) => over(event, true));
    document.addEventListener("dragleave", (event) => over(event, false));
    document.addEventListener("drop", (event) => {
      over(event, false);
      void this.open([...(event.dataTransfer?.files ?? [])]);
    });
  }

  private async example(files: string[]): Promise<void> {
    const fetched = await Promise.all(files.map(async (name) => {
      const response = await fetch(new URL(`data/examples/${name}`, this.workspace.folder));
      return new File([await response.blob()], name);
    }));
    await this.open(fetched);
  }

  /** Reads files, one after the other. */
  async open(files: File[]): Promise<void> {
    const items = files.map((file) => {
      const item: Item = { name: this.freeName(file), file, choice: {}, stopping: new AbortController() };
      this.items.push(item);
      return item;
    });
    await Promise.all(items.map((item) => this.readLater(item)));
  }

  private readLater(item: Item): Promise<void> {
    this.waiting++;
    this.show();
    this.last = this.last.then(() => this.read(item)).finally(() => {
      this.waiting--;
      this.show();
    });
    return this.last;
  }

  private async read(item: Item): Promise<void> {
    const { workspace } = this;
    if (item.stopping.signal.aborted) return;
    item.share = 0;
    delete item.error;
    this.show();
    try {
      const known = await this.known;
      item.description = await describe(known, item.file, item.choice, (file, format) => columnsOf(workspace, file, format));
      const seen = (share: number) => {
        item.share = share;
        const bar = document.getElementById(`reading-${item.name}`);
        if (bar instanceof HTMLProgressElement) bar.value = share;
      };
      const table = await read(workspace, known, item.file, item.description as Description, item.choice, item.name, seen, item.stopping.signal);
      workspace.tables.set(item.name, table);
    } catch (error) {
      workspace.tables.delete(item.name);
      item.error = Refused.of(error);
      if (error instanceof Undecided) item.description = error.description;
    }
    delete item.share;
    item.stopping = new AbortController();
    this.show();
    workspace.changed("tables");
  }

  private async remove(item: Item): Promise<void> {
    item.stopping.abort();
    this.items.splice(this.items.indexOf(item), 1);
    this.workspace.tables.delete(item.name);
    this.show();
    await this.workspace.database.run(`DROP VIEW IF EXISTS ${identifier(item.name)}`, `DROP TABLE IF EXISTS files.${identifier(item.name)}`).catch(() => undefined);
    this.workspace.changed("tables");
  }

  /** A name that SQL reads without quotes, and that no other table has. */
  private freeName(file: File): string {
    let name = stem(file.name).replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d|$)/, "t_").toLowerCase();
    if (RESERVED.has(name) || name.startsWith("all_")) name += "_file";
    const taken = (n: string) => this.items.some((i) => i.name === n) || this.workspace.tables.has(n);
    let free = name;
    for (let i = 2; taken(free); i++) free = `${name}_${i}`;
    return free;
  }

  private show(): void {
    this.list.setAttribute("aria-busy", String(this.waiting > 0));
    void this.known.then((known) => this.list.replaceChildren(...this.items.map((item) => this.shown(item, known))));
  }

  private shown(item: Item, known: Knowledge): HTMLElement {
    const table = this.workspace.tables.get(item.name);
    const remove = element("button", { type: "button", "aria-label": `Remove ${printable(item.file.name)}`, onclick: () => void this.remove(item) }, "Remove");
    if (item.share !== undefined) {
      const stop = element("button", { type: "button", "aria-label": `Stop reading ${printable(item.file.name)}`, onclick: () => item.stopping.abort() }, "Stop");
      const bar = element("progress", { id: `reading-${item.name}`, max: 1, value: item.share, "aria-label": `Reading ${printable(item.file.name)}` });
      return element("li", {}, `${printable(item.file.name)} `, bar, " ", stop);
    }
    const change = item.description && corrections(known, item.description, item.choice, (choice) => {
      item.choice = choice;
      void this.readLater(item);
    });
    if (item.error) {
      const hint = item.error.hint && element("span", { class: "hint" }, printable(item.error.hint));
      return element("li", { class: "wrong" }, element("p", { role: "alert" }, element("span", { class: "message" }, item.error.message.split("\n").map(printable).join("\n")), " ", hint || null), change ?? null, remove);
    }
    if (!table) return element("li", {}, `${printable(item.file.name)}: waits`);
    const rows = new Intl.NumberFormat("en").format(table.rows);
    const head = `${table.name}: ${known.kinds[table.kind].words}, ${rows} row${table.rows === 1 ? "" : "s"}`;
    return element("li", {}, element("strong", {}, head), ` (${printable(table.columns.join(", "))}) from ${printable(table.source)} `, element("span", { class: "notes" }, printable(table.notes.join(" "))), change ?? null, remove);
  }
}

const RESERVED = new Set("results all and any as asc between by case cast check collate column create cross cube default desc describe distinct do else end except exists false fetch files for foreign from full grant group having in inner intersect into is join lateral left like limit natural not null offset on only or order outer pivot primary qualify references returning right rollup rows select show some summarize symmetric table tables then to trailing true union unique unpivot using values view when where window with".split(" "));
