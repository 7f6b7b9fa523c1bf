"""The steps from the passages of a collection to the answers of runs, and what is lost at each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.drawable import Drawable
from ireval_frames.errors import UnknownName, nearest
from ireval_frames.parameters import CONFIDENCE

# Where a nugget can be lost, in the order of the steps; without citations there is no third one.
LOSSES = ("not_in_passages", "not_retrieved", "not_cited", "not_stated")
STEPS = ("in_passages", "retrieved", "cited", "answered")


@dataclass(frozen=True, repr=False)
class Chain(Drawable):
    """The steps from the passages of a collection to the answers of runs.

    Attributes:
        queries: a row per run and query: [run_id] query_id, the share of the nuggets' weight that judged passages
            support (in_passages), retrieved passages (retrieved), cited ones (cited, if there are citations) and the
            answer (answered); what is lost first at each step (not_in_passages, not_retrieved, not_cited,
            not_stated), which with answered makes 1; the answered share that no retrieved passage supports
            (unsupported); and measures of retrieval.
        measures: the names of the columns with measures of retrieval.
        n_undefined: the number of runs and queries that have no recall of nuggets, and are left out.
    """

    queries: pl.DataFrame
    measures: Sequence[str]
    n_undefined: int

    def __repr__(self) -> str:
        return f"Chain({self.queries.height} answers, {self.n_undefined} undefined)\n{self.losses()}"

    @property
    def _picture(self) -> str:
        return "losses"

    @property
    def _run(self) -> list[str]:
        return [c for c in ("run_id",) if c in self.queries.columns]

    def summary(self) -> pl.DataFrame:
        """The means over queries.

        Returns:
            [run_id] n_queries, and the mean of each column of numbers of `queries`.
        """
        values = [c for c in self.queries.columns if c not in ("run_id", "query_id")]
        means = [pl.len().cast(pl.Int64).alias("n_queries"), *(pl.col(c).mean() for c in values)]
        if not self._run:
            return self.queries.select(means)
        return self.queries.group_by(self._run, maintain_order=True).agg(means)

    def losses(self) -> pl.DataFrame:
        """What is lost at each step, and its share of all that is lost.

        Returns:
            [run_id] step loss share_of_loss: the mean over queries of the weight that is lost first at the step; the
            share is null where nothing is lost.
        """
        steps = [s for s in LOSSES if s in self.queries.columns]
        long = self.summary().unpivot(steps, index=self._run, variable_name="step", value_name="loss")
        total = pl.col("loss").sum().over(self._run) if self._run else pl.col("loss").sum()
        long = long.with_columns(share_of_loss=pl.when(total > 0).then(pl.col("loss") / total))
        return long.sort(*self._run, pl.col("step").cast(pl.Enum(steps)))

    def effects(self, *, method: str = "spearman", confidence: float = 0.95) -> pl.DataFrame:
        """How the values of an earlier step go with those of a later one, over the queries of each run.

        Args:
            method: "spearman" or "pearson".
            confidence: of the intervals, by Fisher's z: Bonett & Wright's of Spearman's ρ, Fisher's of Pearson's r.

        Returns:
            [run_id] earlier later correlation ci_low ci_high n_queries: of each measure of retrieval and each step with
            answered.  Null where a column is constant; intervals need four queries.  Queries that are hard at every
            step correlate, too: this is no proof that retrieval causes the difference.

        Raises:
            UnknownName: there is no such method.
        """
        from ireval_frames.stats.ranks.correlation import METHODS, correlation

        if method not in METHODS:
            raise UnknownName(f"There is no correlation {method!r}.", nearest(method, METHODS))
        CONFIDENCE.check("confidence", confidence)
        earlier = [*self.measures, *(s for s in STEPS[:-1] if s in self.queries.columns)]
        groups = self.queries.partition_by(self._run, maintain_order=True) if self._run else [self.queries]
        rows = []
        for group in groups:
            for name in earlier:
                pairs = group.select(name, "answered").drop_nulls().cast(pl.Float64)
                of = correlation(*(pairs[c].to_numpy() for c in pairs.columns), method=method, confidence=confidence)
                run = [group["run_id"][0]] if self._run else []
                rows.append((*run, name, "answered", of.value, of.low, of.high, of.n))
        numbers = dict.fromkeys(("correlation", "ci_low", "ci_high"), pl.Float64)
        ids = {c: self.queries.schema[c] for c in self._run}
        schema: dict[str, Any] = {**ids, "earlier": pl.String, "later": pl.String, **numbers, "n_queries": pl.Int64}
        return pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col(*numbers).fill_nan(None))
