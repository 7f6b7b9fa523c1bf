// What failed, in the page's words.

/** Something that a person can mend: the message says what it is. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly hint = "",
  ) {
    super(message);
  }

  /** An error of DuckDB without the words around what the macros say. */
  static of(error: unknown): Refused {
    if (error instanceof Refused) return error;
    const message = error instanceof Error ? error.message : String(error);
    if (/^INTERRUPT|Interrupted/.test(message)) return new Refused("Stopped.");
    if (/out of memory|Out of Memory|memory access out of bounds/i.test(message)) {
      return new Refused("The tab has no more memory (4 GB at most).", "Evaluate fewer measures or smaller tables.");
    }
    return new Refused(message.replace(/^(Invalid Input|Binder|Catalog|Parser|Conversion) Error: /, ""));
  }
}
