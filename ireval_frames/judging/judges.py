"""Human judgments compared with those of a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.errors import InvalidValue, MismatchedTables, NotDefined, NothingInCommon, rows_to_fix
from ireval_frames.judging.systems import (
    IDS,
    agreement,
    compare_families,
    compare_pairs,
    means,
    paired,
    per_measure,
    qrels_of,
    values,
)
from ireval_frames.overlap import COMPARED_IDS, Side, nothing_in_common
from ireval_frames.parameters import ALPHA, CONFIDENCE, choice
from ireval_frames.ratings import Ratings
from ireval_frames.stats.means.prediction_powered import prediction_powered

AGREEMENT = "PercentAgreement CohenKappa CohenKappa(weights='linear') CohenKappa(weights='quadratic') KrippendorffAlpha"
METHODS = {"ppi++": None, "ppi": 1.0, "human": 0.0}


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
    return Judges(qrels_of(human), qrels_of(llm), run)


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


class Judges:
    """Judgments of people and of a model (`judges`).

    Attributes:
        human, llm: query_id, doc_id, relevance.
        both: the documents judged by both, with the grades `human` and `llm`.
        run: the runs.
    """

    def __init__(
        self, human: pl.DataFrame, llm: pl.DataFrame, run: Any = None, *, names: tuple[str, str] = ("human", "llm")
    ) -> None:
        """`names` of the two are for error messages."""
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
        self.human, self.llm, self.run = human, llm, run
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
        sums = rows.group_by(*keys, cluster).agg(s=pl.col("difference").sum(), m=pl.len().cast(pl.Float64))
        n, total = pl.len(), pl.col("m").sum()
        bias = pl.col("s").sum() / total
        # The delta method of a ratio of sums over clusters.
        square = ((pl.col("s") - bias * pl.col("m")) ** 2).sum() * n / (n - 1) / total**2
        statistics = {"bias": bias, "square": square, "n_queries": n.cast(pl.Int64), "n": total.cast(pl.Int64)}
        table = sums.group_by(keys).agg(**statistics) if keys else sums.select(**statistics)
        k = table["n_queries"].to_numpy()
        from scipy.special import stdtrit

        se = np.sqrt(np.where(k > 1, table["square"].fill_nan(None).to_numpy(), np.nan))
        half = np.where(k > 1, stdtrit(np.maximum(k - 1, 1), (1 + confidence) / 2) * se, np.nan)
        table = table.with_columns(se=pl.Series(se), ci_low=pl.col("bias") - half, ci_high=pl.col("bias") + half)
        table = table.drop("n_queries") if by == "query" else table
        columns = [*keys, "bias", "se", "ci_low", "ci_high", *(["n_queries"] if by != "query" else []), "n"]
        table = table.select(columns).with_columns(pl.selectors.float().fill_nan(None))
        return table.sort(keys) if keys else table

    def favours(
        self, families: Mapping[Any, Any], measure: Any = "nDCG@10", *, confidence: float = 0.95
    ) -> pl.DataFrame:
        """Whether the model's judgments favour the systems of one family over the others.

        A judge may favour systems built like it.  A gain of all systems is no favour.

        Args:
            families: the family of each run_id.
            measure: of rankings, one or several.
            confidence: of Student's intervals; over the queries judged by both.

        Returns:
            measure family gain others favour se ci_low ci_high p_value p_corrected n_systems n_queries: `gain` is the
            mean of the model's value minus the human one over the family, `others` that over all other systems,
            `favour` the difference; p-values of t tests over queries, corrected by Holm within a measure.

        Raises:
            InvalidParameter: a system has no family, or there is only one family.
        """
        sources = self._sources()

        def of_measure(one: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
            both = one.join(other, on=["run_id", "query_id"], suffix="_human")
            gain = (pl.col("value") - pl.col("value_human")).alias("gain")
            return compare_families(both.select("run_id", "query_id", gain), families, confidence)

        return per_measure(of_measure, *(values(sources[name], self._run(), measure) for name in ("llm", "human")))

    def systems(self, measure: Any = "nDCG@10") -> pl.DataFrame:
        """Every system by both judgments, and by the human ones with holes filled.

        Args:
            measure: of rankings, one or several.

        Returns:
            measure run_id human filled llm rank_human rank_filled rank_llm: means over the queries judged by people;
            1 is the best rank.  `filled` has the model's grade if no person gave one.
        """
        names = ("human", "filled", "llm")

        def of_measure(*units: pl.DataFrame) -> pl.DataFrame:
            human, filled, llm = (means(u).rename({"value": name}) for name, u in zip(names, units, strict=True))
            out = human.join(filled, on="run_id", how="left").join(llm, on="run_id", how="left")
            ranks = [pl.col(c).rank("min", descending=True).cast(pl.Int64).alias(f"rank_{c}") for c in names]
            return out.with_columns(ranks).sort("rank_human", "run_id")

        sources = self._sources()
        return per_measure(of_measure, *(values(sources[name], self._run(), measure) for name in names))

    def orders(self, measure: Any = "nDCG@10") -> pl.DataFrame:
        """The correlation of the order of systems with that by people: with holes filled, and all judgments replaced.

        Args:
            measure: of rankings, one or several.

        Returns:
            measure judgments (filled, llm) tau tau_ap swaps n_pairs.
        """
        types = {"tau": pl.Float64, "tau_ap": pl.Float64, "swaps": pl.Int64, "n_pairs": pl.Int64}

        def of_measure(human: pl.DataFrame, *others: pl.DataFrame) -> pl.DataFrame:
            others_by_name = zip(("filled", "llm"), others, strict=True)
            rows = [{"judgments": name, **agreement(means(human), means(other))} for name, other in others_by_name]
            return pl.DataFrame(rows, schema={"judgments": pl.String, **types})

        return per_measure(of_measure, *(values(q, self._run(), measure) for q in self._sources().values()))

    def places(self, measure: Any = "nDCG@10", *, alpha: float = 0.05, correction: str = "holm") -> pl.DataFrame:
        """Every pair of systems by both judgments: whether their order changes, and whether it is significant.

        Args:
            measure: of rankings, one or several.
            alpha: the level of the tests.
            correction: of p-values over the pairs of a measure.

        Returns:
            measure run_a run_b human llm p_human p_llm status: the mean differences a − b, the corrected p-values of
            paired t tests over queries; status is "kept" (significant by both, in one direction), "reversed" (by both,
            in opposite ones), "lost" (by people only), "gained" (by the model only), "swapped" (by neither, in
            opposite directions), or "undecided".
        """
        ALPHA.check("alpha", alpha)

        def of_measure(human: pl.DataFrame, llm: pl.DataFrame) -> pl.DataFrame:
            return compare_pairs(human, llm, alpha, correction)

        sources = self._sources()
        return per_measure(of_measure, *(values(sources[name], self._run(), measure) for name in ("human", "llm")))

    def powered(
        self, measure: Any = "nDCG@10", *, method: str = "ppi++", confidence: float = 0.95, differences: bool = False
    ) -> pl.DataFrame:
        """Prediction-powered means: of queries judged by people, and many judged only by the model.

        Args:
            measure: of rankings, one or several; means over queries.
            method: "ppi++", "ppi", or "human" (only the queries judged by people).
            confidence: of normal intervals; with fewer than 30 human queries they are too short, and `status` says so.
            differences: of every pair of systems instead of each system.

        Returns:
            measure run_id (or run_a run_b) value se ci_low ci_high weight correlation width n_human n_llm status:
            `weight` is λ, `correlation` that of both judgments' values, `width` the interval's relative to that of
            "human".

        Raises:
            UnknownName: there is no such method.
            InvalidParameter: the confidence is not between 0 and 1.
        """
        choice(*METHODS).check("method", method)
        CONFIDENCE.check("confidence", confidence)

        def of_measure(known: pl.DataFrame, predicted: pl.DataFrame) -> pl.DataFrame:
            keys, column = ["run_id"], "value"
            if differences:
                known, predicted = (paired(f, f["run_id"].unique().to_list()) for f in (known, predicted))
                keys, column = ["run_a", "run_b"], "difference"
            both = predicted.join(known, on=[*keys, "query_id"], how="left", suffix="_known").sort(*keys, "query_id")
            rows = []
            for key, part in both.partition_by(keys, as_dict=True, maintain_order=True).items():
                judged = part[f"{column}_known"].is_not_null() & part[column].is_not_null()
                y, f = (part.filter(judged)[c].to_numpy() for c in (f"{column}_known", column))
                rest = part.filter(~judged)[column].drop_nulls().to_numpy()
                estimate = prediction_powered(y, f, rest, confidence, METHODS[method])
                status = "undefined" if np.isnan(estimate.value) else "few" if len(y) < 30 else "ok"
                numbers = (
                    estimate.value,
                    estimate.se,
                    estimate.low,
                    estimate.high,
                    estimate.weight,
                    estimate.correlation,
                    estimate.width,
                )
                rows.append((*key, *numbers, len(y), len(rest), status))
            names = ("value", "se", "ci_low", "ci_high", "weight", "correlation", "width")
            schema: dict[str, Any] = {k: both.schema[k] for k in keys} | dict.fromkeys(names, pl.Float64)
            schema |= {"n_human": pl.Int64, "n_llm": pl.Int64, "status": pl.String}
            return pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.selectors.float().fill_nan(None))

        return per_measure(of_measure, *(values(q, self._run(), measure) for q in (self.human, self.llm)))

    def _run(self) -> Any:
        if self.run is None:
            raise NotDefined("There are no runs.", "Pass them: ir.judging.judges(human, llm, run)")
        return self.run

    def _runs(self, depth: int | None) -> pl.DataFrame:
        run = self._run()
        frame = run.lazy().collect() if isinstance(run, pl.DataFrame | pl.LazyFrame) else None
        if frame is None or not {"run_id", "query_id", "doc_id", "score"} <= set(frame.columns):
            raise NotDefined(
                "Bias by system needs runs as a frame.", "Pass a frame of run_id, query_id, doc_id, score."
            )
        rank = pl.struct("score", "doc_id").rank("ordinal", descending=True).over("run_id", "query_id")
        return (frame if depth is None else frame.filter(rank <= depth)).select("run_id", *IDS)

    def _sources(self) -> dict[str, pl.DataFrame]:
        """The judgments of the queries judged by people: by people, with holes filled, and by the model."""
        queries = self.human.select("query_id").unique()
        model = self.llm.join(queries, on="query_id", how="semi")
        holes = model.join(self.human, on=IDS, how="anti")
        return {"human": self.human, "filled": pl.concat([self.human, holes.select(self.human.columns)]), "llm": model}
