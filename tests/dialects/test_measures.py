"""Every relational measure gives our numbers on real databases."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
import pytest

from ireval_frames.declaration import Measure
from ireval_frames.errors import NotDefined
from tests.contract.kit import Suite, Values, assert_same, is_one_measure, suites
from tests.dialects.databases import Database, close_all, started
from tests.dialects.running import ran

# Not all databases compensate sums, and products are computed by logarithms.
TOLERANCE = 1e-11
COMPLETE = ("postgres", "clickhouse", "datafusion")
# Spark takes as long for one statement as the others for all: how many measures of which suites.
ON_SPARK = {"rankings": 3, "clusters": 2}
# Families whose patterns of texts are DuckDB's: other databases write classes of Unicode otherwise, or have none.
PATTERNS = ("answers",)


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


def cover(suite: Suite) -> dict[str, list[Measure]]:
    """Every relational measure of a suite once, in the first case that it is tried in."""
    out: dict[str, list[Measure]] = {}
    for definition in suite.definitions:
        tried = ((case, m) for case in suite.cases for m in suite.variants_of(case, definition.name))
        for case, measure in tried:
            if measure.runs == "relational":
                out.setdefault(case, []).append(measure)
                break
    return out


def written() -> list[Suite]:
    """The suites of measures that can be written for other databases."""
    return [suite for suite in suites() if suite.family not in PATTERNS]


def check(database: Database, dialect: str, suite: Suite, case: str, batch: list[Measure]) -> None:
    """Run one statement, and compare it with Polars."""
    frames = suite.frames(case, batch[0])
    evaluation = suite.evaluation(case, batch, "polars")
    database.load({name: frame.with_columns(pl.col(pl.Categorical).cast(pl.String)) for name, frame in frames.items()})
    names, rows = database.run(evaluation.per_unit.sql(wide=True, dialect=dialect))
    expected = evaluation.per_unit(wide=True)
    assert names == expected.columns
    keys = len(names) - len(batch)
    if database.in_order:
        assert [row[:keys] for row in rows] == [row[:keys] for row in expected.rows()]
    assert_same(by_unit(names, rows, keys), by_unit(names, expected.rows(), keys), TOLERANCE, f"{dialect}, {case}")


def by_unit(names: list[str], rows: list[tuple[Any, ...]], keys: int) -> Values:
    """The values of rows by measure and unit."""
    return {(names[i], *row[:keys]): number(row[i]) for row in rows for i in range(keys, len(names))}


# Families whose statements take Spark too long; no page claims them.
TOO_LONG = ("ratings", "recommendations")


def number(value: Any) -> float | None:
    if value is None:
        return None
    # No number is unequal to itself.
    return math.inf if math.isnan(value) else float(value)


@pytest.mark.parametrize("suite", written(), ids=str)
@pytest.mark.parametrize("dialect", COMPLETE)
def test_every_measure(dialect: str, suite: Suite, runs: Callable[..., None]) -> None:
    database = started(dialect)
    for case, some in cover(suite).items():
        for batch in suite.batches(some):
            check(database, dialect, suite, case, batch)
            runs(dialect, *batch, family=suite.family)


@pytest.mark.parametrize("suite", written(), ids=str)
def test_every_measure_on_spark(suite: Suite, runs: Callable[..., None], request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--record-agreement"):
        pytest.skip("all measures on Spark take minutes: make docs runs them")
    if suite.family in TOO_LONG:
        pytest.skip("the planner of Spark SQL runs out of time or memory")
    for case, some in cover(suite).items():
        for batch in suite.batches(some):
            check(started("spark"), "spark", suite, case, batch)
            runs("spark", *batch, family=suite.family)


def test_every_measure_is_recorded() -> None:
    """Those of Spark were recorded when the pages were made."""
    if is_one_measure():
        pytest.skip("only some measures are selected")
    every = {f"{suite.family}.{m.name}" for suite in written() for some in cover(suite).values() for m in some}
    on_spark = {name for name in every if name.partition(".")[0] not in TOO_LONG}
    assert ran() == dict.fromkeys(COMPLETE, every) | {"spark": on_spark}


@pytest.mark.parametrize("name", ON_SPARK)
def test_some_measures_on_spark(name: str) -> None:
    for suite in suites():
        if str(suite) == name:
            case, some = next(iter(cover(suite).items()))
            check(started("spark"), "spark", suite, case, suite.batches(some)[0][: ON_SPARK[name]])


@pytest.mark.parametrize("dialect", [*COMPLETE, "spark"])
def test_patterns_are_refused(dialect: str) -> None:
    for suite in suites():
        if suite.family in PATTERNS:
            case, (first, *_) = next(iter(cover(suite).items()))
            with pytest.raises(NotDefined, match="needs the function regexp"):
                suite.evaluation(case, [first], "polars").summary.sql(dialect=dialect)
