// The parts of the results, each of which is filled anew when measures were evaluated.
import { failure } from "../actions";
import { element } from "../elements";

/** A part with a heading and its content. */
export function section(title: string, ...content: (Node | string)[]): HTMLElement {
  return element("section", { class: "result" }, element("h3", {}, title), ...content);
}

/** A choice of one of some texts. */
export function choice(id: string, label: string, values: string[], change: () => void): { field: HTMLElement; select: HTMLSelectElement } {
  const select = element("select", { id, onchange: change }, ...values.map((v) => element("option", { value: v }, v)));
  return { field: element("p", { class: "field", hidden: values.length < 2 }, element("label", { for: id }, label), select), select };
}

/** Statements, to read and to copy. */
export function sqlShown(title: string, statements: string[]): HTMLElement {
  return element("details", { hidden: !statements.length }, element("summary", {}, title), element("pre", { tabindex: 0 }, statements.map((s) => `${s};`).join("\n")));
}

/** Fills a place with what work gives, or says what failed. */
export async function filled(place: HTMLElement, work: () => Promise<(Node | string)[]>): Promise<void> {
  try {
    place.replaceChildren(...(await work()));
  } catch (error) {
    place.replaceChildren(failure(error));
  }
}
