// The measures in the page's address, #m=nDCG@10+AP: a link says what was asked, never of what.
import { split } from "./parsing";

export interface Asked {
  measures: string;
  family: string;
}

export function fromLink(hash: string): Asked | undefined {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const measures = parameters.get("m");
  return measures ? { measures, family: parameters.get("family") ?? "ranking" } : undefined;
}

export function toLink({ measures, family }: Asked): string {
  const words = split(measures).map((word) => encodeURIComponent(word).replaceAll("%40", "@").replaceAll("%2C", ",").replaceAll("%3D", "="));
  return `#m=${words.join("+")}${family === "ranking" ? "" : `&family=${family}`}`;
}
