// The lines of a file that do not parse, in one error.
import { Refused } from "../errors";

const SHOWN = 10;
const WIDTH = 100;

export class BadLines {
  count = 0;
  private readonly shown: string[] = [];
  private readonly hints = new Set<string>();

  constructor(readonly name: string) {}

  /** Adds a bad line: its number from 1, its bytes, what is wrong with it, and what to do. */
  add(number: number, line: Uint8Array, wrong: string, hint = ""): void {
    this.count++;
    if (this.count > SHOWN) return;
    this.shown.push(`line ${number}: ${wrong}: '${legible(line)}'`);
    if (hint) this.hints.add(hint);
  }

  error(): Refused {
    const hint = [...this.hints].join(" ");
    if (this.count === 1) return new Refused(`${this.name}, ${this.shown[0]}`, hint);
    const more = this.count > SHOWN ? [`... and ${this.count - SHOWN} more`] : [];
    return new Refused([`${this.name}: ${this.count} lines do not parse:`, ...this.shown, ...more].join("\n"), hint);
  }
}

/** A line as text that can be printed: other bytes and signs escaped, and cut. */
export function legible(line: Uint8Array): string {
  const start = line.subarray(0, 4 * WIDTH);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(start);
  } catch {
    text = Array.from(start, (b) => (b < 0x80 ? String.fromCharCode(b) : `\\x${b.toString(16)}`)).join("");
  }
  text = text.replace(/[\r\n]+$/, "").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => c === "\t" ? "\\t" : `\\x${c.codePointAt(0)!.toString(16).padStart(2, "0")}`);
  return text.length > WIDTH ? `${text.slice(0, WIDTH - 3)}...` : text;
}
