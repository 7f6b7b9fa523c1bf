// The values of the measures: means, units, comparisons, pictures, downloads.
import { action } from "../actions";
import { element } from "../elements";
import { picturesOf, prepare } from "../pictures/part";
import { evaluateCommon } from "./common";
import type { Workspace } from "../workspace";
import { comparisonOf } from "./comparison";
import { downloadsOf } from "./downloads";
import { meansOf } from "./means";
import { filled, section, sqlShown } from "./sections";
import { unitsOf } from "./units";

export function resultsPart(workspace: Workspace): HTMLElement {
  const places = { common: element("div"), means: element("div"), comparison: element("div"), pictures: element("div"), units: element("div", { class: "units" }), downloads: element("div"), sql: element("div") };
  const all = element(
    "div",
    { hidden: true },
    section("Means", places.means),
    section("Comparison", places.comparison),
    section("Pictures", places.pictures),
    section("Units", places.units),
    section("Take away", places.downloads),
    places.sql,
  );
  const common = action(workspace, "Common measures at once", () => evaluateCommon(workspace, places.common));
  const offer = element("div", { hidden: true }, element("p", { class: "buttons" }, common.button, common.stop), common.message, places.common);
  workspace.on("tables", () => void (offer.hidden = !workspace.of("qrels").length || !workspace.of("run").length));
  workspace.on("results", () => void show());
  async function show(): Promise<void> {
    all.hidden = false;
    // The table `summary` is there: `evaluate` creates it, and stores and reports bring their own.
    await filled(places.means, () => meansOf(workspace));
    await filled(places.comparison, () => comparisonOf(workspace));
    await filled(places.pictures, () => picturesOf(workspace));
    await filled(places.units, () => unitsOf(workspace));
    await filled(places.downloads, () => downloadsOf(workspace));
    places.sql.replaceChildren(sqlShown("SQL of the values", workspace.statements));
  }
  prepare(workspace);
  return element("div", {}, offer, all);
}
