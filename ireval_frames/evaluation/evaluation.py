"""The result of an evaluation: per unit, summarised, as SQL, explained.  Nothing here knows a family."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import polars as pl

from ireval_frames.displayed import read
from ireval_frames.engines.base import Engine
from ireval_frames.evaluation.planned import SUMMARY, PlannedEvaluation
from ireval_frames.evaluation.request import plan_of
from ireval_frames.evaluation.systems import Comparable, planned_of
from ireval_frames.results import Result, TableQuery, table_method

E = TypeVar("E", bound="Evaluation")


# As many columns and signs as Polars shows of a frame.
MOST_COLUMNS, MOST_SIGNS = 8, 100


class Evaluation(Comparable):
    """The results of an evaluation, computed once, when they are first read; it prints as its summary."""

    # ---- results

    @table_method
    def per_unit(self, *, wide: bool = False, counts: bool = False) -> Result:
        """A row per unit and measure: [run_id, by …], the unit, measure, value.

        Args:
            wide: a row per unit instead, with a column per measure.
            counts: add what the family counts per unit: for rankings n_retrieved, n_judged (of the retrieved),
                n_relevant, n_relevant_retrieved; for labels n_items and n_classes.
        """

        def rows() -> pl.DataFrame:
            shown = self._planned.shape_of_units(wide=wide).of_rows(self._rows.units())
            return self._with_counts(shown, self._planned.named_keys) if counts else shown

        return self._result(lambda planned: planned.unit_results(wide=wide), rows)

    @table_method
    def summary(self, *, wide: bool = False, over: str | Sequence[str] = ()) -> Result:
        """A row per run, group and measure: [run_id, by …], measure, value, n_units, n_undefined.

        Undefined values are left out of the aggregation and counted.  It is computed by the engine: only the summary
        is collected.

        Args:
            wide: a row per run (and group) instead, with a column per measure.
            over: columns of `by=` or `unit=` that make coarser units, from coarse to fine.  `over="user_id"` is the
                mean over users of the means over their units; `over=["user_id", "session_id"]` takes the units of a
                session together first.  Every level aggregates as the measure says, and `n_units` counts the coarsest.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> frame = pl.DataFrame({"user": ["a", "a", "a", "b"], "label": [1, 1, 1, 1], "prediction": [1, 1, 1, 0]})
            >>> ev = ir.Labels(frame.with_row_index("page"), unit=["user", "page"]).evaluate("Accuracy")
            >>> ev.summary().row(0)
            ('Accuracy', 0.75, 4, 0)
            >>> ev.summary(over="user").row(0)
            ('Accuracy', 0.5, 2, 0)
        """
        coarser = tuple(self._planned.coarser(over))

        def rows() -> pl.DataFrame:
            return self._planned.shape_of_summary(wide=wide, over=coarser).of_rows(self._rows.summary(coarser))

        return self._result(lambda planned: planned.summary_results(wide=wide, over=coarser), rows)

    @table_method
    def wide(self) -> Result:
        """A row per run (and group), a column per measure: `summary(wide=True)`."""
        return self.summary.result(wide=True)

    @table_method
    def coverage(self) -> Result:
        """How much the two tables have in common, by run and group; it reads the data once more.

        Returns:
            [run_id, by …] units, a column of items for either table, and items_both; of rankings as
            `RankingEvaluation.coverage` says.

        Raises:
            NotDefined: there is one table only.

        Example:
            >>> import ireval_frames as ir
            >>> gold, predicted = ir.examples.spans()
            >>> ir.Spans(gold, predicted).evaluate("F1").coverage().columns
            ['units', 'documents_gold', 'documents_predicted', 'documents_both']
        """
        return Result(self.engine, self._request.coverage, self._request.file, {"table": "coverage"})

    def explain(self, *, counts: bool = False) -> str:
        """The tables and the measures that read their columns, the cost of Python steps, the policies.

        Args:
            counts: count the rows or queries that each policy affected (reads the data).
        """
        affected: Mapping[str, str] = {}
        if counts:
            self._rows.units()
            affected = self._planned.counts()
        self._planned.overlap()
        policies = []
        for name, value, sentence, source in self.conventions:
            count = f"  [{affected[name]}]" if name in affected else ""
            policies += [f"{name} = {value}{count}  ({source})", *([f"    {sentence}"] if sentence else [])]
        of_policies = {name for name, *_ in self.conventions}
        sections = {
            "steps in Python": [f"{m}: {m.cost}" for m in self.measures if m.cost],
            "ranks": self._planned.ways(),
            "policies": policies,
            "counts": [f"{name}: {text}" for name, text in affected.items() if name not in of_policies],
            "notes": self._planned.notes,
        }
        lines = [self.per_unit.result().explain()]
        for title, texts in sections.items():
            lines += ["", title, *(f"  {text}" for text in texts)] if texts else []
        return "\n".join(lines)

    @property
    def provenance(self) -> dict[str, Any]:
        """Measures, policy, engine and versions: what a stored result needs to be understood."""
        return self.per_unit.result().provenance

    @property
    def conventions(self) -> tuple[tuple[str, Any, str, str], ...]:
        """The policy in force: each convention with its name, value, meaning, and source."""
        return tuple(self._request.policy.described())

    def _displays(self) -> Sequence[pl.DataFrame]:
        """A row per run or group and a column per measure, or a row per measure."""
        return [self.wide() if self._planned.groups else self.summary().select(*SUMMARY)]

    def __str__(self) -> str:
        """A row per run; of more measures than fit beside each other, and fewer runs, a row per measure."""
        (frame,) = self._displays()
        signs = sum(len(name) + len(" ┆ ") for name in frame.columns)
        fits = frame.width <= MOST_COLUMNS and signs <= MOST_SIGNS
        if not fits and len(self._planned.groups) == 1 and frame.height < min(frame.width, MOST_COLUMNS):
            runs = frame.to_series(0).cast(pl.String).fill_null("null")
            frame = frame.drop(runs.name).transpose(include_header=True, header_name="measure", column_names=runs)
        return read(frame)

    def __repr__(self) -> str:
        """The measures; printing computes the values, this does not."""
        measures = " ".join(map(str, self.measures))
        return f"{type(self).__name__}({measures!r}, engine={self.engine.name!r}): print() shows its values"

    # ---- within

    def _result(self, query: Callable[[PlannedEvaluation], TableQuery], rows: Callable[[], pl.DataFrame]) -> Result:
        """A result of the plan: its query on any engine, and its rows, from the cache."""

        def of_plan(engine: Engine) -> TableQuery:
            return query(self._planned if engine is self.engine else plan_of(self._request, engine))

        return Result(self.engine, of_plan, self._request.file, self._details(), rows)

    def _details(self) -> dict[str, Any]:
        """What results are computed from, for provenance."""
        return {
            "measures": [str(m) for m in self.measures],
            "family": self.family,
            "policy": {name: value for name, value, *_ in self.conventions},
        }

    def _with_counts(self, frame: pl.DataFrame, keys: Mapping[str, str]) -> pl.DataFrame:
        """The frame, and what the family counts per unit; its key columns → the aliases of the plan."""
        measures = self._request.count_measures()
        if not measures:
            return frame

        def collect() -> pl.DataFrame:
            return self._rows.of_units(
                replace(self._request, measures=tuple(measures.values()), ordered=False).plan(self.engine)
            )

        rows = self._rows.get("counts", collect)
        counts = (pl.col(f"m{i}").cast(pl.Int64).alias(name) for i, name in enumerate(measures))
        counted = rows.select(*(pl.col(alias).alias(name) for name, alias in keys.items()), *counts)
        if not keys:
            # All rows are one unit.
            return frame.join(counted, how="cross", maintain_order="left")
        return frame.join(counted, on=list(keys), how="left", nulls_equal=True, maintain_order="left")


def units_with_counts(evaluation: Evaluation) -> pl.DataFrame:
    """Values and counts per unit under their aliases, from one run of the plan where none was run yet."""
    request, collected = evaluation._request, evaluation._rows
    counts, n = request.count_measures(), len(request.measures)

    def both() -> Mapping[Any, pl.DataFrame]:
        planned = plan_of(request.of([*request.measures, *counts.values()]))
        rows = collected.of_units(planned)
        values = rows.select(*planned.keys, *(f"m{i}" for i in range(n)))
        numbered = {f"m{i}": f"m{n + i}" for i in range(len(counts))}
        return {"units": values, "counts": rows.select(*planned.keys, **numbered)}

    with request.engine.errors():
        if counts:
            collected.collect_together(("units", "counts"), both)
        return evaluation._with_counts(collected.units(), {k: k for k in planned_of(evaluation).keys})


def without_overlap_check(evaluation: E) -> E:
    """The same evaluation, also where the tables have nothing in common, without a warning."""
    request = evaluation._request
    return type(evaluation)(replace(request, policy=request.policy.with_fields({"overlap": "allow"})))
