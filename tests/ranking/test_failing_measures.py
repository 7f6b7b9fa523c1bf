"""Errors of custom measures name the measure, its file and line, and the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import narwhals as plain
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import FailingMeasure, NotDefined, WrongTable
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.ranking.cwl import custom as own_models
from tests.contract.kit import ENGINES

THIS_FILE = Path(__file__).name


@pytest.fixture(autouse=True)
def restore_catalog() -> Iterator[None]:
    """Registered measures are removed after the test."""
    own = set(own_models._own)
    with catalog.restored():
        yield
    own_models._own.clear()
    own_models._own.update(own)


def fails_within(q: Any) -> Expr:
    """A function whose second line fails."""
    rank = q.rank
    return rank + 1 / 0


FUNCTIONS: dict[str, tuple[Callable[..., Any], str]] = {
    "number": (lambda _: 1.0, r"gives 1\.0 \(float\), which is no expression"),
    "nothing": (lambda _: None, r"gives None \(NoneType\), which is no expression"),
    "polars": (lambda _: pl.col("rank"), r"gives <Expr.*, which is no expression"),
    "narwhals": (lambda _: plain.lit(1.0), r"gives lit.*no expression(.|\n)*"),
    "attribute": (lambda q: q.nosuch, r"raises AttributeError: 'Query' object has no attribute 'nosuch'"),
    "arguments": (lambda q, k: q.rank * k, r"raises TypeError: .* missing 1 required positional argument: 'k'"),
    "within": (fails_within, r"raises ZeroDivisionError: division by zero"),
    "value": (lambda q: q.sum("rank"), r"raises AttributeError: 'str' object has no attribute 'cast'"),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", FUNCTIONS)
def test_a_function_that_fails(case: str, engine: str) -> None:
    function, message = FUNCTIONS[case]
    catalog.measure("ranking", "Mine")(function)
    first = function.__code__.co_firstlineno
    line = first + 3 if case == "within" else first
    with pytest.raises(FailingMeasure, match=rf"The function of Mine \(.*{THIS_FILE}:{line}\) {message}") as error:
        ir.evaluate(*ir.examples.ranking(), "AP Mine nDCG", engine=engine)
    assert "returns an expression of columns" in error.value.hint


def test_the_attribute_that_was_meant() -> None:
    catalog.measure("ranking", "Mine")(lambda q: q.grades)
    with pytest.raises(FailingMeasure, match=r"Did you mean grade\?"):
        ir.evaluate(*ir.examples.ranking(), "Mine")


def test_a_user_model_that_fails() -> None:
    ir.ranking.user_model("Mine", lambda ranks, p=0.5: "no number" if p else ranks.gain)
    with pytest.raises(FailingMeasure, match=rf"of Mine\(p=0.3\) \(.*{THIS_FILE}:\d+\) raises ValueError: could not"):
        ir.evaluate(*ir.examples.ranking(), "Mine(p=0.3)")


@pytest.mark.parametrize("family", ["labels", "clusters", "similarity"])
def test_in_every_family(family: str) -> None:
    catalog.measure(family, "Mine")(lambda _: 0.5)
    evaluate: dict[str, Callable[[], object]] = {
        "labels": lambda: ir.Labels(ir.examples.labels()).evaluate("Mine"),
        "clusters": lambda: ir.Clusters(ir.examples.clusters()).evaluate("Mine"),
        "similarity": lambda: ir.Similarity(*[ir.examples.ranking()[1]], itself=True).evaluate("Mine"),
    }
    with pytest.raises(FailingMeasure, match=r"of Mine .* gives 0\.5"):
        evaluate[family]()


def test_package_errors_are_not_wrapped() -> None:
    def refuses(_: object) -> Expr:
        raise NotDefined("This has no meaning.", "Leave it out.")

    catalog.measure("ranking", "Mine")(refuses)
    with pytest.raises(NotDefined, match=r"This has no meaning\.\n  Leave it out\."):
        ir.evaluate(*ir.examples.ranking(), "Mine")


READS: dict[str, tuple[Callable[..., Any], str]] = {
    "nothing": (lambda _: col("nosuch"), r"units \(a row per query_id\) has no column 'nosuch'"),
    "in a sum": (lambda q: q.sum(col("nosuch")), r"judged \(.*\) has no column 'nosuch'"),
    "a sum of lists": (lambda q: q.tables.lists.sum(col("score")), r"'score' is one of ranked \(.*\), not of lists"),
    "rows": (lambda q: q.rank, r"is one of judged \(.*\), not of units"),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", READS)
def test_missing_columns(case: str, engine: str) -> None:
    """The error says who asks, before an engine sees the plan."""
    function, message = READS[case]
    catalog.measure("ranking", "Mine")(function)
    with pytest.raises(WrongTable, match=rf"{message}(.|\n)*Mine reads it"):
        ir.evaluate(*ir.examples.ranking(), "AP Mine nDCG", engine=engine).summary()


@pytest.mark.parametrize("result", ["summary", "per_unit"])
@pytest.mark.parametrize("engine", ENGINES)
def test_what_the_engine_cannot_compute(engine: str, result: str) -> None:
    """Among measures that can be computed it is the one that cannot which is told."""
    catalog.measure("ranking", "Mine")(lambda q: q.num_retrieved + "text")
    catalog.measure("ranking", "Fine")(lambda q: q.num_retrieved)
    message = rf"The function of Mine \(.*{THIS_FILE}:\d+\) gives what cannot be computed\. (Polars|DuckDB) could not"
    with pytest.raises(FailingMeasure, match=message):
        getattr(ir.evaluate(*ir.examples.ranking(), "AP Fine Mine", engine=engine), result)()
    assert ir.evaluate(*ir.examples.ranking(), "AP Fine", engine=engine).summary().height == 2


AGGREGATIONS = ("mean", "max", "sum")
NOT_FINITE: dict[str, Callable[[Expr], Expr]] = {
    "nan": lambda hit: when(hit > 0.0).then(hit).otherwise(float("nan")),
    "inf": lambda hit: 1.0 / hit,
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("value", NOT_FINITE)
def test_a_value_that_is_no_number(value: str, engine: str) -> None:
    """NaN and infinity are refused before anything is aggregated, on every way to a result; null is undefined."""
    qrels = pl.DataFrame({"query_id": ["1", "2", "3"], "doc_id": ["a", "b", "c"], "relevance": [1, 1, 1]})
    run = pl.DataFrame({"query_id": ["1", "2", "3"], "doc_id": ["a", "x", "y"], "score": [1.0] * 3})
    catalog.measure("ranking", "Mine", undefined=None)(lambda q: NOT_FINITE[value](q.sum(q.relevant(1))))
    place = rf"\(.*{THIS_FILE}:\d+\)"
    message = rf"The function of Mine(\(.*\))? {place} gives {value} for 2 units, the first of them query_id '2'"
    for aggregation in AGGREGATIONS:
        measures = catalog.parse(f"Mine(aggregation='{aggregation}')", "ranking")
        actual = ir.evaluate(qrels, run, ["AP", measures], engine=engine)
        for result in (actual.summary, actual.per_unit, actual.wide):
            with pytest.raises(FailingMeasure, match=message) as error:
                result()
        assert "null where it is undefined" in error.value.hint
    catalog.measure("ranking", "Sound", undefined=None)(
        lambda q: when(q.sum(q.relevant(1)) > 0.0).then(q.sum(q.relevant(1)))
    )
    sound = ir.evaluate(qrels, run, "Sound(aggregation='max')", engine=engine)
    assert sound.summary().row(0) == ("Sound(aggregation='max')", 1.0, 3, 2)


@pytest.mark.parametrize("engine", ENGINES)
def test_whether_something_is_so(engine: str) -> None:
    """A measure that says whether is 1 or 0; one that says text is no measure."""
    catalog.measure("ranking", "Hit")(lambda q: q.sum(q.relevant(1)) > 0.0)
    catalog.measure("labels", "Mostly")(lambda u: u.ratio(u.correct, u.total) > 0.5)
    catalog.measure("ranking", "Word")(lambda _: lit("a"))
    qrels, run = ir.examples.ranking()
    hit, success = (ir.evaluate(qrels, run, m, engine=engine).per_unit()["value"] for m in ("Hit", "Success@1000"))
    assert hit.to_list() == success.to_list()
    table = pl.DataFrame({"u": [1, 1, 2, 2], "label": [1, 1, 1, 1], "prediction": [1, 1, 0, 1]})
    mostly = ir.Labels(table, unit="u", engine=engine).evaluate("Mostly(aggregation='max')")
    assert (mostly.per_unit()["value"].to_list(), mostly.summary()["value"].item()) == ([1.0, 0.0], 1.0)
    with pytest.raises(FailingMeasure, match=r"The function of Word .* gives what cannot be computed"):
        ir.evaluate(qrels, run, "Word", engine=engine).summary()
