// Names and texts as SQL has them.

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function string(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
