// Names and texts as SQL has them.

/** A name; a NUL, at which a statement would end, is shown as what cannot be read. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""').replaceAll("\0", "\ufffd")}"`;
}

export function string(text: string): string {
  const parts = text.split("\0").map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length > 1 ? `(${parts.join(" || chr(0) || ")})` : parts[0]!;
}
