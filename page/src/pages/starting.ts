// How every page starts: DuckDB and the catalog, what is being loaded, and why a page could not start.
import { Catalog } from "../catalog";
import { Database } from "../database";
import { byId } from "../elements";
import { Refused } from "../errors";
import { Workspace } from "../workspace";

/** Opens the workspace and hands it to the page; errors are shown in the page's status. */
export async function start(open: (workspace: Workspace) => Promise<void> | void): Promise<void> {
  const status = byId("status");
  const main = document.querySelector("main");
  // Once the page could not start, what is still being loaded does not hide why.
  let failed = "";
  const progress = (text: string, share?: number) => {
    status.textContent = failed || (share === undefined || !text ? text : `${text}: ${Math.round(100 * share)} %`);
  };
  const folder = new URL(".", location.href);
  try {
    progress("Loading");
    const [database, catalog] = await Promise.all([Database.open(folder, progress), Catalog.load(folder)]);
    const workspace = new Workspace(database, catalog, folder, progress);
    // For those who write scripts for the page.
    Object.assign(globalThis, { ireval: workspace });
    await open(workspace);
    progress("");
  } catch (error) {
    const { message, hint } = Refused.of(error);
    failed = `${message} ${hint}`;
    progress(failed);
    status.setAttribute("role", "alert");
  } finally {
    main?.setAttribute("aria-busy", "false");
  }
}
