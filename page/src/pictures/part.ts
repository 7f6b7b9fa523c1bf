// The pictures of the results: which one, of which measure and systems.
import { action } from "../actions";
import { element } from "../elements";
import { shapeOf } from "../evaluation";
import type { Workspace } from "../workspace";
import { choice } from "../results/sections";
import { runsOf } from "../results/units";
import { save } from "../saving";
import { differences, effects, matrix, scatter } from "./pairs";
import type { Specification } from "./specification";
import { distribution, systems, units } from "./systems";
import { templates } from "./templates";

const KINDS = {
  systems: "Systems: means and their intervals",
  effects: "Systems against the baseline of the comparison",
  distribution: "How a measure spreads over units",
  units: "Every unit of every system",
  matrix: "Every two systems: differences of means",
  differences: "Two systems: the difference in every unit",
  scatter: "Two systems: their values in every unit",
};
type Name = keyof typeof KINDS;
const OF_PAIRS: Name[] = ["effects", "matrix", "differences", "scatter"];

/** Reads what pictures need while nothing else is done, so that the page needs no server later. */
export function prepare(workspace: Workspace): void {
  const read = () => void Promise.all([templates(workspace.folder), import("./drawing")]).catch(() => undefined);
  if ("requestIdleCallback" in globalThis) requestIdleCallback(read);
  else setTimeout(read, 1000);
}

interface Drawn {
  name: Name;
  specification: Specification;
  svg: () => Promise<string>;
}

/** The specification of a picture of the results. */
async function specificationOf(workspace: Workspace, name: Name, measure: string, system: string, baseline: string): Promise<Specification> {
  const all = await templates(workspace.folder);
  const unit = (await shapeOf(workspace)).unit.replace(/_id$/, "");
  const of = workspace.measures.find((m) => m.text === measure) ?? workspace.measures[0]!;
  const pair = { system, baseline };
  switch (name) {
    case "systems": return systems(workspace, all, unit);
    case "effects": return effects(workspace, all, unit);
    case "distribution": return distribution(workspace, all, unit, of);
    case "units": return units(workspace, all, unit, of);
    case "matrix": return matrix(workspace, all, unit, of);
    case "differences": return differences(workspace, all, unit, of, pair);
    case "scatter": return scatter(workspace, all, unit, of, pair);
  }
}

export async function picturesOf(workspace: Workspace): Promise<Node[]> {
  const runs = await runsOf(workspace);
  if ((await shapeOf(workspace)).systems.length > 1) return [element("p", {}, "Pictures are of systems, not of pairs of rankings.")];
  const kinds = (Object.keys(KINDS) as Name[]).filter((k) => runs.length > 1 || !OF_PAIRS.includes(k));
  const kind = choice("picture", "Picture", kinds, () => void drawing.run());
  for (const option of kind.select.options) option.textContent = KINDS[option.value as Name];
  const measure = choice("picture-measure", "Measure", workspace.measures.map((m) => m.text), () => void drawing.run());
  const system = choice("picture-system", "System", runs, () => void drawing.run());
  const baseline = choice("picture-baseline", "Baseline", runs, () => void drawing.run());
  system.select.selectedIndex = runs.length - 1;
  const place = element("div", { class: "drawn" });
  let drawn: Drawn | undefined;
  const taken = (label: string, ending: string, type: string, content: (drawn: Drawn) => Promise<string> | string) =>
    element("button", { type: "button", onclick: () => void (async () => drawn && save(`${drawn.name}.${ending}`, await content(drawn), type))() }, label);
  const drawing = action(workspace, "Draw", async () => {
    const name = kind.select.value as Name;
    measure.field.hidden = workspace.measures.length < 2 || name === "systems" || name === "effects";
    system.field.hidden = baseline.field.hidden = !["differences", "scatter"].includes(name);
    const specification = await specificationOf(workspace, name, measure.select.value, system.select.value, baseline.select.value);
    const { draw } = await import("./drawing");
    drawn = { name, specification, svg: await draw(place, name, specification) };
  });
  await drawing.run();
  return [
    element("div", { class: "choices" }, kind.field, measure.field, system.field, baseline.field),
    drawing.message,
    place,
    element(
      "p",
      { class: "buttons" },
      taken("Picture as SVG", "svg", "image/svg+xml", (d) => d.svg()),
      taken("Picture as Vega-Lite", "json", "application/json", (d) => JSON.stringify(d.specification)),
    ),
  ];
}
