"""The adjustment of Lipani, Lupu and Hanbury: what a new run does to the precision of pooled runs."""

from __future__ import annotations

import polars as pl

from ireval_frames.reusability.contributions import DOCUMENT
from ireval_frames.reusability.lists import CollectedLists

SHARES = ("relevant", "nonrelevant", "unjudged")
LIST = ["run_id", "query_id"]
# How far, in cutoffs, the first documents of a list in another order are looked for before all are.
NEAR = 4


def precision_cutoffs(lists: CollectedLists) -> dict[str, tuple[int, float]]:
    """The cutoff and the lowest relevant grade of each measure that is a precision of the list as it is, by name."""
    out = {}
    for measure in lists.measures:
        values = measure.arguments()
        cutoff, condensed = values.get("cutoff"), values.get("judged_only") or lists.policy.unjudged == "skip"
        if measure.name == "P" and isinstance(cutoff, int) and not condensed:
            out[str(measure)] = cutoff, max(float(values["rel"]), 0.0)
    return out


class Merged:
    """Pooled runs in the order of a new run, and what that changes.

    Each pooled run p is put in the order of the new run r: a document of both moves to its rank in r.  Of documents
    that meet at a rank those that moved up come first, then the one that stayed, then those that moved down.  With s
    the share of relevant ones among the first n, s̄ that of judged ones that are not relevant, and k = 1 − s − s̄:

        Δs, Δs̄, Δk = the mean changes of s, s̄ and k of the pooled runs
        λ = Δs · s̄(r) − Δs̄ · s(r)
        adjustment = k(r) · max(Δk, 0) if λ > 0, else 0

    Args:
        pooled: every row of the pooled runs: run_id, query_id, doc_id, rank.
        lists: the lists of pooled and new runs: run_id, query_id, n.
        judgments: query_id, doc_id, relevance.
        no_relevant: the policy about queries without relevant documents.
    """

    def __init__(self, pooled: pl.DataFrame, lists: pl.DataFrame, judgments: pl.DataFrame, no_relevant: str) -> None:
        grades = judgments.group_by(DOCUMENT, maintain_order=True).agg(pl.col("relevance").cast(pl.Float64).max())
        counting = grades if no_relevant == "zero" else grades.filter(pl.col("relevance") >= 1)
        queries = counting.select("query_id").unique()
        self._grades = grades
        self._pooled, lists = (f.join(queries, on="query_id", how="semi") for f in (pooled, lists))
        self._sizes = lists.group_by("run_id", maintain_order=True).agg(units=pl.len(), present=(pl.col("n") > 0).sum())
        self._of_pooled: dict[tuple[int, float], pl.DataFrame] = {}
        self._deepest = pl.lit(self._pooled["rank"].max()) + 1

    def shares(self, rows: pl.DataFrame, cutoff: int, rel: float) -> pl.DataFrame:
        """run_id and the mean shares `relevant`, `nonrelevant`, `unjudged` of the first ranks over a run's queries.

        A missing list that counts has no share in either.
        """
        grade = pl.col("relevance")
        first = rows.filter(pl.col("rank") <= cutoff).join(self._grades, on=DOCUMENT)
        counts = first.group_by("run_id", maintain_order=True).agg(
            relevant=(grade >= rel).sum(), nonrelevant=((grade >= 0) & (grade < rel)).sum()
        )
        runs = rows.select("run_id").unique().join(self._sizes, on="run_id").join(counts, on="run_id", how="left")
        out = runs.select(
            "run_id",
            pl.col("relevant", "nonrelevant").fill_null(0) / (cutoff * pl.col("units")),
            unjudged=pl.col("present") / pl.col("units"),
        )
        return out.with_columns(pl.col("unjudged") - pl.col("relevant") - pl.col("nonrelevant")).sort("run_id")

    def adjustments(self, new: pl.DataFrame, cutoffs: dict[str, tuple[int, float]]) -> pl.DataFrame:
        """measure, run_id, lipani (the adjustment), indicator (λ) of one new run.

        Args:
            new: its rows, as `pooled`.
            cutoffs: the cutoff and the lowest relevant grade of each precision, by its name.
        """
        merged, parts = self._in_order_of(new, max(cutoff for cutoff, _ in cutoffs.values())), []
        for measure, (cutoff, rel) in cutoffs.items():
            after = self.shares(merged, cutoff, rel)
            both = self._before(cutoff, rel).join(after, on="run_id", suffix="_after", maintain_order="left")
            change = {c: float((both[f"{c}_after"] - both[c]).mean() or 0.0) for c in SHARES}  # type: ignore[arg-type]
            relevant, nonrelevant, unjudged = (pl.col(c) for c in SHARES)
            indicator = change["relevant"] * nonrelevant - change["nonrelevant"] * relevant
            raised = unjudged * max(change["unjudged"], 0.0)
            columns = {"lipani": pl.when(indicator > 0).then(raised).otherwise(0.0), "indicator": indicator}
            own = self.shares(new, cutoff, rel)
            parts.append(own.select(pl.lit(measure).alias("measure"), "run_id", **columns))
        return pl.concat(parts)

    def _before(self, cutoff: int, rel: float) -> pl.DataFrame:
        """The shares of the pooled runs as they are, computed once."""
        if (cutoff, rel) not in self._of_pooled:
            self._of_pooled[cutoff, rel] = self.shares(self._pooled, cutoff, rel)
        return self._of_pooled[cutoff, rel]

    def _in_order_of(self, new: pl.DataFrame, most: int) -> pl.DataFrame:
        """The first rows of the pooled runs in the order of a new run, with their ranks there.

        Args:
            new: the rows of the new run.
            most: how many first rows of each list are right; others may be missing.
        """
        queries = new.select("query_id").unique()
        others, shared = (self._pooled.join(queries, on="query_id", how=how) for how in ("anti", "semi"))
        placed = shared.join(new.select(*DOCUMENT, _new="rank"), on=DOCUMENT, how="left")
        # Where as many rows have a place up to `near`, these are the first ones; all are near in either list.
        near, place = NEAR * most, pl.coalesce("_new", "rank")
        some = placed.filter((pl.col("rank") <= near) | (pl.col("_new") <= near))
        counts = some.group_by("run_id", "query_id", maintain_order=True).agg(enough=(place <= near).sum() >= most)
        enough = counts.filter("enough").select("run_id", "query_id")
        parts = (some.join(enough, on=LIST, how="semi"), placed.join(enough, on=LIST, how="anti"))
        moved = (pl.col("_new") - pl.col("rank")).sign().fill_null(0)
        # One number orders by the rank in the new run, by who moved where, and by the rank before.
        key = (place * 3 + moved + 1) * self._deepest + pl.col("rank")
        rank = key.rank("ordinal").over(LIST).cast(pl.Int64)
        return pl.concat([others, *(part.with_columns(rank=rank).select(others.columns) for part in parts)])
