"""Spark gives Polars' numbers, for every relational measure, in the first case of every suite."""

from __future__ import annotations

import pytest

from ireval_frames.declaration import Measure
from tests import spark
from tests.contract.kit import Suite, differences, main_cases, parametrize
from tests.contract.kit.comparing import Key

# Its sums are added as its partitions come; logarithms stand in the place of products.
TOLERANCE = 1e-11
# What compares points is not asked of Spark.
FAMILIES = ("ranking", "labels", "clusters", "organization", "similarity", "clicks", "ratings")
# As many measures are one plan: planning costs Spark more than running.
AT_ONCE = 400
# The last rank that is walked to, unless told, and the one told here.
DEEP, SHALLOW = 1000, 30
PARTITIONS = "spark.sql.shuffle.partitions"
# Kinds whose plans join, rank and nest groups; every so many of their measures are asked once more.
SHUFFLED = ("rankings", "clusters")
EVERY = 12


@parametrize("case", lambda suite: main_cases(suite)[:1] if suite.family in FAMILIES else [], engines=False)
def test_spark_equals_polars(suite: Suite, case: str) -> None:
    spark.session()
    equal(suite, case, [shallow(m) for m in suite.first_variants(case)])


@parametrize("case", lambda suite: main_cases(suite)[:1] if suite.name in SHUFFLED else [], engines=False)
def test_spark_shuffles(suite: Suite, case: str) -> None:
    """Rows are shuffled to several partitions, of which some are empty; for some measures."""
    settings = spark.session().conf
    before = settings.get(PARTITIONS)
    settings.set(PARTITIONS, 3)
    try:
        equal(suite, case, suite.batches(suite.first_variants(case), AT_ONCE)[0][::EVERY])
    finally:
        settings.set(PARTITIONS, before)


def shallow(measure: Measure) -> Measure:
    """The measure with fewer of the ranks of which each becomes a row: a plan of the same steps."""
    deep = "max_depth" in measure.definition.parameters and measure.arguments()["max_depth"] == DEEP
    return measure(max_depth=SHALLOW) if deep else measure


def equal(suite: Suite, case: str, asked: list[Measure]) -> None:
    """The measures are what they are in Polars, and nothing stays behind."""
    expected, got = suite.compute(case, asked, "polars"), {}
    for batch in suite.batches(asked, AT_ONCE):
        got |= suite.compute(case, batch, "spark")
    wrong = []
    for measure in asked:

        def allowed(key: Key, of: object = measure) -> float:
            return max(TOLERANCE, suite.tolerance(of, key))

        wrong += differences(got[str(measure)], expected[str(measure)], allowed)
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:10])
    assert spark.left() == []


def test_every_family_but_points_is_asked() -> None:
    from ireval_frames import catalog

    assert {d.family for d in catalog.definitions()} - set(FAMILIES) == {"points"}
    pytest.importorskip("pyspark")
