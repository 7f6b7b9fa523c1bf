"""The text of evaluations that run in a session of Spark: over its frames and its named tables."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import NotDefined
from tests import spark

pytest.importorskip("sqlglot", reason="sqlglot is not there")


@pytest.fixture(scope="module")
def session() -> Any:
    if why := spark.missing():
        pytest.skip(why)
    return spark.session().newSession()


@pytest.fixture(scope="module")
def frames(session: Any) -> tuple[Any, Any]:
    return tuple(session.createDataFrame(frame.to_arrow()) for frame in ir.examples.ranking())  # type: ignore[return-value]


def ran(session: Any, text: str) -> pl.DataFrame:
    return pl.DataFrame(pl.from_arrow(session.sql(text).toArrow()))


def test_spark_frames_are_called_by_the_arguments(session: Any, frames: tuple[Any, Any]) -> None:
    evaluation = ir.evaluate(*frames, "P@2 RR")
    text = evaluation.per_unit.sql(wide=True, dialect="spark")
    assert "COLLATE UTF8_BINARY" in text
    for name, frame in zip(("qrels", "run"), frames, strict=True):
        frame.createOrReplaceTempView(name)
    assert ran(session, text).rows() == ir.evaluate(*ir.examples.ranking(), "P@2 RR").per_unit(wide=True).rows()


def test_named_tables_of_spark_keep_their_names(session: Any, frames: tuple[Any, Any]) -> None:
    names = ("`the qrels`", "Some_run")
    for name, frame in zip(names, frames, strict=True):
        frame.createOrReplaceTempView(name)
    text = ir.evaluate(*names, "P@2 RR", con=session).per_unit.sql(wide=True, dialect="spark")
    assert set(re.findall(r"FROM (`.*?`)\n", text)) >= {"`the qrels`", "`Some_run`"}
    assert ran(session, text).rows() == ir.evaluate(*ir.examples.ranking(), "P@2 RR").per_unit(wide=True).rows()
    model = ir.evaluate(*names, "P@2 RR", con=session).per_unit.sql(dbt=True, dialect="spark")
    assert set(re.findall(r"ref\('(.*?)'\)", model)) == {"the qrels", "Some_run"}


def test_spark_tables_in_other_dialects(frames: tuple[Any, Any]) -> None:
    text = ir.evaluate(*frames, "P@2").per_unit.sql(dialect="postgres")
    assert text == ir.evaluate(*ir.examples.ranking(), "P@2").per_unit.sql(dialect="postgres")


def test_spark_frames_have_no_text_for_duckdb(session: Any, frames: tuple[Any, Any]) -> None:
    frames[0].createOrReplaceTempView("qrels")
    for qrels in (frames[0], "qrels"):
        with pytest.raises(
            NotDefined, match=r"session of Spark, and DuckDB's SQL cannot read it.*\n.*dialect=\"spark\""
        ):
            ir.evaluate(qrels, frames[1], "P@2", con=session).per_unit.sql()
