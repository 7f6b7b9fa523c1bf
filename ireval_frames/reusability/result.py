"""Runs with and without what their group contributed to the judgments: the tables of `ir.pool_bias`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import polars as pl

from ireval_frames.displayed import Displayed, read
from ireval_frames.drawable import Drawable
from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.parameters import choice
from ireval_frames.ranking.subject import Rankings
from ireval_frames.reusability import words
from ireval_frames.reusability.contributions import DOCUMENT, Contributions
from ireval_frames.reusability.estimates import Estimates
from ireval_frames.reusability.lists import CollectedLists
from ireval_frames.reusability.orders import DECIMALS, correlations, ranked_by_value

BY = choice("group", "run")


class PoolBias(Drawable, Displayed):
    """Runs with and without what their group contributed (`ir.pool_bias`); computed at first use."""

    _picture = "pool_bias"

    def __init__(
        self,
        lists: CollectedLists,
        contributions: Contributions,
        rankings: Callable[[Any, Any], Rankings],
        qrels: Any,
        runs: Any,
        *,
        named: bool,
    ) -> None:
        self._lists, self._contributions, self._named = lists, contributions, named
        self._rankings, self._qrels, self._runs = rankings, qrels, runs

    @property
    def measures(self) -> list[str]:
        """The names of the measures."""
        return [str(m) for m in self._lists.measures]

    @cached_property
    def _lower(self) -> list[str]:
        return [str(m) for m in self._lists.measures if m.definition.higher_is_better is False]

    @cached_property
    def _values(self) -> pl.DataFrame:
        """The values by all judgments: measure, run_id, value."""
        return self._lists.values(self._lists.judgments)

    @cached_property
    def _by_group(self) -> pl.DataFrame:
        """The values of all runs without what each group contributed alone: without, measure, run_id, value."""
        names, without = self._contributions.names, self._contributions.without
        values = [self._lists.values(without(name)) for name in names]
        return pl.concat(v.with_columns(without=pl.lit(name)) for name, v in zip(names, values, strict=True))

    def table(self) -> pl.DataFrame:
        """A row per measure and run: its value and its rank with and without what its group contributed alone.

        Returns:
            measure, run_id, group; value: by all judgments; value_without: without its group's, null where no query
            counts without them; change: value_without − value, and percent of the value (null where that is 0); rank,
            rank_without: among all runs by the same judgments, 1 is the best, tied runs share the best rank; drop: how
            many places the run loses.
        """
        return self._table

    @cached_property
    def _table(self) -> pl.DataFrame:
        ranks = ranked_by_value(self._values, ["measure"], self._lower).join(
            self._contributions.groups, on="run_id", maintain_order="left"
        )
        others = ranked_by_value(self._by_group, ["without", "measure"], self._lower)
        keys = ["measure", "run_id", "group"]
        of_own = others.rename({"without": "group", "value": "value_without", "rank": "rank_without"})
        both = ranks.join(of_own, on=keys, maintain_order="left")
        difference = pl.col("value_without") - pl.col("value")
        change = pl.when(difference.round(DECIMALS) == 0).then(0.0).otherwise(difference)
        return both.select(
            *keys, "value", "value_without",
            change=change, percent=pl.when(pl.col("value") != 0).then(100.0 * change / pl.col("value").abs()),
            rank="rank", rank_without="rank_without", drop=pl.col("rank_without") - pl.col("rank"),
        )  # fmt: skip

    def groups(self) -> pl.DataFrame:
        """A row per measure and group: the order of all runs without what the group contributed alone.

        Returns:
            measure, group, n_runs; n_unique, n_unique_relevant: judged and relevant documents that only it contributed;
            n_queries_emptied: queries that have no relevant document without it; tau, tau_ap: Kendall's τ_b and τ_AP of
            the order of all runs with that by all judgments, the true one, from −1 to 1, null where all tie;
            mean_change: of the group's runs; largest_drop: the largest number of places that one of its runs loses, and
            dropped_run, that run (of several, the first; null if none loses a place).
        """
        return self._groups

    @cached_property
    def _groups(self) -> pl.DataFrame:
        sorted_runs = self._table.sort("drop", "run_id", descending=[True, False], nulls_last=True)
        of_runs = sorted_runs.group_by("measure", "group", maintain_order=True).agg(
            n_runs=pl.len().cast(pl.Int64),
            mean_change=in_order(pl.col("change").mean()),
            largest_drop=pl.col("drop").first(),
            dropped_run=words.DROPPED,
        )
        unique = self.unique("group").select("group", "n_unique", "n_unique_relevant")
        tau = correlations(self._values, self._by_group, self._lower).rename({"without": "group"})
        out = of_runs.join(unique, on="group").join(self._contributions.emptied(), on="group")
        place = pl.col("measure").replace_strict({str(m): i for i, m in enumerate(self._lists.measures)})
        columns = (
            "measure", "group", "n_runs", "n_unique", "n_unique_relevant", "n_queries_emptied", "tau", "tau_ap",
            "mean_change", "largest_drop", "dropped_run",
        )  # fmt: skip
        return out.join(tau, on=["measure", "group"]).sort(place, "group").select(columns)

    def summary(self) -> pl.DataFrame:
        """A row per measure: the extremes over groups and runs.

        Returns:
            measure, n_runs, n_groups; mean_change, mean_percent: over runs; largest_change and changed_run: the largest
            loss (the largest rise of a measure of which less is better); tau: the lowest of a group, and tau_group;
            null where without this group no two runs differ; largest_drop and dropped_run; n_relevant,
            n_unique_relevant and share: of the relevant documents those that one group contributed alone; reusability:
            "same order" (τ is 1), "nearly the same order" (τ ≥ 0.9), "order changes" (τ ≥ 0.8) or "another order",
            null where τ is.
        """
        return self._summary

    @cached_property
    def _summary(self) -> pl.DataFrame:
        return words.summary(self._table, self._groups, self._contributions, self._lower)

    def sentences(self) -> list[str]:
        """The summary in words: of all runs, then of each measure."""
        return words.sentences(self._summary, self._contributions, named=self._named)

    def unique(self, by: str = "group", *, per_query: bool = False) -> pl.DataFrame:
        """How many documents each group, or each run, contributed alone.

        Args:
            by: "group", or "run": documents that no other run contributed, also none of its group.
            per_query: a row per query, too.

        Returns:
            group or run_id, [query_id]; n_judged: judged documents that it contributed, n_relevant: relevant ones of
            them; n_unique and n_unique_relevant: those that no other contributed; share: n_unique_relevant as a share
            of all relevant documents, null where there are none.  By run, over all queries, also judged_to: the rank
            down to which all documents are judged, in half of its lists or more (the lower median), which may show the
            depth of the pool.

        Raises:
            UnknownName: `by` is neither.

        Source: Zobel, SIGIR 1998.
        """
        return self._with_ids(self._contributions.unique(BY.check("by", by), per_query=per_query))

    def documents(self) -> pl.DataFrame:
        """A row per judged document: who contributed it.

        Returns:
            query_id, doc_id, relevance (the largest over subtopics and assessors; negative is pooled, not judged);
            n_runs, n_groups: how many contributed it; best_rank: in any of them, null for none; only_group, only_run:
            the group and the run that contributed it alone, else null.
        """
        columns = (*DOCUMENT, "relevance", "n_runs", "n_groups", "best_rank", "only_group", "only_run")
        return self._with_ids(self._contributions.documents.select(columns)).sort(DOCUMENT)

    def estimates(self, run: Any, *, common: Any = None) -> pl.DataFrame:
        """The values that new runs would have if they had contributed to the pool, as the others have.

        - webber_park = value + mean over pooled runs of (value − value without what only their group contributed);
        - lipani = value + k · max(Δk, 0) if λ = Δs · s̄ − Δs̄ · s > 0, else value; of P@n only

        s is the share of relevant documents among the first n, s̄ that of judged ones that are not relevant, and
        k = 1 − s − s̄.  Every pooled run is put in the order of the new run (a document of both moves to the rank it
        has there); Δs, Δs̄ and Δk are the mean changes of its s, s̄ and k.  λ says whether the new run raises the
        precision of others more than it lowers their anti-precision s̄.  Estimates may leave the measure's range.

        Args:
            run: the new runs: a table or files, as of `ir.evaluate`.
            common: judgments of some queries for which the documents of the new runs were judged, too, and for which
                the pooled runs have lists: the bias on these queries is an estimate of that on all.

        Returns:
            measure, run_id, value, webber_park, lipani and indicator (λ): null for other measures than P@n; with
            `common` also webber_park_common = value + what the run loses on the common queries without the documents
            that only new runs contributed there.

        Raises:
            InvalidParameter: a new run has the name of a pooled one.
            MismatchedTables: ids have another type than those of the pooled runs.

        Source: Webber and Park, SIGIR 2009; Lipani, Lupu and Hanbury, SIGIR 2015 and ECIR 2016.
        """
        return self._estimates.of_new(run, common)

    def held_out(self) -> pl.DataFrame:
        """The estimates of `estimates` of each pooled run, with its group left out of the pool: what they would be.

        Returns:
            measure, run_id, group, value: by all judgments, which estimates are to reach; value_without: without its
            group's; webber_park, lipani, indicator: from the other groups' runs alone.
        """
        return self._held_out

    @cached_property
    def _held_out(self) -> pl.DataFrame:
        return self._estimates.held_out(self._values, self._by_group)

    def errors(self) -> pl.DataFrame:
        """How far the estimates are from the values that they are to reach, over the pooled runs (`held_out`).

        Returns:
            measure, estimate ("none": the value without the group's contributions, "webber_park", "lipani"; without a
            row where no run has it), n_runs; mean_error: estimate − value; mae: the mean of its absolute value;
            rank_error: the sum over runs of how many places the estimate lies from the run's, among the values of the
            others; tau: of the order by estimates with that by values.

        Source: Lipani, Lupu and Hanbury, SIGIR 2015, for the three measures of error.
        """
        return self._estimates.errors(self._held_out, self._lower)

    @cached_property
    def _estimates(self) -> Estimates:
        return Estimates(self._contributions, self._rankings, self._qrels, self._runs)

    def _with_ids(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The table with the ids of queries and documents for their numbers."""
        columns = frame.columns
        for name, ids, key in (
            ("query_id", self._lists.queries, "query"),
            ("doc_id", self._lists.documents, "document"),
        ):
            if name in columns:
                numbered = ids.select(_id=name, **{name: pl.col(key)})
                frame = frame.join(numbered, on=name, maintain_order="left").with_columns(pl.col("_id").alias(name))
                frame = frame.drop("_id")
        return frame.select(columns)

    def _displays(self) -> Sequence[pl.DataFrame | str]:
        """What the tables say, and the table of groups, or of runs, in part."""
        shown = self._groups.drop("n_unique", "n_queries_emptied", "tau_ap") if self._named else self._table
        return ["\n".join(self.sentences()), shown if self._named else shown.drop("group", "percent")]

    def __str__(self) -> str:
        return "\n".join(part if isinstance(part, str) else read(part) for part in self._displays())
