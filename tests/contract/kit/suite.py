"""Declares tests of measures over one sort of table, and computes each result and each expected value once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit.comparing import Key, Values, by_measure, values
from tests.contract.kit.variants import NoValues

ENGINES = ("polars", "duckdb")
Frames = dict[str, pl.DataFrame]
Change = Callable[[Frames], Frames]
# Plans grow with their measures, and DuckDB's texts with them: longer ones take longer per measure.
BATCH_SIZE = 100


@dataclass(frozen=True)
class Renaming:
    """Other names for what columns hold, that change no value."""

    columns: tuple[str, ...]
    names: Callable[[list[Any]], dict[Any, Any]]
    """From the old names, in the order of their bytes, to the new ones."""
    dtype: Any = pl.String
    """The new names' type: an `Enum` without categories has them all, None leaves the type."""
    applies: Callable[[Measure], bool] = lambda _: True
    """The measures whose values do not change."""
    options: Callable[[Any, dict[Any, Any]], dict[str, Any]] = lambda *_: {}
    """(case, new names by the old ones) → options of the evaluation."""

    def apply(self, frames: Frames) -> tuple[Frames, dict[Any, Any]]:
        """The tables with the new names, and those by the old ones."""
        cells = [cell for frame in frames.values() for c in self._in(frame) for cell in frame[c].drop_nulls().to_list()]
        old = {name for cell in cells for name in (cell if isinstance(cell, list) else [cell])}
        new = self.names(sorted(old, key=lambda n: (isinstance(n, str), n.encode() if isinstance(n, str) else n)))
        dtype = pl.Enum(sorted(map(str, new.values()))) if self.dtype is pl.Enum else self.dtype
        renamed = {
            name: frame.with_columns(_replaced(frame[c], new, dtype) for c in self._in(frame))
            for name, frame in frames.items()
        }
        return renamed, new

    def _in(self, frame: pl.DataFrame) -> list[str]:
        return [c for c in self.columns if c in frame.columns]


