"""Human judgments compared with those of a model."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from ireval_frames.columns.suggestions import renaming
from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import InvalidValue, MismatchedTables, NothingInCommon, rows_to_fix
from ireval_frames.judging.calibrated import calibrated, calibration
from ireval_frames.judging.corrected import corrected
from ireval_frames.judging.judged_systems import JudgedSystems
from ireval_frames.judging.systems import IDS, qrels_of
from ireval_frames.overlap import COMPARED_IDS, Side, nothing_in_common
from ireval_frames.parameters import CONFIDENCE, choice
from ireval_frames.ratings import Ratings

AGREEMENT = "PercentAgreement CohenKappa CohenKappa(weights='linear') CohenKappa(weights='quadratic') KrippendorffAlpha"


def judges(human: Any, llm: Any, run: Any = None) -> Judges:
    """Human judgments compared with those of a model; no model is called.

    Args:
        human: judgments of people, the standard.
        llm: judgments of the model on the same scale; of the same documents, of more, or of other queries too.
        run: runs of systems, with a run_id, to evaluate by both judgments.

    Raises:
        NothingInCommon: no document is judged by both.
        InvalidValue: an id is null.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> ir.judging.judges(qrels, qrels, run).agreement()["value"].to_list()
        [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    with renaming():
        return Judges(qrels_of(human), qrels_of(llm), run, tables=(human, llm))


def _nothing_in_common(human: pl.DataFrame, llm: pl.DataFrame, names: tuple[str, str]) -> NothingInCommon:
    """The error if no document is judged by both: the queries differ, or the documents do."""
    shared, noun, column = human.join(llm, on="query_id", how="semi"), "query", "query_id"
    if shared.height:
        noun, column = "document of a query", "doc_id"
        human, llm = shared, llm.join(human, on="query_id", how="semi")
    ids = [frame[column].unique().sort() for frame in (human, llm)]
    one, other = (
        Side(f"{name} judgments", column, values.head(COMPARED_IDS).to_list(), len(values), frame=name)
        for name, values in zip(names, ids, strict=True)
    )
    return nothing_in_common(f"No {noun} is judged by both", one, other)


class Judges(JudgedSystems):
    """Judgments of people and of a model (`judges`).

    Attributes:
        human, llm: query_id, doc_id, relevance.
        both: the documents judged by both, with the grades `human` and `llm`.
        run: the runs.
    """

    def __init__(
        self,
        human: pl.DataFrame,
        llm: pl.DataFrame,
        run: Any = None,
        *,
        names: tuple[str, str] = ("human", "llm"),
        tables: tuple[Any, ...] = (),
    ) -> None:
        """`names` of the two are for error messages; `tables` are both with all their columns."""
        for name, frame in zip(names, (human, llm), strict=True):
            for column in IDS:
                if n := frame[column].null_count():
                    raise InvalidValue(
                        f"Column {column!r} of the {name} judgments is null in {n} rows; every row needs one.",
                        rows_to_fix(name, column, ".is_null()"),
                    )
            if frame.select(IDS).is_duplicated().any():
                twice = frame.filter(frame.select(IDS).is_duplicated()).row(0)
                raise MismatchedTables(
                    f"The {name} judgments have the document {twice[1]!r} of the query {twice[0]!r} twice.",
                    "Aggregate them first: ir.Ratings(…).judgments()",
                )
        self.human, self.llm, self.run, self.tables = human, llm, run, tables or (human, llm)
        try:
            self.both = human.rename({"relevance": "human"}).join(llm.rename({"relevance": "llm"}), on=IDS)
        except pl.exceptions.PolarsError:
            raise MismatchedTables("The ids of both tables are of different types.", "Give both one type.") from None
        self.both = self.both.drop_nulls(["human", "llm"]).sort(IDS)
        if not self.both.height:
            raise _nothing_in_common(human, llm, names)

    def agreement(self, measures: str = AGREEMENT, *, confidence: float = 0.95) -> pl.DataFrame:
        """The agreement of both on the documents judged by both, at the ordinal level, with intervals by queries.

        Args:
            measures: of ratings.
            confidence: of intervals.

        Returns:
            The table of `intervals` of an evaluation of ratings.
        """
        item = pl.struct(IDS).rank("dense").cast(pl.Int64)
        sides = [self.both.select("query_id", item_id=item, rater_id=pl.lit(s), rating=s) for s in ("human", "llm")]
        evaluation = Ratings(pl.concat(sides), level="ordinal").evaluate(measures)
        return evaluation.intervals(cluster="query_id", confidence=confidence)

    def confusion(self, *, confidence: float = 0.95) -> pl.DataFrame:
        """The number of documents of each pair of grades.

        Args:
            confidence: of Wilson's intervals.

        Returns:
            human llm count share ci_low ci_high: the share of the documents with that human grade.
        """
        from ireval_frames.stats.proportions.intervals import wilson

        CONFIDENCE.check("confidence", confidence)
        cells = self.both.group_by("human", "llm").agg(count=pl.len().cast(pl.Int64)).sort("human", "llm")
        total = cells.select(pl.col("count").sum().over("human")).to_series().to_numpy().astype(float)
        n = cells["count"].to_numpy().astype(float)
        low, high = wilson(n, total, confidence)
        return cells.with_columns(share=pl.Series(n / total), ci_low=pl.Series(low), ci_high=pl.Series(high))

    def corrected(
        self,
        *,
        rel: float = 1.0,
        by: str = "all",
        depth: int | None = None,
        method: str = "rogan-gladen",
        errors: str = "all",
        confidence: float = 0.95,
    ) -> pl.DataFrame:
        """The share of relevant documents by the model, corrected for its errors (`ir.judging.corrected`).

        Args:
            rel: the lowest grade that counts as relevant.
            by: "all", or "system" (the documents it retrieved).
            depth: of systems, only the first documents.
            method: "rogan-gladen", "predictive-values" or "ppi++".
            errors: of systems: those the model makes on documents of "all" systems, or of the "group".
            confidence: of intervals, for independent documents.

        Returns:
            [run_id] and the columns of `ir.judging.corrected`.
        """
        choice("all", "system").check("by", by)
        human = self.human.select(*IDS, human=(pl.col("relevance") >= rel).cast(pl.Int64))
        rows = self.llm.drop_nulls("relevance").select(*IDS, judge=(pl.col("relevance") >= rel).cast(pl.Int64))
        rows = rows.join(human, on=IDS, how="left")
        rows = rows if by == "all" else rows.join(self._runs(depth), on=IDS)
        keys = () if by == "all" else ("run_id",)
        return corrected(rows, by=keys, method=method, errors=errors, confidence=confidence)

    def calibration(self, *, bins: int | None = None, confidence: float = 0.95) -> pl.DataFrame:
        """What people say of each grade or score of the model.

        Args:
            bins: of scores, the number of groups of about as many documents; by default each score is one.
            confidence: of Student's intervals over queries.

        Returns:
            llm human se ci_low ci_high n_queries n: the mean score and the mean human grade of the documents with it.
        """
        return calibration(self.both, bins, confidence)

    def calibrated(self, *, monotone: bool = True) -> pl.DataFrame:
        """Judgments with the expected human grade of documents that only the model judged, to be used as gains.

        Args:
            monotone: whether a higher score never means a lower grade (isotonic regression); else the mean human grade
                of each score, which all scores must have.

        Returns:
            query_id doc_id relevance source: the human grade, or the expected one; "human" or "llm".  Scores between
            those that people judged are interpolated, those beyond are as the nearest.

        Raises:
            NotDefined: a score occurs on no document that people judged, and `monotone` is false.
        """
        return calibrated(self.human, self.llm, self.both, monotone=monotone)

    def bias(self, by: str = "grade", *, depth: int | None = None, confidence: float = 0.95) -> pl.DataFrame:
        """The mean of the model's grade minus the human one.

        Args:
            by: "all", "grade" (the human one), "query", or "system" (the documents it retrieved).
            depth: of systems, only the first documents.
            confidence: of Student's intervals; over queries, or over documents within a query.

        Returns:
            [grade, query_id or run_id] bias se ci_low ci_high n_queries n.

        Raises:
            UnknownName: `by` is none of these.
            NotDefined: there are no runs.
        """
        choice("all", "grade", "query", "system").check("by", by)
        CONFIDENCE.check("confidence", confidence)
        rows = self.both.with_columns(difference=pl.col("llm") - pl.col("human"), grade=pl.col("human"))
        if by == "system":
            rows = rows.join(self._runs(depth), on=IDS)
        keys = {"all": [], "grade": ["grade"], "query": ["query_id"], "system": ["run_id"]}[by]
        cluster = "doc_id" if by == "query" else "query_id"
        sums = rows.group_by(*keys, cluster, maintain_order=True).agg(
            s=in_order(pl.col("difference").sum()), m=pl.len().cast(pl.Float64)
        )
        n, total = pl.len(), pl.col("m").sum()
        bias = pl.col("s").sum() / total
        # The delta method of a ratio of sums over clusters.
        square = ((pl.col("s") - bias * pl.col("m")) ** 2).sum() * n / (n - 1) / total**2
        statistics = {"bias": bias, "square": square, "n_queries": n.cast(pl.Int64), "n": total.cast(pl.Int64)}
        table = sums.group_by(keys, maintain_order=True).agg(**statistics) if keys else sums.select(**statistics)
        k = table["n_queries"].to_numpy()
        from scipy.special import stdtrit

        se = np.sqrt(np.where(k > 1, table["square"].fill_nan(None).to_numpy(), np.nan))
        half = np.where(k > 1, stdtrit(np.maximum(k - 1, 1), (1 + confidence) / 2) * se, np.nan)
        table = table.with_columns(se=pl.Series(se), ci_low=pl.col("bias") - half, ci_high=pl.col("bias") + half)
        table = table.drop("n_queries") if by == "query" else table
        columns = [*keys, "bias", "se", "ci_low", "ci_high", *(["n_queries"] if by != "query" else []), "n"]
        table = table.select(columns).with_columns(pl.selectors.float().fill_nan(None))
        return table.sort(keys) if keys else table
