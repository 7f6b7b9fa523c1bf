// The page that evaluates: its parts, put together.
import { dataPart } from "../data/part";
import { byId } from "../elements";
import { measuresPart } from "../measures/part";
import { resultsPart } from "../results/part";
import { sqlPart } from "../sql/part";
import { start } from "./starting";

void start((workspace) => {
  byId("data").append(dataPart(workspace));
  byId("measures").append(measuresPart(workspace));
  byId("results").append(resultsPart(workspace));
  byId("console").append(sqlPart(workspace));
});
