// The measures asked for.
import { element } from "../elements";
import { evaluate } from "../evaluation";
import type { Workspace } from "../workspace";

export function measuresPart(workspace: Workspace): HTMLElement {
  const input = element("input", { id: "measures-asked", value: "nDCG@10 AP P@10", "aria-label": "Measures" });
  const run = () => void evaluate(workspace, workspace.catalog.parse(input.value, "ranking")).catch((e: Error) => workspace.progress(e.message));
  return element("div", {}, input, element("button", { type: "button", onclick: run }, "Evaluate"));
}
