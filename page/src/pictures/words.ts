// The words around pictures.
import type { Evaluated } from "../workspace";

const whole = new Intl.NumberFormat("en");

/** "1 query", "3 queries". */
export function counted(n: number, word: string): string {
  if (n === 1) return `1 ${word}`;
  return `${whole.format(n)} ${word.endsWith("y") ? `${word.slice(0, -1)}ies` : `${word}s`}`;
}

/** The nearest whole number, of two the even one, as Python rounds. */
export function rounded(value: number): number {
  const below = Math.floor(value);
  return value - below === 0.5 ? below + (below % 2) : Math.round(value);
}

/** A number and its word where all numbers are one, or from – to. */
export function countedRange(numbers: number[], word: string): string {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return low === high ? counted(low, word) : `${whole.format(low)} to ${counted(high, word)}`;
}

/** The direction of a measure as a sign. */
export function sign(measure: Evaluated): string {
  return measure.direction === "lower" ? " ▼" : " ▲";
}

export function directed(measure: Evaluated): string {
  return `${measure.text} (${measure.direction === "lower" ? "▼ less" : "▲ more"} is better)`;
}

export function described(title: string, subtitle: string[]): string {
  return [title, ...subtitle].join(". ").replaceAll("?. ", "? ");
}
