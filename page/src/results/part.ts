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
  const none = element("p", { class: "note" }, "Nothing has been evaluated yet.");
  const stale = element("p", { class: "error", role: "status" });
  const all = element(
    "div",
    { hidden: true },
    stale,
    section("Means", places.means),
    section("Comparison", places.comparison),
    section("Pictures", places.pictures),
    section("Units", places.units),
    section("Take away", places.downloads),
    places.sql,
  );
  const common = action(workspace, "Common measures at once", () => evaluateCommon(workspace, places.common));
  const offer = element("div", { hidden: true }, element("p", { class: "buttons" }, common.button, common.stop), common.message, places.common);
  workspace.on("tables", () => {
    offer.hidden = !workspace.of("qrels").length || !workspace.of("run").length;
    sayStale();
  });
  workspace.on("results", () => void show());
  // A comparison that failed at first is offered once it succeeds.
  workspace.on("comparison", () => void filled(places.downloads, () => downloadsOf(workspace)));
  const contents = [
    [places.means, meansOf],
    [places.comparison, comparisonOf],
    [places.pictures, picturesOf],
    [places.units, unitsOf],
    [places.downloads, downloadsOf],
  ] as const;
  let turns = 0;
  /** Whether tables came or went since their values were evaluated. */
  function sayStale(): void {
    const { sources, tables } = workspace;
    const kinds = new Set(sources.map((t) => t.kind));
    const now = [...tables.values()].filter((t) => kinds.has(t.kind));
    const same = now.length === sources.length && sources.every((t) => now.includes(t));
    stale.textContent = same ? "" : "The tables have changed since these values were evaluated. Evaluate again for those that are there now.";
  }
  async function show(): Promise<void> {
    const turn = ++turns;
    all.hidden = false;
    none.hidden = true;
    sayStale();
    // The table `summary` is there: `evaluate` creates it, and stores and reports bring their own.
    for (const [place, of] of contents) {
      // Later values are shown by the call that came with them.
      if (turn !== turns) return;
      await filled(place, () => of(workspace));
    }
    places.sql.replaceChildren(sqlShown("SQL of the values", workspace.statements));
  }
  prepare(workspace);
  return element("div", {}, none, offer, all);
}
