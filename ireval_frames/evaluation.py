"""The result of an evaluation: per unit, summarized, wide, as SQL, explained.  Nothing here knows a family."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.built import SUMMARY, per_unit, summary
from ireval_frames.computed import Computed
from ireval_frames.displayed import read
from ireval_frames.engines.base import Engine
from ireval_frames.errors import UnknownName, nearest
from ireval_frames.results import Ready, Result, result
from ireval_frames.shapes import long, summary_long, summary_wide

RESULTS = ("per_unit", "summary")


class Evaluation(Computed):
    """Asked measures over units (queries, groups of items), computed when first looked at, once.

    It prints as its summary.
    """

    # ---- results

    @result
    def per_unit(self, *, wide: bool = False, counts: bool = False) -> Result:
        """A row per unit and measure: [run_id, by …], the unit, measure, value.

        Args:
            wide: a row per unit instead, with a column per measure.
            counts: add what the family counts per unit: for rankings n_retrieved, n_judged (of the retrieved),
                n_relevant, n_relevant_retrieved; for labels n_items and n_classes.
        """

        def made(engine: Engine) -> Ready:
            built = self._built_on(engine)
            return per_unit(built, self.measures, wide=wide)

        def collected() -> pl.DataFrame:
            units = self._units()
            frame = units.rename(self._labels) if wide else long(units, self._labels)
            return (self._counted(frame) if counts else frame).rename(self._built.named, strict=False)

        return self._result(made, collected)

    @result
    def summary(self, *, wide: bool = False, over: str | Sequence[str] = ()) -> Result:
        """A row per run, group and measure: [run_id, by …], measure, value, n_units, n_undefined, in the order asked.

        Undefined values are left out of the aggregation and counted.  It is computed by the engine: only the summary
        leaves it.

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
        coarser = tuple(self._built.coarser(over))

        def made(engine: Engine) -> Ready:
            return summary(self._built_on(engine), self.measures, wide=wide, over=coarser)

        def collected() -> pl.DataFrame:
            frame = self._once(("summary", *coarser), lambda: self._summarise(coarser))
            groups, named = [k for k in self._built.groups if k not in coarser], self._built.named
            return (
                summary_wide(frame, self.measures, groups, named)
                if wide
                else summary_long(frame, self.measures, groups, named)
            )

        return self._result(made, collected)

    @result
    def wide(self) -> Result:
        """A row per run (and group), a column per measure: `summary(wide=True)`."""
        return self.summary.result(wide=True)

    @result
    def coverage(self) -> Result:
        """How much the two tables have in common, by run and group; it reads the data once more.

        Returns:
            Of rankings: [run_id, by …] queries_judged, queries_retrieved, queries_both, documents_judged,
            documents_retrieved (for judged queries), documents_both, and judged_at_10: the share of the first ten
            documents of judged queries that are judged, null where there are none.  With `by=` of judgments or of
            queries, `queries_retrieved` counts queries of the groups.
            Of items in two tables: [run_id, by …] units, a column of items for either table, and items_both.

        Raises:
            NotDefined: all is in one table.

        Example:
            >>> import ireval_frames as ir
            >>> ev = ir.evaluate(*ir.examples.ranking(), "AP")
            >>> ev.coverage().select("queries_both", "documents_judged", "documents_both", "judged_at_10").row(0)
            (1, 5, 4, 0.8)
        """
        return Result(self._engine, self._build.coverage, self._build.file, {"table": "coverage"})

    def to_native(self, result: str = "per_unit", *, wide: bool = False) -> Any:
        """A result, still lazy, in the engine's own kind: a Polars LazyFrame or a DuckDB relation.

        Nothing is read now, so the data is not checked; any other way to a result checks it first.

        Args:
            result: "per_unit" or "summary".
            wide: a column per measure.
        """
        return self._named(result, wide=wide).to_native()

    def sql(
        self,
        result: str = "per_unit",
        *,
        wide: bool = False,
        dialect: str | None = None,
        view: str | None = None,
        dbt: bool = False,
    ) -> str:
        """The statement that DuckDB runs, with a named stage per table of the plan, against the caller's own tables.

        It gives the columns of the result of that name.  Frames are spoken of as tables by the names of the arguments
        (`qrels` and `run`, `labels`, `clusters` …); files are read where they are.

        Args:
            result: "per_unit" or "summary".
            wide: a column per measure.
            dialect: another database, such as "postgres", in whose words it is (`Result.sql`).
            view: the name of a view that the text makes.
            dbt: the text is a dbt model, whose tables are `ref`s.
        """
        return self._named(result, wide=wide).sql(dialect, view=view, dbt=dbt)

    def to_view(self, name: str, result: str = "per_unit", *, wide: bool = False, replace: bool = False) -> None:
        """Make a view of a result in the DuckDB connection of the evaluation; the data is not checked.

        Args:
            name: the view, `schema.name` included.
            result: "per_unit" or "summary".
            wide: a column per measure.
            replace: a view that has the name gives way.

        Example:
            >>> import duckdb, ireval_frames as ir
            >>> con = duckdb.connect()
            >>> for name, frame in zip(("qrels", "run"), ir.examples.ranking()):
            ...     con.from_arrow(frame.to_arrow()).create(name)
            >>> ir.evaluate("qrels", "run", "P@5 RR", con=con).to_view("per_topic", wide=True)
            >>> con.sql("SELECT * FROM per_topic").columns
            ['query_id', 'P@5', 'RR']
        """
        self._named(result, wide=wide).to_view(name, replace=replace)

    def to_table(self, name: str, result: str = "per_unit", *, wide: bool = False, replace: bool = False) -> None:
        """Make a table of a result in the DuckDB connection of the evaluation; the data is checked.

        Args:
            name: the table, `schema.name` included.
            result: "per_unit" or "summary".
            wide: a column per measure.
            replace: a table that has the name gives way.
        """
        self._named(result, wide=wide).to_table(name, replace=replace)

    def explain(self, *, counts: bool = False) -> str:
        """The tables, who asked for their columns, what steps in Python cost, how ranks were found, and the policies.

        Args:
            counts: say how many rows or queries each policy touched (reads the data).
        """
        touched: Mapping[str, str] = {}
        if counts:
            self._units()
            touched = self._built.counts()
        self._built.overlap()
        policies = []
        for name, value, sentence, source in self._policy:
            touch = f"  [{touched[name]}]" if name in touched else ""
            policies += [f"{name} = {value}{touch}  ({source})", *([f"    {sentence}"] if sentence else [])]
        sections = {
            "steps in Python": [f"{m}: {m.cost}" for m in self.measures if m.cost],
            "ranks": self._built.ways(),
            "policies": policies,
            "notes": self._built.notes,
        }
        lines = [self.per_unit.result().explain()]
        for title, told in sections.items():
            lines += ["", title, *(f"  {line}" for line in told)] if told else []
        return "\n".join(lines)

    @property
    def provenance(self) -> dict[str, Any]:
        """Measures, policy, engine and versions: what a stored result needs to be understood."""
        return self.per_unit.result().provenance

    @property
    def conventions(self) -> tuple[tuple[str, Any, str, str], ...]:
        """The policy in force: of each convention its name, value, what that means, and who does it so."""
        return tuple(self._policy)

    def displays(self) -> Sequence[pl.DataFrame]:
        """A row per run or group and a column per measure, or a row per measure."""
        return [self.wide() if self._built.groups else self.summary().select(*SUMMARY)]

    def __str__(self) -> str:
        return read(*self.displays())

    def __repr__(self) -> str:
        """What was asked; nothing is computed, as it is to print it."""
        asked = " ".join(map(str, self.measures))
        return f"{type(self).__name__}({asked!r}, engine={self._engine.name!r}): print() shows its values"

    def with_counts(self) -> pl.DataFrame:
        """Values and counts per unit under their aliases, from one run of the plan where none was run yet."""
        counts, n = self._build.count_measures(), len(self.measures)
        with self._engine.errors(), self._lock:
            if counts and not {"units", "counts"} & self._collected.keys():
                built = self._made(self._engine, [*self.measures, *counts.values()])
                rows = self._rows(built)
                self._collected["units"] = rows.select(*built.keys, *self._labels)
                self._collected["counts"] = rows.select(
                    *built.keys, **{f"m{i}": pl.col(f"m{n + i}") for i in range(len(counts))}
                )
            return self._counted(self._units())

    @property
    def engine(self) -> Engine:
        """Where it is computed."""
        return self._engine

    @property
    def family(self) -> str:
        """The family of the measures."""
        return self._family

    # ---- within

    def _named(self, name: str, *, wide: bool) -> Result:
        if name not in RESULTS:
            raise UnknownName(f"There is no result {name!r}.", nearest(name, RESULTS))
        return self.per_unit.result(wide=wide) if name == "per_unit" else self.summary.result(wide=wide)

    def _result(self, made: Callable[[Engine], Ready], collected: Callable[[], pl.DataFrame] | None = None) -> Result:
        says = {
            "measures": [str(m) for m in self.measures],
            "family": self._family,
            "policy": {name: value for name, value, *_ in self._policy},
        }
        return Result(self._engine, made, self._build.file, says, collected)
