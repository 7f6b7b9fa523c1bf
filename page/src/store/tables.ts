// The tables beside the page: Arrow streams, which DuckDB reads without an extension.
import { Refused } from "../errors";
import { identifier } from "../quoting";
import type { Workspace } from "../workspace";

export interface StoredTable {
  name: string;
  description: string;
  file: string;
  rows: number;
  bytes: number;
}

/** What the page shows: `data/about.json`. */
export interface Stored {
  version: string;
  title: string;
  kind: "store" | "report";
  tables: StoredTable[];
  statements: string[];
  /** The page that this one stands beside, if it is that of a report. */
  back?: string;
}

export async function readStored(folder: URL): Promise<Stored> {
  return (await answer(new URL("data/about.json", folder))).json();
}

/** Loads all tables into DuckDB, and creates the views and macros over them. */
export async function loadTables(workspace: Workspace, stored: Stored): Promise<void> {
  const { database, folder, progress } = workspace;
  const all = stored.tables.reduce((sum, t) => sum + t.bytes, 0);
  let loaded = 0;
  for (const { name, description, file, rows, bytes } of stored.tables) {
    progress(`Loading ${name}`, loaded / all);
    const response = await answer(new URL(`data/tables/${file}`, folder));
    try {
      const stream = await unpacked(response);
      await database.next((connection) => connection.insertArrowFromIPCStream(stream, { name, schema: "main", create: true }));
      const [count] = await database.row(`SELECT count(*) FROM ${identifier(name)}`);
      if (count !== rows) throw new Error(`it has ${count} of ${rows} rows`);
    } catch (error) {
      throw new Refused(`data/tables/${file} is damaged: ${Refused.of(error).message}`, "Write the folder anew.");
    }
    workspace.tables.set(name, { name, kind: "table", source: description, columns: [], rows, notes: [] });
    loaded += bytes;
  }
  await database.run(...stored.statements);
  workspace.changed("tables");
}

async function answer(address: URL): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname} cannot be read: ${response.status} ${response.statusText}. Is the whole folder there?`);
  return response;
}

/** The bytes of a file that is packed by gzip, unless the server has unpacked it already. */
async function unpacked(response: Response): Promise<Uint8Array> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}
