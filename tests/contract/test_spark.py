"""Spark gives the same values as Polars, for every relational measure, in the first case of every suite."""

from __future__ import annotations

import pytest

from ireval_frames.declaration import Measure
from tests import spark
from tests.contract.kit import Suite, differences, main_cases, parametrize
from tests.contract.kit.comparing import Key

# Sums are in the order of partitions; products are sums of logarithms.
TOLERANCE = 1e-11
# Spark does not compute measures of points.
FAMILIES = (
    "answers",
    "nuggets",
    "citations",
    "verdicts",
    "ranking",
    "labels",
    "links",
    "relations",
    "clusters",
    "coreference",
    "exposure",
    "organization",
    "similarity",
    "clicks",
    "ratings",
    "recommendations",
    "segmentation",
    "spans",
    "timings",
)
# Measures per plan: Spark spends more time planning than running.
BATCH_SIZE = 400
# The default of `max_depth`, and its value here.
DEEP, SHALLOW = 1000, 30
PARTITIONS = "spark.sql.shuffle.partitions"
# Suites whose plans join, rank and nest groups; every n-th of their measures is tested with several partitions.
SHUFFLED_SUITES = ("rankings", "clusters")
STEP = 12


@parametrize("case", lambda suite: main_cases(suite)[:1] if suite.family in FAMILIES else [], engines=False)
def test_spark_equals_polars(suite: Suite, case: str) -> None:
    spark.session()
    assert_equal(suite, case, [shallow(m) for m in suite.first_variants(case)])


@parametrize("case", lambda suite: main_cases(suite)[:1] if suite.name in SHUFFLED_SUITES else [], engines=False)
def test_spark_shuffles(suite: Suite, case: str) -> None:
    """Some measures on several partitions, some of which are empty."""
    settings = spark.session().conf
    before = settings.get(PARTITIONS)
    settings.set(PARTITIONS, 3)
    try:
        assert_equal(suite, case, suite.batches(suite.first_variants(case), BATCH_SIZE)[0][::STEP])
    finally:
        settings.set(PARTITIONS, before)


def shallow(measure: Measure) -> Measure:
    """The measure with a smaller `max_depth`: the same plan on fewer rows."""
    deep = "max_depth" in measure.definition.parameters and measure.arguments()["max_depth"] == DEEP
    return measure(max_depth=SHALLOW) if deep else measure


def assert_equal(suite: Suite, case: str, measures: list[Measure]) -> None:
    """Measures have the values of Polars, and no temporary tables remain."""
    expected, actual = suite.compute(case, measures, "polars"), {}
    for batch in suite.batches(measures, BATCH_SIZE):
        actual |= suite.compute(case, batch, "spark")
    failures = []
    for measure in measures:

        def allowed(key: Key, of: object = measure) -> float:
            return max(TOLERANCE, suite.tolerance(of, key))

        failures += differences(actual[str(measure)], expected[str(measure)], allowed)
    assert not failures, f"{len(failures)} differ:\n" + "\n".join(failures[:10])
    assert spark.left() == []


def test_every_family_but_points_is_tested() -> None:
    from ireval_frames import catalog

    assert {d.family for d in catalog.definitions()} - set(FAMILIES) == {"points"}
    pytest.importorskip("pyspark")
