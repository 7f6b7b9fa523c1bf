"""A measure that deliberately gives another number than a tool, and the rows that show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

Value = float | str | None


@dataclass(frozen=True)
class Difference:
    """One of them.  A value of None is undefined; a text is "nan" or the name of the error that the tool raises."""

    measure: str
    tool: str
    why: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    ours: str
    our_value: Value
    theirs: str
    their_value: Value
    family: str = "ranking"
    stored: bool = False

    def names(self) -> dict[str, Any]:
        """What the expressions may speak of."""
        frame = pl.DataFrame(self.rows, schema=list(self.columns), orient="row")
        if self.family == "similarity":
            one, other = (
                frame.filter(pl.col(c).is_not_null()).select(item="item", rank=c).sort("rank") for c in self.columns[1:]
            )
            return {"one": one, "other": other, "first": one["item"].to_list(), "second": other["item"].to_list()}
        if self.family in ("labels", "clusters", "segmentation", "spans"):
            return {"frame": frame, **{c: frame[c].to_list() for c in frame.columns}}
        if self.family in ("answers", "coreference", "links"):
            return {s: frame.filter(pl.col("side") == s).drop("side") for s in ("gold", "predicted")}
        frame = frame if "query_id" in frame.columns else frame.with_columns(query_id=pl.lit("q"))
        keys = [c for c in ("query_id", "subtopic_id", "doc_id") if c in frame.columns]
        qrels = frame.filter(pl.col("relevance").is_not_null()).select(*keys, "relevance")
        run = (
            frame.filter(pl.col("score").is_not_null())
            .select("query_id", "doc_id", pl.col("score").cast(pl.Float64))
            .unique(maintain_order=True)
        )
        maps: dict[str, dict[str, dict[str, Any]]] = {"judged": {}, "found": {}}
        for name, table, value in (("judged", qrels, "relevance"), ("found", run, "score")):
            for row in table.iter_rows(named=True):
                maps[name].setdefault(row["query_id"], {})[row["doc_id"]] = row[value]
        return {"qrels": qrels, "run": run, **maps}
