// What failed, in the page's words.

/** Something that a person can mend: the message says what it is, the hint what to do. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly hint = "",
  ) {
    super(message);
  }

  /** An error of DuckDB as one of ours. */
  static of(error: unknown): Refused {
    if (error instanceof Refused) return error;
    const message = said(error instanceof Error ? error.message : String(error));
    for (const [pattern, say] of KNOWN) {
      const match = pattern.exec(message);
      if (match) return new Refused(...say(match));
    }
    return new Refused(message.replace(/^(?:[A-Z][\w ]*? Error: )+/, "").trim());
  }
}

/** The message of DuckDB, which wraps some in JSON. */
function said(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    const { exception_message } = JSON.parse(text) as { exception_message?: unknown };
    return typeof exception_message === "string" ? exception_message : text;
  } catch {
    return text;
  }
}

type Said = (match: RegExpExecArray) => [string, string?];
const KNOWN: [RegExp, Said][] = [
  [/^INTERRUPT|Interrupted|query was canceled/, () => ["Stopped."]],
  [
    /out of memory|memory access out of bounds|could not allocate|failed to allocate/i,
    () => ["The tab has no more memory (4 GB at most).", "Evaluate fewer measures, or smaller tables; Python has no such limit."],
  ],
  [
    /"(the [\w ]+ table)" does not have a column named "([^"]+)"/,
    ([, table, column]) => [`${upper(table!)} has no column ${column}.`, "Choose the column at the table (Change how it is read), or a file that has it."],
  ],
  [
    /Macro (\w+)\(\) does not support the supplied arguments[\s\S]*?Candidate macros:\s*(\w+\([^\n]*\))/,
    ([, name, written]) => [`${name} has other parameters.`, `It is ${written}.`],
  ],
  [
    /There is a WITH item named "([^"]+)"/,
    ([, name]) => [`The macro has a stage of the name ${name}, which hides the table.`, `Give the table another name: CREATE VIEW my_${name} AS FROM ${name}`],
  ],
  [/Table with name (.+?) does not exist/, ([, name]) => [`There is no table ${name}.`, "SHOW TABLES lists those that there are."]],
  [/(?:Table|Scalar) Function with name (\w+) does not exist/, ([, name]) => [`There is no function ${name}.`]],
  [
    /requires the extension|extension "?(\w+)"?.*(?:not|could not).*load|in the catalog, but it exists in the (\w+) extension/i,
    () => ["This needs an extension of DuckDB, which would come from another host.", "The page reads Parquet and JSON lines by itself: choose the file under Data."],
  ],
  [/Could not convert string '([\s\S]*?)' to (?:U?INT\d+|DOUBLE|FLOAT)/, ([, text]) => [`Text stands where a number is expected: '${text}'.`]],
];

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
