// A file that was chosen: it is read, shown, corrected, stopped and removed.
import { element, printable } from "../elements";
import { Refused } from "../errors";
import { identifier } from "../quoting";
import type { LoadedTable, Workspace } from "../workspace";
import { listed } from "./columns";
import { corrections } from "./corrections";
import { type Choice, describe, type Description, Undecided } from "./describing";
import type { Knowledge } from "./knowledge";
import { plan, stem } from "./planning";
import { columnsOf, read } from "./reading";

/** What an item needs of the list that it is in. */
interface List {
  queue: (work: () => Promise<void>) => Promise<void>;
  /** The other tables whose runs are named after their files. */
  others: (item: Item) => LoadedTable[];
  remove: (item: Item) => void;
}

const count = new Intl.NumberFormat("en");

export class Item {
  readonly element = element("li");
  table?: LoadedTable | undefined;
  /** Whether its run is named after the file. */
  named = false;
  /** Whether it could not be read. */
  failed = false;
  private choice: Choice = {};
  private description: Partial<Description> | undefined;
  private stopping = new AbortController();

  constructor(
    private readonly workspace: Workspace,
    private readonly known: Knowledge,
    readonly file: File,
    readonly name: string,
    private readonly list: List,
  ) {}

  /** Reads the file once those before it were read. */
  read(): Promise<void> {
    this.stopping = new AbortController();
    const bar = this.showReading();
    this.failed = false;
    return this.list.queue(async () => {
      try {
        await this.readNow((share) => (bar.value = share));
        this.showTable();
      } catch (error) {
        if (error instanceof Undecided) this.description = error.description;
        this.drop();
        this.failed = true;
        this.showError(Refused.of(error), error instanceof Undecided);
      }
      this.workspace.changed("tables");
    });
  }

  private async readNow(seen: (share: number) => void): Promise<void> {
    const { workspace, known, file, choice, stopping } = this;
    if (stopping.signal.aborted) throw new Refused("Stopped.");
    const description = await describe(known, file, choice, (format) => columnsOf(workspace, file, format));
    this.description = description;
    const planned = plan(known, file.name, description, choice);
    this.named = planned.named;
    const same = planned.named && this.list.others(this).find((t) => stem(t.source) === stem(file.name));
    if (same) {
      throw new Undecided(
        new Refused(`${same.source} and ${file.name} would both be called run '${stem(file.name)}'.`, "Remove one, rename its file, or name the run by the tag of its lines."),
        description,
      );
    }
    const table = await read(workspace, known, file, description, planned, this.name, seen, stopping.signal);
    // It may have been stopped or removed with its last rows.
    if (stopping.signal.aborted) throw new Refused("Stopped.");
    this.table = table;
    workspace.tables.set(this.name, table);
  }

  private drop(): void {
    this.table = undefined;
    this.named = false;
    this.workspace.tables.delete(this.name);
  }

  private async remove(): Promise<void> {
    this.stopping.abort();
    this.drop();
    this.list.remove(this);
    await this.list.queue(() =>
      this.workspace.database.run(`DROP VIEW IF EXISTS ${identifier(this.name)}`, `DROP TABLE IF EXISTS files.${identifier(this.name)}`),
    );
    this.workspace.changed("tables");
  }

  private showReading(): HTMLProgressElement {
    const shown = printable(this.file.name);
    const bar = element("progress", { max: 1, value: 0, "aria-label": `Reading ${shown}` });
    const stop = element("button", { type: "button", "aria-label": `Stop reading ${shown}`, onclick: () => this.stopping.abort() }, "Stop");
    this.replace(element("div", { class: "buttons" }, `${shown} `, bar, stop));
    return bar;
  }

  private showTable(): void {
    const { name, kind, rows, columns, source, notes } = this.table!;
    const head = `${name}: ${this.known.kinds[kind].words}, ${count.format(rows)} row${rows === 1 ? "" : "s"}`;
    const line = element("div", { class: "buttons" }, element("strong", {}, head), ` from ${printable(source)} `, this.removal());
    this.replace(line, element("p", { class: "note" }, `Columns: ${printable(listed(columns))}. ${printable(notes.join(" "))}`), this.correction(false));
  }

  private showError(error: Refused, open: boolean): void {
    const message = error.message.split("\n").map(printable).join("\n");
    const said = message === "Stopped." ? `${printable(this.file.name)}: reading was stopped.` : message;
    const alert = element("p", { role: "alert", class: "error" }, said, error.hint && element("span", { class: "hint" }, `\n${printable(error.hint)}`));
    const again = element("button", { type: "button", onclick: () => void this.read() }, "Read it again");
    this.replace(alert, this.correction(open), element("div", { class: "buttons" }, message === "Stopped." && again, this.removal()));
  }

  private removal(): HTMLElement {
    return element("button", { type: "button", "aria-label": `Remove ${printable(this.file.name)}`, onclick: () => void this.remove() }, "Remove");
  }

  private correction(open: boolean): HTMLElement | undefined {
    if (!this.description) return undefined;
    return corrections(this.known, this.description, this.choice, open, (choice) => {
      this.choice = choice;
      void this.read();
    });
  }

  /** Shows something else; a keyboard stays at this file. */
  private replace(...children: (HTMLElement | undefined)[]): void {
    const inside = this.element.contains(document.activeElement);
    this.element.replaceChildren(...children.filter((c) => c !== undefined));
    if (inside) this.element.querySelector<HTMLElement>("summary, button")?.focus();
  }
}
