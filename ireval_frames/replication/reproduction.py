"""The results of a reproduction: scores, effects, rankings of systems, document lists, conventions."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.columns.user_names import refuse_reserved
from ireval_frames.comparison.text import papers, tables
from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.declaration import Measure
from ireval_frames.displayed import Displayed
from ireval_frames.parameters import choice
from ireval_frames.replication import correlations, effects, rankings, scores, text
from ireval_frames.replication.matching import Matched, match_sides
from ireval_frames.replication.options import ITEMS, ReproductionOptions


class Reproduction(Displayed):
    """An original and its replica over values per unit (`ir.replication.reproduction`); computed once, at first use.

    It prints as a table of scores and one of effects.
    """

    def __init__(
        self,
        original: PerUnitValues,
        replica: PerUnitValues,
        options: ReproductionOptions,
        sources: tuple[Any, Any],
        runs: Any,
    ) -> None:
        self._values, self._options = (original, replica), options
        self._sources, self._runs = sources, runs
        refuse_reserved((*original.by, *original.unit), {"measure", *scores.COLUMNS, *effects.COLUMNS})

    @functools.cached_property
    def _matched(self) -> Matched:
        return match_sides(*self._values, self._options)

    @functools.cached_property
    def _table(self) -> pl.DataFrame:
        replicas = list(self._matched.systems.values())
        return scores.table(self._matched.matches, replicas, self._options, self._matched.by)

    def table(self) -> pl.DataFrame:
        """The scores: a row per measure, [by …] and system.

        Returns:
            measure, [by …], system, replica (its name in the replica), design (paired on the same units, or unpaired);
            n_original, n_replica, n_common: units with values;
            arp_original, arp_replica (average retrieval performance: the means; paired over the common units),
            difference (replica − original), se, ci_low, ci_high (by Student's t, or Welch's of different units);
            rmse: √(Σ (x − x′)² / n) over the common units, from 0, lower is better; nrmse: rmse divided by the largest
            possible one, √(Σ max(x, 1 − x)² / n), from 0 to 1, for measures from 0 to 1; rmse_status: ok, other_units,
            no_common_units, or outside_0_1 where nrmse is undefined;
            test, statistic, df, p_value: of no difference.  A large p-value does not show a reproduction;
            margin, equivalence_low, equivalence_high (the interval of 1 − 2α, α = 1 − confidence), p_equivalence (the
            larger p of both one-sided tests that the difference is −margin or less, margin or more), equivalent
            (whether that interval is within the margin);
            confidence, status.  Null is undefined, and `status` says why.
        """
        return self._table

    @functools.cached_property
    def _effects(self) -> pl.DataFrame:
        match = self._matched
        return effects.table(match.matches, self._options, match.by, match.system)

    def effects(self) -> pl.DataFrame:
        """The effects: a row per measure, [by …] and pair of systems.

        Returns:
            measure, [by …], baseline, system, design, n_original, n_replica (units with both systems' values; paired:
            with all four);
            effect_original, effect_replica: mean system − baseline;
            effect_ratio: effect_replica / effect_original; 1 is the same effect, above 1 a larger one, 0 or below none;
            ratio_low, ratio_high (Fieller's interval), ratio_status;
            relative_original, relative_replica: effect / mean of the baseline;
            relative_difference: relative_original − relative_replica, 0 is equal; relative_low, relative_high
            (delta method), relative_status; confidence.
            Status zero: the original's effect, or a mean of the baseline, is 0.  Status unbounded: the original's
            effect may be 0 at this confidence, so the ratio is unbounded.

        Raises:
            NotDefined: there is one system.
            UnknownName: there is no such baseline.

        Source: Breuer et al., SIGIR 2020, for effect ratio and relative improvement; Fieller, JRSS B 1954.
        """
        return self._effects

    @functools.cached_property
    def _correlations(self) -> pl.DataFrame:
        return correlations.table(self._matched.matches, self._matched.by)

    def correlations(self) -> pl.DataFrame:
        """Whether systems are ranked alike by their mean scores: a row per measure and [by …].

        Returns:
            measure, [by …], n_original, n_replica (units that all systems have), n_systems, tau (Kendall's τ_b), tau_ap
            (AP correlation of the replica's order with the original's), from −1 to 1; status: ok, too_few systems, or
            tied, if one of the rankings ties all of them.  Means that agree to 12 digits are tied.
        """
        return self._correlations

    def rankings(
        self,
        measures: str | Measure | Iterable[str | Measure] = "Tau RBO",
        *,
        items: str = "union",
        depth: int | None = None,
        summary: bool = False,
    ) -> pl.DataFrame:
        """Compare the document lists: a row per system and query, or with `summary=True` per system and measure.

        The lists are those of the evaluations, or of `runs=`, compared query by query; documents are matched by id.

        Args:
            measures: of similarity, such as "Tau RBO(p=0.95) Overlap@10".
            items: "union": rank correlations are over the documents of either list, with those missing in a list
                tied after its last; "common": over the documents of both.
            depth: evaluate the top k of each list.
            summary: means over queries.

        Returns:
            system, query_id, n_common, and a column per measure, null for queries missing in one of both; or system,
            measure, value (the mean), n_units, n_undefined.

        Raises:
            UnknownName: there is no such measure, or option of items.
            NotDefined: the values have no lists of documents.
            MissingColumn, InvalidValue, DuplicateRows, MismatchedTables: the runs are wrong.
        """
        choice(*ITEMS).check("items", items)
        requested = catalog.parse_all(measures, "similarity")
        runs = rankings.Runs.of(*self._sources) if self._runs is None else self._runs
        both = rankings.compared(runs, self._matched.systems, requested, depth=depth, union=items == "union")
        frame = rankings.per_query(*both, requested)
        return rankings.means(frame, requested) if summary else frame

    def explain(self) -> str:
        """The matched names, and the conventions in force."""
        return text.explain(self._matched, self._options)

    def to_markdown(self) -> str:
        """The scores in Markdown."""
        return papers.markdown(self._written)

    def to_latex(self) -> str:
        """The scores in LaTeX (needs booktabs)."""
        return papers.latex(self._written)

    @functools.cached_property
    def _written(self) -> tables.Tables:
        several = len(self._matched.systems) > 1
        return text.tables(self._matched, self._options, self._table, self._effects if several else None)

    def _displays(self) -> Sequence[tables.Tables]:
        """The scores."""
        return [self._written]

    def __str__(self) -> str:
        return tables.text(self._written)
