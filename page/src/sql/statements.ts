// Statements of a text, which DuckDB's connection takes one by one.

/** Cut at semicolons outside of quotes and comments. */
export function statementsOf(text: string): string[] {
  const parts = text.match(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[\s\S]/g) ?? [];
  const statements = [""];
  for (const part of parts) {
    if (part === ";") statements.push("");
    else if (!/^(?:--|\/\*)/.test(part)) statements[statements.length - 1] += part;
  }
  return statements.map((s) => s.trim()).filter(Boolean);
}
