"""Click models of Spark's frames."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.engines.spark.values import with_spark_types
from ireval_frames.errors import MismatchedTables
from tests import spark
from tests.click_models import states as oracle
from tests.click_models.cases import every_pattern, rows
from tests.click_models.test_steps import values


def test_the_same_parameters() -> None:
    """Every model of counts and of pages takes the same counts from Spark; here steps are held to all states, too."""
    session = spark.session()
    pages = every_pattern(2)
    shown = rows(pages)
    there = session.createDataFrame(with_spark_types(shown).to_arrow(compat_level=pl.CompatLevel.oldest()))
    for name in ("PBM", "DBN"):
        actual = ir.Impressions(there, by="site").fit(name, iterations=2, tolerance=0, initial=0.4)
        model = ir.Impressions(shown, by="site").fit(name, iterations=2, tolerance=0, initial=0.4)
        assert_frame_equal(actual.parameters(), model.parameters(), rel_tol=1e-12)
        expected, likelihoods = oracle.fitted(name, pages, 2, (1.0, 1.0), 0.4)
        for key, value in values(actual).items():
            assert value == pytest.approx(expected[key], abs=1e-11), key
        assert list(actual.trace.log_likelihood) == pytest.approx(likelihoods, rel=1e-12)
    assert spark.left() == []


def test_lists_of_pages() -> None:
    """A row per page with lists, of which one is empty."""
    session = spark.session()
    shown = pl.DataFrame(
        {
            "serp_id": [1, 2, 3],
            "query_id": [1, 1, 2],
            "documents": [["a", "b"], [], ["b", "a", "c"]],
            "clicks": [[0, 1], [], [1, 0, 1]],
        }
    )
    there = session.createDataFrame(with_spark_types(shown).to_arrow(compat_level=pl.CompatLevel.oldest()))
    measures = "CTR PageCTR ZeroResultRate NumResults MRRLastClick"
    here = ir.Impressions(shown).evaluate(measures).summary()
    assert_frame_equal(ir.Impressions(there).evaluate(measures).summary(), here, rel_tol=1e-12)
    short = shown.with_columns(clicks=pl.lit([1], dtype=pl.List(pl.Int64)))
    with pytest.raises(MismatchedTables, match="has another length"):
        ir.Impressions(
            session.createDataFrame(with_spark_types(short).to_arrow(compat_level=pl.CompatLevel.oldest()))
        ).evaluate("CTR").summary()
