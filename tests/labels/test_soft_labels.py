"""Soft labels in every layout, and what is wrong with them."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, IrevalError, MismatchedTables, MissingColumn, WrongType
from tests.contract.kit import ENGINES
from tests.labels.suite_soft import evaluate, expected, soft

FRAME = pl.DataFrame(
    {
        "item_id": ["t1", "t2", "t3"],
        "yes": [1.0, 0.5, 0.2],
        "no": [0.0, 0.5, 0.8],
        "p": [0.8, 0.6, 0.1],
        "q": [0.2, 0.4, 0.9],
    }
)
OURS = {"soft_labels": ["yes", "no"], "probabilities": {"yes": "p", "no": "q"}}
MEASURES = "ICMSoft ICMSoftNorm SoftCrossEntropy SoftMAE"
STRUCTS = FRAME.select(
    "item_id",
    soft=pl.struct("yes", "no"),
    hard=pl.struct(yes="p", no="q"),
    shares=pl.concat_list("yes", "no"),
    chances=pl.concat_list("p", "q"),
)
LONG = FRAME.select("item_id", yes="p", no="q").unpivot(
    index="item_id", variable_name="label", value_name="probability"
)


def values(frame: Any, engine: str = "polars", **options: Any) -> list[float]:
    labels = ir.Labels(frame, item="item_id", engine=engine, **options)
    return labels.evaluate(MEASURES).summary()["value"].to_list()


@pytest.mark.parametrize("engine", ENGINES)
def test_layouts(engine: str) -> None:
    """Columns by class, lists of columns, structs, lists, and a long table of probabilities give one value."""
    ours = values(FRAME, engine, **OURS)
    for frame, options in (
        (FRAME, {"soft_labels": {"yes": "yes", "no": "no"}, "probabilities": LONG}),
        (STRUCTS, {"soft_labels": "soft", "probabilities": "hard"}),
        (STRUCTS, {"soft_labels": "shares", "probabilities": "chances", "probability_classes": ["yes", "no"]}),
        (FRAME.with_columns(label=pl.lit("yes")), OURS),
    ):
        assert values(frame, engine, **options) == pytest.approx(ours, abs=1e-12)  # type: ignore[arg-type]
    numbers = {"soft_labels": {1: "yes", 0: "no"}, "probabilities": {1: "p", 0: "q"}}
    assert values(FRAME, engine, **numbers) == pytest.approx(ours, abs=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
def test_without_a_hierarchy(engine: str) -> None:
    """Classes then have nothing in common; the suite has them in a tree."""
    case = soft(1, list("abc"), {})
    measures = [ir.labels.ICMSoft(), ir.labels.ICMSoft(bounded=True), ir.labels.ICMSoftNorm(), ir.labels.SoftMAE()]
    actual = evaluate(case, {"labels": case.frame()}, measures, engine).per_unit()
    values_of = {(m, unit): value for unit, m, value in actual.select("part", "measure", "value").iter_rows()}
    for measure in measures:
        for key, value in expected(case, measure).items():
            assert values_of[key] == (None if value is None else pytest.approx(value, abs=1e-9)), key


def test_the_labels_themselves_are_best() -> None:
    """And both measures of distance are at their best values there."""
    contrast, normalized, entropy, apart = values(FRAME, soft_labels=["yes", "no"], probabilities=["yes", "no"])
    assert normalized == pytest.approx(1.0)
    assert apart == 0
    others = values(FRAME, **OURS)
    assert contrast > others[0]
    assert entropy < others[2]


@pytest.mark.parametrize("n, bounded, bits", [(14, False, 39.5), (400, False, 8.6), (14, True, 3.8), (400, True, 8.6)])
def test_a_rare_share(n: int, bounded: bool, bits: float) -> None:  # noqa: FBT001
    """Where a float next to 1 loses the probability it is that of one item; bounded, it is at least that."""
    rare = pl.DataFrame({"item_id": range(n), "yes": [1.0] + [0.0] * (n - 1), "no": [0.0] * n})
    contrast = ir.Labels(rare, soft_labels=["yes", "no"], probabilities=["yes", "no"]).evaluate(
        ir.labels.ICMSoft(bounded=bounded)
    )
    assert contrast.summary()["value"].item() * n == pytest.approx(bits, abs=0.05)


@pytest.mark.parametrize("engine", ENGINES)
def test_items_without_probabilities(engine: str) -> None:
    """They count as predicted nothing, are left out, or are an error."""
    some, both = LONG.filter(pl.col("item_id") != "t3"), FRAME.filter(pl.col("item_id") != "t3")
    options = {"soft_labels": ["yes", "no"], "probabilities": some}
    alone = values(both, engine, **(OURS | {"probabilities": some}))
    assert values(FRAME, engine, policy={"missing": "skip", "overlap": "allow"}, **options) == pytest.approx(
        alone, abs=1e-12
    )
    assert values(FRAME, engine, policy="overlap=allow", **options)[0] < alone[0]
    with pytest.raises(MismatchedTables, match="The item 't3' has no probability"):
        values(FRAME, engine, policy={"missing": "error", "overlap": "allow"}, **options)


ERRORS: dict[str, tuple[pl.DataFrame, dict[str, Any], type[IrevalError], str]] = {
    "a share of null": (FRAME.with_columns(no=None), OURS, InvalidValue, "fill_null"),
    "a share above 1": (FRAME.with_columns(no=pl.lit(2.0)), OURS, InvalidValue, "no shares from 0 to 1"),
    "no such column": (FRAME, OURS | {"soft_labels": ["yes", "nope"]}, MissingColumn, "'nope'"),
    "no shares": (FRAME, OURS | {"soft_labels": "yes"}, WrongType, "soft labels are structs or lists"),
    "one class": (FRAME, OURS | {"soft_labels": ["yes"]}, InvalidParameter, "of 1 classes"),
    "a table": (FRAME, OURS | {"soft_labels": LONG}, InvalidParameter, "pivot"),
    "no probabilities": (FRAME, {"soft_labels": ["yes", "no"]}, MissingColumn, "needs the probabilities"),
    "no soft labels": (
        FRAME.with_columns(label=pl.lit("no")),
        OURS | {"soft_labels": None},
        MissingColumn,
        "soft_labels=",
    ),
    "a second table": (FRAME, OURS | {"predictions": FRAME}, InvalidParameter, "Soft labels are columns"),
    "a class outside of the hierarchy": (FRAME, OURS | {"hierarchy": {"yes": "any"}}, InvalidValue, "'no'"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str) -> None:
    frame, options, error, text = ERRORS[name]
    with pytest.raises(error, match=text):
        values(frame, **options)