def _replaced(column: pl.Series, new: dict[Any, Any], dtype: Any) -> pl.Series:
    def replaced(name: Any) -> Any:
        return None if name is None else [replaced(n) for n in name] if isinstance(name, list) else new[name]

    new_dtype = column.dtype if dtype is None else pl.List(dtype) if column.dtype == pl.List else dtype
    return pl.Series(column.name, [replaced(name) for name in column.to_list()], dtype=new_dtype)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Suite:
    """Tests of measures of a family over one sort of table.

    Properties that have no meaning for it are in `skip`, with the reason.
    """

    name: str
    family: str
    oracles: Collection[str]
    """The names of its measures that have an oracle for such tables."""
    oracle_place: str
    """Where an oracle is written, for the message of a missing one."""
    oracle_lists: Callable[[Definition], str] = lambda _: ""
    """What must be written in the file of the oracles besides, for a measure declared so; empty if all is there."""
    cases: Mapping[str, Any]
    """Test cases by name: small hard tables."""
    main: Collection[str] = ()
    """The cases in which properties beside the oracle's are tested, if not all."""
    small: Mapping[str, Any] = field(default_factory=dict)
    """Cases with next to nothing in them."""
    unit: str
    """The column of units."""
    tables: Callable[[Any, Any], Frames]
    """(case, form) → its tables by the names that they have in SQL text."""
    evaluate: Callable[..., Any]
    """(case, tables, measures, engine, **options) → the evaluation; the only line that knows the family's call."""
    variants: Callable[[Definition, Any], Sequence[Measure]]
    """(definition, case) → the measure with all values that are tried; none if the case is not for it."""
    oracle: Callable[[Any, Measure], Values]
    """(case, measure) → the expected value of every unit."""
    form: Callable[[Measure], Any] = lambda _: None
    """Of measures that need tables of another form: which."""
    tolerance: Callable[[Measure, Key], float] = lambda *_: 1e-12
    bounds: Callable[[Measure], tuple[float, float]] = lambda measure: measure.range
    constant: Collection[str] = ()
    """Measures that have one value in all cases."""
    renamings: Mapping[str, Renaming] = field(default_factory=dict)
    grouped: str = ""
    """The table that has the unit's column, to which columns of groups are added."""
    weight: str = ""
    """The column of weights; an item of weight 2 is two items."""
    item: str = ""
    """The column of unique ids, which copies of items need."""
    singletons: str = ""
    """The column whose nulls are groups of one item each, of any weight."""
    across_units: Collection[str] = ()
    """Measures whose value of a unit depends on the other units."""
    counts_rows: Collection[str] = ()
    """Measures for which a row of weight 2 is one point."""
    skip: Mapping[str, str] = field(default_factory=dict)
    """Properties that have no meaning here, and why: weights, names, runs."""
    _cache: dict[Any, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return self.name

    @property
    def definitions(self) -> list[Definition]:
        """The measures of the family that have an oracle for such tables."""
        return [d for d in catalog.definitions(self.family) if d.name in self.oracles]

    def case(self, case: Any) -> Any:
        """A case by its name; anything but a name is itself."""
        if not isinstance(case, str):
            return case
        return self.cases[case] if case in self.cases else self.small[case]

    def position(self, name: str) -> int:
        """The index of a measure among those of the suite."""
        return [d.name for d in self.definitions].index(name)

    def variants_of(self, case: str, name: str) -> list[Measure]:
        """All variants of a measure in a case; none if no values are declared for a parameter."""
        key = ("variants", case, name)
        if key not in self._cache:
            try:
                variants = list(dict.fromkeys(self.variants(catalog.find(name, self.family), self.case(case))))
            except NoValues:
                variants = []
            self._cache[key] = variants
        out: list[Measure] = self._cache[key]
        return out

    def cases_of(self, name: str) -> list[str]:
        """The cases in which a measure has variants.

        Raises:
            NoValues: no values are declared for a parameter of it.
            AssertionError: it has none in any case.
        """
        cases = [case for case in self.cases if self.variants_of(case, name)]
        if not cases:
            for case in self.cases.values():
                self.variants(catalog.find(name, self.family), case)
            raise AssertionError(f"{name} has no variants in the cases of {self}: see its `variants`")
        return cases

    def measures(self, case: str) -> list[Measure]:
        """Every variant of every selected measure in a case."""
        from tests.contract.kit.selection import selected

        return [m for d in selected(self.definitions) for m in self.variants_of(case, d.name)]

    def first_variants(self, case: str) -> list[Measure]:
        """The first variant of every measure."""
        return list({m.name: m for m in reversed(self.measures(case))}.values())[::-1]

    def few_variants(self, case: str) -> list[Measure]:
        """The first variant of every measure, and the last two, which may differ from it in several parameters."""
        by_name: dict[str, list[Measure]] = {}
        for m in self.measures(case):
            by_name.setdefault(m.name, []).append(m)
        return list(dict.fromkeys(m for variants in by_name.values() for m in (variants[0], *variants[-2:])))

    def frames(self, case: Any, measure: Measure | None = None) -> Frames:
        """The tables of a case in the form that a measure needs: the first one, if none is given."""
        return self.tables(self.case(case), self.form(measure or self.measures(case)[0]))

    def evaluation(
        self, case: Any, measures: list[Measure], engine: str, change: Change | None = None, **options: Any
    ) -> Any:
        """The evaluation of measures that need tables of one form."""
        (form,) = {self.form(m) for m in measures}
        frames = self.tables(self.case(case), form)
        return self.evaluate(self.case(case), change(frames) if change else frames, measures, engine, **options)

    def batches(self, measures: Iterable[Measure], size: int = BATCH_SIZE) -> list[list[Measure]]:
        """Measures that are evaluated in one call."""
        by_form: dict[Any, list[Measure]] = {}
        for m in measures:
            by_form.setdefault(self.form(m), []).append(m)
        return [group[i : i + size] for group in by_form.values() for i in range(0, len(group), size)]

    def compute(
        self, case: Any, measures: Iterable[Measure], engine: str, change: Change | None = None, **options: Any
    ) -> dict[str, Values]:
        """The values of measures in a case, by measure.

        Args:
            case: the case, or its name.
            measures: which measures.
            engine: on which engine.
            change: of the tables, before they are evaluated.
            options: of the evaluation.
        """
        out: Values = {}
        for batch in self.batches(measures):
            out |= values(self.evaluation(case, batch, engine, change, **options))
        return by_measure(out)

    def results(self, case: str, engine: str) -> dict[str, Values]:
        """The values of all variants in a case, computed once."""
        key = ("results", case, engine)
        if key not in self._cache:
            self._cache[key] = self.compute(case, self.measures(case), engine)
        out: dict[str, Values] = self._cache[key]
        return out

    def expected(self, case: str, measure: Measure) -> Values:
        """The values of the oracle, computed once."""
        key = ("expected", case, measure)
        if key not in self._cache:
            self._cache[key] = self.oracle(self.case(case), measure)
        out: Values = self._cache[key]
        return out

    def tolerance_of(self, measure: Measure) -> Callable[[Key], float]:
        """By unit: how far values may be from the oracle's and from the other engine's."""
        return lambda key: self.tolerance(measure, key)
