"""Where two systems differ: units by difference, hardest units, segments.  Nothing here knows a family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.columns.user_names import columns_named
from ireval_frames.comparison import diagnosis_tables as tables
from ireval_frames.comparison.diagnosis_tables import SYSTEM, Pair, Paired, PerUnitQuery, Units
from ireval_frames.declaration import Measure
from ireval_frames.displayed import Displayed
from ireval_frames.engines.base import Engine
from ireval_frames.errors import (
    Argument,
    Hint,
    InvalidParameter,
    MissingColumn,
    NotDefined,
    UnknownName,
    listed,
    nearest,
)
from ireval_frames.results import Result, TableQuery, table_method

SHOWN = 5


class Diagnosis(Displayed):
    """Where a system differs from another by one measure; it prints as its largest gains and losses.

    Differences are the value of `system` less that of `baseline`; a gain is a difference to the better side.
    """

    result_columns: tuple[str, ...] = (
        "value_baseline", "value", "difference", "better", "share", "cumulative_share", "mean_baseline", "mean", "best",
        "median", "worst", "spread", "n", "n_better", "n_worse", "n_equal", "n_undefined",
    )  # fmt: skip
    """The columns of results, whose names groups and units must not have."""

    def __init__(self, valued: PerUnitQuery, system: Any, baseline: Any, measure: Measure) -> None:
        self.measure, self.system, self.baseline = measure, system, baseline
        self._valued = valued
        self._pair = Pair(str(system), str(baseline), measure.definition.higher_is_better)
        if not valued.several:
            raise NotDefined(
                "This evaluation is of one system: its units have no run_id.",
                f"Put the systems into one table, with a column run_id: pl.concat([a.with_columns(run_id="
                f"pl.lit({self._pair.system!r})), b.with_columns(run_id=pl.lit({self._pair.baseline!r}))])",
            )
        if self._pair.system == self._pair.baseline:
            raise InvalidParameter(f"system and baseline are both {system!r}.", "Name two systems.")
        for name in (*valued.by, *valued.unit):
            if name.lower() in self.result_columns:
                raise InvalidParameter(
                    f"A column {name!r} groups the units, and results have a column of that name.",
                    f'Rename it: frame.rename({{"{name}": "{name}_group"}})',
                )

    # ---- results

    @table_method
    def topics(self) -> Result:
        """The units (queries, users, folds …) from the largest gain to the largest loss.

        difference = value − value_baseline;  share = difference / Σ difference.

        Returns:
            [by …] [unit] value_baseline value difference better share cumulative_share: a row per unit of either
            system.  `better`: whether the system's value is better; null where both are equal but
            for rounding, or the measure has no direction.  `cumulative_share` sums the shares of the rows down to here;
            it passes 1 where losses follow gains.  A unit without both values has no difference and
            comes last; shares are null where the differences sum to 0.

        Raises:
            UnknownName: there is no such system.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> qrels, run = ir.examples.ranking()
            >>> turned = run.with_columns(score=-pl.col("score"))
            >>> runs = pl.concat([run.with_columns(run_id=pl.lit("a")), turned.with_columns(run_id=pl.lit("b"))])
            >>> ir.evaluate(qrels, runs, "RR").diagnose("b", "a").topics().row(0)
            ('q', 1.0, 0.3333333333333333, -0.6666666666666667, False, 1.0, 1.0)
        """
        return self._result("topics", lambda units: tables.topics(Paired(units, self._pair)))

    @table_method
    def hardest(self) -> Result:
        """The units over all systems of the evaluation, the hardest first: by their mean.

        Returns:
            [by …] [unit] mean best median worst spread n: of the n systems that have a value; `spread` is the standard
            deviation (over n − 1), null for one system.  `best` follows the measure's direction; without one, larger is
            better.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> qrels, run = ir.examples.ranking()
            >>> turned = run.with_columns(score=-pl.col("score"))
            >>> runs = pl.concat([run.with_columns(run_id=pl.lit("a")), turned.with_columns(run_id=pl.lit("b"))])
            >>> ir.evaluate(qrels, runs, "RR").diagnose("b", "a").hardest().select("best", "worst", "n").row(0)
            (1.0, 0.3333333333333333, 2)
        """
        return self._result("hardest", lambda units: tables.hardest(units, self._pair))

    @table_method
    def segments(self, by: str | Sequence[str] | None = None, table: Any = None) -> Result:
        """Groups of units from the largest gain to the largest loss, with their share of the difference.

        share = Σ difference of the segment / Σ difference of all;  difference is the mean of the segment's units.

        Args:
            by: the columns that group units: what `by=` of `evaluate` may name, a unit's columns, or those of `table`.
                By default the evaluation's `by=`.
            table: a table with the columns of the unit and those of `by`, a row per unit: a frame, a path, a relation.
                Units that it lacks are a segment of their own, null.

        Returns:
            by … n mean_baseline mean difference share n_better n_worse n_equal n_undefined.  Units without both values
            are counted in n_undefined and in nothing else; shares are null where the differences sum to 0.

        Raises:
            NotDefined: there is nothing to group by.
            UnknownName: there is no such system.
            MissingColumn: no table has the column.
            DuplicateRows: the table has several rows of a unit.
        """
        requested, known = columns_named(by, "by"), (*self._valued.by, *self._valued.unit)
        if by is None:
            requested = self._valued.by
        if not requested:
            raise NotDefined(
                "There is nothing to make segments of.",
                Hint(
                    "Name columns of the units, or of a table of units: ",
                    Argument("by", "lang", "segments({}, table=queries)"),
                    ".",
                ),
            )
        if table is None and set(requested) <= {*known}:
            return self._result("segments", lambda units: self._segments_of_units(units, requested))
        regrouped = self._regrouped(requested) if table is None else None
        if regrouped is not None:
            return self._result("segments", lambda units: self._segments_of_units(units, requested), regrouped)
        if table is None:
            missing = next(name for name in requested if name not in known)
            raise MissingColumn(
                f"The units have no column {missing!r} (they have: {listed(known) or 'none'}).",
                f"Pass the table that has it: segments(by={missing!r}, table=queries)",
            )
        return self._result("segments", lambda units: self._segments_of_table(units, requested, table), lazily=True)

    @table_method
    def summary(self) -> Result:
        """One row of all units: the segment that holds everything.

        Returns:
            n mean_baseline mean difference share n_better n_worse n_equal n_undefined.

        Raises:
            UnknownName: there is no such system.
        """
        return self._result("summary", lambda units: self._segments_of_units(units, ()))

    @property
    def headline(self) -> str:
        """The mean difference and how many units gained and lost, in a line."""
        row = self.summary().row(0, named=True)
        counts = [f"{row[f'n_{word}']} {word}" for word in ("better", "worse") if row[f"n_{word}"] is not None]
        counts += [f"{row['n_equal']} equal"] + ([f"{n} undefined"] if (n := row["n_undefined"]) else [])
        mean = "undefined" if row["difference"] is None else f"{row['difference']:+.4f}"
        units = f"{row['n']} units ({', '.join(counts)})"
        return f"{self.measure} of {self.system} against {self.baseline}: {mean} over {units}"

    def _displays(self) -> Sequence[pl.DataFrame | str]:
        """The headline, and the largest gains and losses."""
        rows = self.topics()
        if rows.height > 2 * SHOWN:
            rows = pl.concat([rows.head(SHOWN), rows.tail(SHOWN)])
        return [self.headline, rows.drop("share")]

    def __str__(self) -> str:
        with pl.Config(tbl_rows=2 * SHOWN, tbl_hide_column_data_types=True, tbl_hide_dataframe_shape=True):
            return "\n".join(map(str, self._displays()))

    # ---- within

    def _regrouped(self, by: Sequence[str]) -> PerUnitQuery | None:
        """The values of the same units in other groups, where the subject knows them."""
        del by
        return None

    def _result(
        self,
        name: str,
        make: Callable[[Units], TableQuery],
        values: PerUnitQuery | None = None,
        *,
        lazily: bool = False,
    ) -> Result:
        """A table of the values; from those in memory where `make` needs nothing else."""
        valued, measure = values or self._valued, str(self.measure)

        def query(engine: Engine) -> TableQuery:
            table_query = make(valued.units(engine, measure))
            return replace(table_query, checks=(*table_query.checks, lambda: self._known(engine)))

        def rows() -> pl.DataFrame:
            units = valued.collected(measure)
            self._known_in(units)
            return make(units).collect()

        return Result(
            valued.result.engine, query, valued.result.files, self._provenance(name), None if lazily else rows
        )

    def _provenance(self, table: str) -> dict[str, Any]:
        """The provenance of a table."""
        pair_names = {"measures": [str(self.measure)], "system": self._pair.system, "baseline": self._pair.baseline}
        return {**self._valued.result.details, **pair_names, "table": table}

    def _known(self, engine: Engine) -> None:
        """Refuse systems that there are not, reading the data."""
        self._known_in(self._valued.units(engine, str(self.measure)))

    def _known_in(self, units: Units) -> None:
        """Refuse systems that there are not.

        Raises:
            UnknownName: one is such.
        """
        systems = units.plan.engine.collect(units.table.frame().select(SYSTEM).unique())[SYSTEM]
        names = systems.cast(pl.String).drop_nulls().sort().to_list()
        for what, name in (("system", self._pair.system), ("baseline", self._pair.baseline)):
            if name not in names:
                raise UnknownName(f"{what} is {name!r}, and there is no such system.", nearest(name, names))

    def _segments_of_units(self, units: Units, requested: Sequence[str]) -> TableQuery:
        paired = Paired(units, self._pair)
        aliases = {name: alias for alias, name in {**units.by, **units.unit}.items()}
        return tables.segments(paired, paired.table, {aliases[name]: name for name in requested})

    def _segments_of_table(self, units: Units, requested: Sequence[str], table: Any) -> TableQuery:
        paired, segments = Paired(units, self._pair), {f"segment_{i}": name for i, name in enumerate(requested)}
        joined, check = tables.in_segments(paired, table, segments)
        query = tables.segments(paired, joined, segments)
        return replace(query, checks=(*query.checks, check))


def find_measure(measures: Sequence[Measure], measure: str | Measure | None) -> Measure:
    """The measure of that name among those of an evaluation.

    Raises:
        InvalidParameter: none is named, and there are several.
        UnknownName: it was not evaluated.
    """
    names = [str(m) for m in measures]
    if measure is None and len(measures) == 1:
        return measures[0]
    if measure is None:
        raise InvalidParameter(
            f"The evaluation is of {len(names)} measures: {listed(names)}.",
            Hint("Name one: ", Argument("measure", names[0])),
        )
    text = str(measure)
    if isinstance(measure, str) and text not in names:
        text = str(catalog.parse(text, measures[0].definition.family))
    if text not in names:
        raise UnknownName(f"{measure} is no measure of this evaluation.", nearest(text, names))
    return measures[names.index(text)]
