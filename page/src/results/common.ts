// The means of common measures by one macro, ireval_evaluate.
import { together } from "../evaluation";
import { table } from "../table";
import type { Workspace } from "../workspace";
import { sqlShown } from "./sections";

export async function evaluateCommon(workspace: Workspace, place: HTMLElement): Promise<void> {
  const { database, progress } = workspace;
  progress("Evaluating common measures");
  await database.run(await together(workspace, "qrels"), await together(workspace, "run"));
  await workspace.install("ireval_evaluate");
  const statement = "FROM ireval_evaluate('all_qrels', 'all_run')";
  place.replaceChildren(table(await database.query(statement), "Common measures"), sqlShown("SQL of common measures", [statement]));
}
