// Vega in the page: nothing is compiled from text, and nothing is asked of the network.
import embed, { type EmbedOptions, type VisualizationSpec } from "vega-embed";
import { element } from "../elements";
import type { Specification } from "./specification";

// Level 1 leaves out warnings, such as of intervals that one unit does not have.
const OPTIONS: EmbedOptions = { ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip: { disableDefaultStyle: true }, logLevel: 1 };

/** Draws a picture into a place, and gives its SVG. */
export async function draw(place: HTMLElement, name: string, specification: Specification): Promise<() => Promise<string>> {
  // The text says what the whole shows; single marks are in the tables.
  const marks = element("div", { "aria-hidden": "true" });
  const picture = element("div", { role: "img", class: "picture", "aria-label": String(specification["description"]) }, marks);
  place.replaceChildren(element("figure", { "data-picture": name, tabindex: 0, role: "group", "aria-label": "Picture" }, picture));
  const { view } = await embed(marks, specification as unknown as VisualizationSpec, OPTIONS);
  return () => view.toSVG();
}
