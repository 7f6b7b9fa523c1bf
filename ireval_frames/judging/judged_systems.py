"""Systems by the judgments of people and of a model: their values, orders and differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from ireval_frames.errors import NotDefined
from ireval_frames.judging.powered import METHODS, at_most_one, of_queries, powered_table, probabilities
from ireval_frames.judging.systems import (
    IDS,
    agreement,
    compare_families,
    compare_pairs,
    frame_of,
    means,
    per_measure,
    values,
)
from ireval_frames.parameters import ALPHA, CONFIDENCE, choice


class JudgedSystems:
    """Runs of systems, judged by people and by a model: the part of `Judges` that is about systems.

    Attributes:
        human, llm: query_id, doc_id, relevance.
        run: the runs.
        tables: both judgments with all their columns.
    """

    human: pl.DataFrame
    llm: pl.DataFrame
    run: Any
    tables: tuple[Any, ...]

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
        self,
        measure: Any = "nDCG@10",
        *,
        method: str = "ppi++",
        confidence: float = 0.95,
        differences: bool = False,
        strata: Any = None,
        probability: Any = None,
    ) -> pl.DataFrame:
        """Prediction-powered means: of queries judged by people, and many judged only by the model.

        Args:
            measure: of rankings, one or several; means over queries.
            method: "ppi++", "ppi", or "human" (only the queries judged by people).
            confidence: of normal intervals; with fewer than 30 human queries they are too short, and `status` says so.
            differences: of every pair of systems instead of each system.
            strata: where people judged a sample of each stratum of queries: a column of the judgments, or a frame of
                query_id and stratum.  λ is one of each stratum, and `weight` their mean by size.
            probability: where each query was chosen with a probability of its own, such as by how unsure the model is:
                a column of the human judgments, or a frame of query_id and probability.

        Returns:
            measure run_id (or run_a run_b) value se ci_low ci_high weight correlation width n_human n_llm status:
            `weight` is λ, `correlation` that of both judgments' values, `width` the interval's relative to that of
            "human".

        Raises:
            UnknownName: there is no such method.
            InvalidParameter: the confidence is not between 0 and 1, or there are strata and probabilities.
            MissingColumn, InvalidValue, WrongType: a query has no stratum or probability, or several.

        Source: Angelopoulos and others, Science 2023 (PPI); Angelopoulos, Duchi and Zrnic, 2023 (PPI++); Fisch and
        others, NeurIPS 2024 (strata); Zrnic and Candès, ICML 2024 (probabilities).
        """
        choice(*METHODS).check("method", method)
        CONFIDENCE.check("confidence", confidence)
        at_most_one(strata, probability)
        tables = [frame_of(t) for t in self.tables] if isinstance(strata, str) or isinstance(probability, str) else []
        of_stratum = None if strata is None else of_queries(strata, "stratum", tables)
        chosen = None if probability is None else probabilities(of_queries(probability, "probability", tables[:1]))

        def of_measure(known: pl.DataFrame, predicted: pl.DataFrame) -> pl.DataFrame:
            return powered_table(
                known, predicted, method=method, confidence=confidence, differences=differences,
                strata=of_stratum, probability=chosen,
            )  # fmt: skip

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
