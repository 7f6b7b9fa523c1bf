"""What a family says of one kind of table and of its measures, and what is found and expected there, once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit.comparing import Key, Values, by_measure, values
from tests.contract.kit.trying import Untried

ENGINES = ("polars", "duckdb")
Frames = dict[str, pl.DataFrame]
Change = Callable[[Frames], Frames]
# Plans grow with their measures, and DuckDB's texts with them: longer ones take longer per measure.
AT_ONCE = 100


@dataclass(frozen=True)
class Renamed:
    """Other names for what columns hold, that change no value."""

    columns: tuple[str, ...]
    names: Callable[[list[Any]], dict[Any, Any]]
    """From the names that are there, in the order of their bytes, to the new ones."""
    dtype: Any = pl.String
    """The new names' type: an `Enum` without categories has them all, None leaves the type."""
    only: Callable[[Measure], bool] = lambda _: True
    """The measures whose values do not change."""
    options: Callable[[Any, dict[Any, Any]], dict[str, Any]] = lambda *_: {}
    """What the world's evaluation is told of the new names."""

    def of(self, frames: Frames) -> tuple[Frames, dict[Any, Any]]:
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

    kind = column.dtype if dtype is None else pl.List(dtype) if column.dtype == pl.List else dtype
    return pl.Series(column.name, [replaced(name) for name in column.to_list()], dtype=kind)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Kind:
    """Measures of a family over one kind of table.

    What has no meaning for it is said in `without`: the property and why.
    """

    name: str
    family: str
    oracles: Collection[str]
    """The names of its measures that have an oracle for such tables."""
    oracle_place: str
    """Where an oracle is written, for the message of a missing one."""
    worlds: Mapping[str, Any]
    """Small hard tables."""
    main: Collection[str] = ()
    """The worlds in which properties beside the oracle's are tried, if not all."""
    small: Mapping[str, Any] = field(default_factory=dict)
    """Tables with next to nothing in them."""
    unit: str
    """The column that tells units apart."""
    tables: Callable[[Any, Any], Frames]
    """A world's tables by the names that they have in SQL text, in one of the ways of `way`."""
    evaluate: Callable[..., Any]
    """(world, tables, measures, engine, **options) → the evaluation; the only line that knows the family's call."""
    variants: Callable[[Definition, Any], Sequence[Measure]]
    """The measure with all values that are tried in a world; none if the world is not for it."""
    oracle: Callable[[Any, Measure], Values]
    """What is right for every unit of a world."""
    way: Callable[[Measure], Any] = lambda _: None
    """Of measures that need tables of another form: which."""
    tolerance: Callable[[Measure, Key], float] = lambda *_: 1e-12
    bounds: Callable[[Measure], tuple[float, float]] = lambda measure: measure.range
    constant: Collection[str] = ()
    """Measures that have one value in all worlds."""
    renamed: Mapping[str, Renamed] = field(default_factory=dict)
    grouped: str = ""
    """The table that a column of groups stands in, with the unit's column."""
    weight: str = ""
    """The column of weights; an item of weight 2 is two items."""
    item: str = ""
    """The column of ids that no two items have, for copies of them."""
    alone: str = ""
    """The column whose nulls make a group of one item each, of whatever weight."""
    together: Collection[str] = ()
    """Measures whose value of a unit depends on what the other units hold."""
    counts_rows: Collection[str] = ()
    """Measures that a row of weight 2 is one point for."""
    without: Mapping[str, str] = field(default_factory=dict)
    _kept: dict[Any, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return self.name

    @property
    def definitions(self) -> list[Definition]:
        """The measures of the family that have an oracle for such tables."""
        return [d for d in catalog.definitions(self.family) if d.name in self.oracles]

    def world(self, where: Any) -> Any:
        """One of the worlds, or of the small ones, by its name; any other is itself."""
        if not isinstance(where, str):
            return where
        return self.worlds[where] if where in self.worlds else self.small[where]

    def position(self, name: str) -> int:
        """The place of a measure among those of the kind."""
        return [d.name for d in self.definitions].index(name)

    def of(self, where: str, name: str) -> list[Measure]:
        """All variants of a measure that are tried in a world; none if a parameter has no values."""
        kept = self._kept.setdefault("variants", {})
        if (where, name) not in kept:
            try:
                made = list(dict.fromkeys(self.variants(catalog.find(name, self.family), self.world(where))))
            except Untried:
                made = []
            kept[where, name] = made
        found: list[Measure] = kept[where, name]
        return found

    def asked(self, where: str, names: Iterable[str] | None = None) -> list[Measure]:
        """Every variant of every measure that is tried in a world, but for what `--measure` leaves out."""
        from tests.contract.kit.cases import chosen

        return [m for d in chosen(self.definitions) if names is None or d.name in names for m in self.of(where, d.name)]

    def first(self, where: str) -> list[Measure]:
        """The first variant of every measure."""
        return list({m.name: m for m in reversed(self.asked(where))}.values())[::-1]

    def some(self, where: str) -> list[Measure]:
        """The first variant of every measure, and the last two, which several parameters may tell from it."""
        of_name: dict[str, list[Measure]] = {}
        for m in self.asked(where):
            of_name.setdefault(m.name, []).append(m)
        return list(dict.fromkeys(m for made in of_name.values() for m in (made[0], *made[-2:])))

    def evaluation(
        self, where: Any, measures: list[Measure], engine: str, change: Change | None = None, **o: Any
    ) -> Any:
        """The evaluation of measures that need tables of one form."""
        (way,) = {self.way(m) for m in measures}
        frames = self.tables(self.world(where), way)
        return self.evaluate(self.world(where), change(frames) if change else frames, measures, engine, **o)

    def batches(self, measures: Iterable[Measure], size: int = AT_ONCE) -> list[list[Measure]]:
        """Measures that are evaluated in one call."""
        by_way: dict[Any, list[Measure]] = {}
        for m in measures:
            by_way.setdefault(self.way(m), []).append(m)
        return [alike[i : i + size] for alike in by_way.values() for i in range(0, len(alike), size)]

    def evaluated(
        self, where: Any, measures: Iterable[Measure], engine: str, change: Change | None = None, **options: Any
    ) -> dict[str, Values]:
        """What the measures are in a world, by measure.

        Args:
            where: the world, or its name.
            measures: what is asked for.
            engine: on which engine.
            change: made to the tables before.
            options: of the evaluation.
        """
        found: Values = {}
        for batch in self.batches(measures):
            found |= values(self.evaluation(where, batch, engine, change, **options))
        return by_measure(found)

    def found(self, where: str, engine: str) -> dict[str, Values]:
        """All that is tried in a world, evaluated once."""
        kept = self._kept.setdefault("found", {})
        if (where, engine) not in kept:
            kept[where, engine] = self.evaluated(where, self.asked(where), engine)
        out: dict[str, Values] = kept[where, engine]
        return out

    def expected(self, where: str, measure: Measure) -> Values:
        """What the oracle says of a measure in a world, once."""
        kept = self._kept.setdefault("expected", {})
        if (where, measure) not in kept:
            kept[where, measure] = self.oracle(self.world(where), measure)
        out: Values = kept[where, measure]
        return out

    def allowed(self, measure: Measure) -> Callable[[Key], float]:
        """How far from the oracle, or from the other engine, its values may be."""
        return lambda key: self.tolerance(measure, key)
