// DuckDB in the tab: one connection, one statement at a time, each of which can be stopped.
import * as duckdb from "@duckdb/duckdb-wasm";
import { cellAt, type Cell } from "./cells";
import { Refused } from "./errors";

export interface Column {
  name: string;
  type: string;
}

export interface Rows {
  columns: Column[];
  rows: Cell[][];
}

export type Progress = (text: string, share?: number) => void;

export class Database {
  private last: Promise<unknown> = Promise.resolve();
  private stopped = false;

  private constructor(
    readonly duckdb: duckdb.AsyncDuckDB,
    private readonly connection: duckdb.AsyncDuckDBConnection,
  ) {}

  static async open(folder: URL, progress: Progress): Promise<Database> {
    const worker = new Worker(new URL("worker.js", folder));
    const database = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), worker);
    await database.instantiate(new URL("duckdb-eh.wasm", folder).href, null, ({ bytesLoaded, bytesTotal }) =>
      progress("Loading DuckDB", bytesTotal ? bytesLoaded / bytesTotal : undefined),
    );
    await database.open({ path: ":memory:", query: { castBigIntToDouble: false, castDecimalToDouble: true } });
    const connection = await database.connect(); 
    // Extensions would come from another host.
    for (const setting of ["autoinstall_known_extensions", "autoload_known_extensions"]) {
      await connection.query(`SET ${setting} = false`);
    }
    return new Database(database, connection);
  }

  /** The rows of a statement, or so many of them; statements wait for those before them. */
  query(sql: string, most = Infinity): Promise<Rows> {
    return this.next(async () => {
      // A result that streams could not be stopped before its first rows.
      const reader = await this.connection.send(sql, false);
      await reader.open();
      const columns = reader.schema.fields.map((f) => ({ name: f.name, type: String(f.type) }));
      const rows: Cell[][] = [];
      for await (const batch of reader) {
        const vectors = columns.map((_, i) => batch.getChildAt(i));
        for (let row = 0; row < batch.numRows && rows.length < most; row++) {
          rows.push(vectors.map((v, i) => cellAt(v, row, reader.schema.fields[i]!.type)));
        }
        if (rows.length >= most) break;
        if (this.stopped) throw new Error("INTERRUPT Error: Interrupted!");
      }
      return { columns, rows };
    });
  }

  /** The first row of a statement. */
  async row(sql: string): Promise<Cell[]> {
    return (await this.query(sql)).rows[0] ?? [];
  }

  /** Statements whose rows nobody reads. */
  async run(...statements: string[]): Promise<void> {
    for (const sql of statements) await this.query(sql);
  }

  /** Runs what needs the connection or the files of DuckDB alone, after the statements before it. */
  next<T>(work: (connection: duckdb.AsyncDuckDBConnection) => Promise<T>): Promise<T> {
    const run = async () => {
      this.stopped = false;
      try {
        return await work(this.connection);
      } catch (error) {
        throw Refused.of(error);
      }
    };
    const done = this.last.then(run, run);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Stops the statement that runs. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.connection.cancelSent();
  }
}
