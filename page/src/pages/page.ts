// The page that evaluates: its parts, put together.
import { Catalog } from "../catalog";
import { Database } from "../database";
import { dataPart } from "../data/part";
import { byId } from "../elements";
import { measuresPart } from "../measures/part";
import { resultsPart } from "../results/part";
import { sqlPart } from "../sql/part";
import { Workspace } from "../workspace";

const status = byId("status");
// Once the page could not start, what is still being loaded does not hide why.
let failed = "";
const progress = (text: string, share?: number) => {
  status.textContent = failed || (share === undefined || !text ? text : `${text}: ${Math.round(100 * share)} %`);
};
const folder = new URL(".", location.href);

async function start(): Promise<void> {
  progress("Loading");
  const [database, catalog] = await Promise.all([Database.open(folder, progress), Catalog.load(folder)]);
  const workspace = new Workspace(database, catalog, folder, progress);
  // For those who write scripts for the page.
  Object.assign(globalThis, { ireval: workspace });
  byId("data").append(dataPart(workspace));
  byId("measures").append(measuresPart(workspace));
  byId("results").append(resultsPart(workspace));
  byId("console").append(sqlPart(workspace));
  document.querySelector("main")?.setAttribute("aria-busy", "false");
  progress("");
}

start().catch((error: unknown) => {
  failed = error instanceof Error ? error.message : String(error);
  progress(failed);
});
