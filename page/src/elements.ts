// Elements of the page.  What comes from data is text, never markup.

type Child = Node | string | null | undefined | false;
type Options = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

/** An element: `on…` are listeners, the others attributes; false and undefined are left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: Options = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === "function") created.addEventListener(name.slice(2), value);
    else if (value === true) created.setAttribute(name, "");
    else if (value !== false && value !== undefined) created.setAttribute(name, String(value));
  }
  created.append(...children.filter((c): c is Node | string => Boolean(c)));
  return created;
}

/** The element of the page with an id. */
export function byId(id: string): HTMLElement {
  const there = document.getElementById(id);
  if (!there) throw new Error(`The page has no element #${id}.`);
  return there;
}

/** Text without signs that hide it or turn its direction, as reports write names. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (c) => `\\u${c.codePointAt(0)!.toString(16).padStart(4, "0")}`);
}
