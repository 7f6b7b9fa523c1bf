// Statements of a text, which DuckDB's connection takes one by one.

/** Cut at semicolons outside of quotes and comments. */
export function statementsOf(text: string): string[] {
  const parts = text.match(/--[^\n]*|\/\*[\s\S]*?\*\/|(?<!\w)[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[\s\S]/g) ?? [];
  const statements = [""];
  for (const part of parts) {
    if (part === ";") statements.push("");
    else statements[statements.length - 1] += /^(?:--|\/\*)/.test(part) ? " " : part;
  }
  return statements.map((s) => s.trim()).filter(Boolean);
}

/** A query of so many rows at most. */
export function limited(statement: string, most: number): string {
  return /^(?:select|from|with|values)\b/i.test(statement) ? `FROM (\n${statement}\n) LIMIT ${most}` : statement;
}

/** A message about a limited query as one about the statement alone. */
export function unlimited(message: string): string {
  return message.replace(/\n\) LIMIT \d+/g, "").replace(/^LINE (\d+):/m, (_, line: string) => `LINE ${Math.max(1, Number(line) - 1)}:`);
}
