// The measures asked for: their family, their text, and the list of all.
import { action } from "../actions";
import { element } from "../elements";
import { classes, evaluate, families, suffixOf } from "../evaluation";
import { Refused } from "../errors";
import type { Workspace } from "../workspace";
import { fromLink, toLink } from "./link";
import { measureList } from "./list";
import { parse } from "./parsing";

const FAMILIES: Record<string, { title: string; measures: string }> = {
  ranking: { title: "Rankings", measures: "nDCG@10 AP P@10" },
  labels: { title: "Labels", measures: "Accuracy F1(average='macro') MCC" },
  clusters: { title: "Clusters", measures: "BCubedF NMI AdjustedRand" },
  organization: { title: "Organization", measures: "RS Reliability Sensitivity" },
  similarity: { title: "Similarity of rankings", measures: "Tau RBO" },
};

export function measuresPart(workspace: Workspace): HTMLElement {
  const texts = new Map(Object.entries(FAMILIES).map(([name, { measures }]) => [name, measures]));
  const family = element("select", { id: "family", onchange: () => void choose() });
  const input = element("input", { id: "asked", type: "text", autocomplete: "off", spellcheck: "false", onkeydown: enter });
  const positive = element("select", { id: "positive" });
  const positiveField = element("p", { class: "field", hidden: true }, element("label", { for: "positive" }, "Positive class"), positive);
  const list = element("div", { class: "list" });
  let suffix = "";
  let shown = "";
  let listed = "";

  const evaluating = action(workspace, "Evaluate", async () => {
    if (!families(workspace).includes(family.value)) throw new Refused("There are no tables to evaluate.", "Choose files or an example under Data.");
    const measures = parse(workspace.catalog, input.value, family.value, suffix);
    history.replaceState(null, "", toLink({ measures: measures.map((m) => m.text).join(" "), family: family.value }));
    await evaluate(workspace, measures, positive.value);
  }, "main");
  const copy = element("button", { type: "button", onclick: () => void share() }, "Copy link");

  function enter(event: Event): void {
    if ((event as KeyboardEvent).key === "Enter") void evaluating.run();
  }
  async function share(): Promise<void> {
    history.replaceState(null, "", toLink({ measures: input.value, family: family.value }));
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    workspace.progress(`${copied ? "Copied: the link" : "The address of this page"} has the measures, and none of the data.`);
  }
  /** Shows the text and the list of the family that is chosen. */
  async function choose(): Promise<void> {
    if (shown) texts.set(shown, input.value);
    shown = family.value;
    input.value = texts.get(shown) ?? "";
    suffix = await suffixOf(workspace, shown);
    const entries = workspace.catalog.entries.filter((e) => e.family === shown && e.suffix === suffix);
    // A list that is being read stays as it is.
    if (listed !== shown + suffix) list.replaceChildren(measureList(entries, (text) => void (input.value = `${input.value.trim()} ${text}`.trim())));
    listed = shown + suffix;
    const names = shown === "labels" ? await classes(workspace) : [];
    const before = positive.value;
    positive.replaceChildren(element("option", { value: "" }, "none"), ...names.map((n) => element("option", { value: n }, n)));
    positive.value = names.includes(before) ? before : (names.find((n) => names.length === 2 && /^(1|1\.0|yes|true|pos|positive)$/i.test(n)) ?? "");
    positiveField.hidden = shown !== "labels";
  }
  async function offer(): Promise<void> {
    const possible = families(workspace);
    const linked = fromLink(location.hash)?.family ?? "";
    const offered = possible.length ? possible : [linked in FAMILIES ? linked : "ranking"];
    const before = family.value;
    family.replaceChildren(...offered.map((f) => element("option", { value: f }, FAMILIES[f]?.title ?? f)));
    family.value = offered.includes(before) ? before : offered.includes(linked) ? linked : offered[0]!;
    await choose();
  }
  function link(): void {
    const asked = fromLink(location.hash);
    if (!asked) return;
    if (asked.family === shown) input.value = asked.measures;
    else texts.set(asked.family, asked.measures);
    if (asked.family !== shown && [...family.options].some((o) => o.value === asked.family)) {
      family.value = asked.family;
      void choose();
    }
  }
  link();
  addEventListener("hashchange", link);
  workspace.on("tables", () => {
    evaluating.message.replaceChildren();
    void offer();
  });
  void offer();

  return element(
    "div",
    {},
    element(
      "div",
      { class: "choices" },
      element("p", { class: "field" }, element("label", { for: "family" }, "Family"), family),
      element("p", { class: "field long" }, element("label", { for: "asked" }, "Measures"), input),
      positiveField,
    ),
    element("p", { class: "buttons" }, evaluating.button, evaluating.stop, copy),
    evaluating.message,
    element("details", {}, element("summary", {}, "All measures, with their parameters"), list),
  );
}
