"""A fused run, and what each of its runs adds to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.opening import Computed
from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.fusion import diagnosis
from ireval_frames.fusion.cycles import cycles
from ireval_frames.fusion.explained import explained
from ireval_frames.fusion.request import FusionRequest
from ireval_frames.results import Result

Measures = str | Measure | Iterable[str | Measure]


@dataclass(frozen=True, repr=False, eq=False)
class Fusion(Result, Computed):
    """The fused run (`ir.fuse`): as a frame, lazy, as SQL, and as a run of an evaluation.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> fused = ir.fuse({"one": run, "other": run.with_columns(score=-run["score"])}, "rrf")
        >>> ir.evaluate(qrels, fused, "RR").summary()["value"].to_list()
        [0.5]
    """

    request: Any = None

    @classmethod
    def of(cls, request: FusionRequest) -> Self:
        """The fusion of a request."""
        details = {
            "table": "fused run", "runs": list(request.names), **request.options.arguments(),
            "weights": request.weights,
        }  # fmt: skip
        return cls(request.engine, request.query, request.file, details, request=request)

    @property
    def runs(self) -> list[str]:
        """The names of the runs."""
        return list(self.request.names)

    def learned(self) -> pl.DataFrame:
        """What was learned from judgments, for each fold from the queries of the others.

        Returns:
            fold run_id weight value, of fitted weights: value is the mean of the measure with them.  Of other methods
            fold run_id place value: the mean average precision (mapfuse), the probability of relevance at a rank
            (posfuse) or in a segment (probfuse, segfuse), the sum of these up to a rank (slidefuse), or log odds by
            bands of ranks (bayesfuse).

        Raises:
            NotDefined: nothing was.
        """
        if self.request.learned is None:
            raise NotDefined("This fusion learned nothing.", Hint("Write ", Argument("qrels", "qrels.txt"), "."))
        rows: pl.DataFrame = self.request.learned.rows
        return rows

    def evaluate(self, qrels: Any, measures: Measures) -> Evaluation:
        """The runs and the fused one, evaluated beside each other on the judged queries.

        Args:
            qrels: judgments, as of `ir.evaluate`.
            measures: of rankings.
        """
        return diagnosis.beside(self.request, self.collect(), qrels, measures)

    def gain(self, qrels: Any, measures: Measures) -> pl.DataFrame:
        """How much better the fused run is than the best of its runs, and than their mean.

        Args:
            qrels: judgments, as of `ir.evaluate`.
            measures: of rankings.

        Returns:
            measure, value: of the fused run; best_run and best_value: of the best single run by this measure (of equal
            ones the first by name); mean_value: of the single runs; gain: value − best_value, negative where fusing
            made it worse; percent of best_value, null where that is 0.  Of measures of which less is better, gain is
            best_value − value.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> qrels, runs = ir.examples.pooled()
            >>> ir.fuse(runs, "rrf").gain(qrels, "AP").select("best_run", pl.col("gain").round(4)).row(0)
            ('a', -0.0764)
        """
        return diagnosis.gain(self.evaluate(qrels, measures), self.request.run_id, self.runs)

    def leave_one_out(self, qrels: Any, measures: Measures) -> pl.DataFrame:
        """The fusion without each of its runs: what each adds.  Weights are fitted again.

        Args:
            qrels: judgments, as of `ir.evaluate`.
            measures: of rankings.

        Returns:
            measure, left_out, value: of the fusion of all; value_without: without this run; contribution: value −
            value_without, what the run adds (of measures of which less is better value_without − value), negative
            where the fusion is better without it.  Sorted by it, the most useful run first.
        """
        return diagnosis.leave_one_out(self.request, self.collect(), qrels, measures)

    def overlap(self, qrels: Any, *, rel: float = 1.0) -> pl.DataFrame:
        """How much every two runs have in common of the relevant and of the other documents, on the judged queries.

        relevant_overlap = 2 |Rᵢ ∩ Rⱼ| / (|Rᵢ| + |Rⱼ|)      other_overlap = 2 |Nᵢ ∩ Nⱼ| / (|Nᵢ| + |Nⱼ|)

        R are the relevant documents that a run has down to the depth of the fusion, of all queries, N its others,
        judged or not.  Fusion helps where runs agree more on relevant documents than on others.

        Args:
            qrels: judgments, as of `ir.evaluate`.
            rel: the lowest relevant grade.

        Returns:
            run_id, other_run_id, n_relevant and n_others in common, relevant_overlap and other_overlap, from 0 to 1,
            null where neither run has any.

        Source: Lee, SIGIR 1997.
        """
        return diagnosis.overlap(self.request, qrels, rel)

    def contributions(self, qrels: Any, *, rel: float = 1.0) -> pl.DataFrame:
        """What each run brings to the fusion, on the judged queries, down to its depth.

        Args:
            qrels: judgments, as of `ir.evaluate`.
            rel: the lowest relevant grade.

        Returns:
            run_id, n_documents, n_relevant; n_unique and n_unique_relevant: that no other run has; share: of all
            relevant documents that some run has, those that only this one has, null where there are none.
        """
        return diagnosis.contributions(self.request, qrels, rel)

    def cycles(self) -> pl.DataFrame:
        """Documents whose majorities go in circles: from each of them a chain of majorities leads back to itself.

        More lists put the first document of a majority before the second one than after it.  Of the documents of a
        cycle no order agrees with all majorities; Copeland's number orders them all the same.

        Returns:
            query_id, cycle: its number in the query, by the rank of its best document; doc_id, rank: in the fused run.
            A document is in at most one cycle, which has three documents or more; no row where there is no cycle.

        Raises:
            NotDefined: the method is not condorcet.

        Source: Montague and Aslam, CIKM 2002: the strongly connected components of the Condorcet graph.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> lists = {"one": "abc", "two": "bca", "three": "cab"}
            >>> rows = [(run, "q", doc, -place) for run, docs in lists.items() for place, doc in enumerate(docs)]
            >>> runs = pl.DataFrame(rows, ["run_id", "query_id", "doc_id", "score"], orient="row")
            >>> ir.fuse(runs, "condorcet").cycles().rows()
            [('q', 1, 'c', 1), ('q', 1, 'b', 2), ('q', 1, 'a', 3)]
        """
        if self.request.options.method != "condorcet":
            raise NotDefined(
                f"{self.request.options.method} compares no two documents.",
                Hint("Write ", Argument("method", "condorcet"), "."),
            )
        return cycles(self.request, self.collect())

    def explain(self) -> str:
        """The tables of the plan, and how their columns come about; reads no data."""
        learned, weights = self.request.learned, self.request.weights
        if learned is not None:
            what = f"{learned.rows.height} rows of {', '.join(learned.rows.columns)} from judgments (`learned()`)"
        else:
            what = "" if weights is None else "w = " + ", ".join(f"{weights[name]:g} of {name}" for name in self.runs)
        return explained(self.engine.name, self.runs, self.request.options, what)

    def on(self, engine: Engine) -> Frame:
        """The fused run as a table of another plan, its data checked."""
        if engine.writes_sql or type(engine) is type(self.engine):
            query = self.query(engine)
            if not engine.writes_sql:
                for check in query.checks:
                    check()
            return query.frame.select(*query.columns)
        return engine.from_polars(self.collect())
