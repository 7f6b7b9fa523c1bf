// The specifications of `ir.plots` with their places, as the package writes them for the page.
import type { Specification } from "./specification";

export interface Templates {
  systems: Specification;
  effects: Specification;
  differences: Specification;
  scatter: Specification;
  scatter_binned: Specification;
  distribution: Specification;
  history: Specification;
  matrix: Specification;
  units: Specification;
  units_binned: Specification;
  style: { series: string[]; dashes: number[][]; context: string };
  /** Of Student's t at 0.975, from one degree of freedom on. */
  quantiles: number[];
}

let loaded: Promise<Templates> | undefined;

export function templates(folder: URL): Promise<Templates> {
  loaded ??= fetch(new URL("data/pictures.json", folder)).then((answer) => answer.json());
  return loaded;
}
