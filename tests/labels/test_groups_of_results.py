"""Reports, confusion tables and curves take groups, units and conventions as evaluations do; subjects do not change."""

from __future__ import annotations

import functools

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, IrevalError, MismatchedTables
from ireval_frames.subject import request_of
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
ITEMS = pl.DataFrame(
    {
        "item_id": range(8),
        "day": [1, 1, 1, 2, 2, 2, 2, 2],
        "half": [*"aabbaabb"],
        "label": [1, 0, 1, 1, 0, 0, 1, None],
        "prediction": [1, 0, 0, 1, 1, 0, 1, 0],
        "score": [0.9, 0.2, 0.4, 0.8, 0.6, 0.1, 0.7, 0.3],
    }
)
SETS = ITEMS.select(
    "item_id",
    "day",
    "half",
    *(pl.when(pl.col(c).is_not_null()).then(pl.concat_list(c)) for c in ("label", "prediction")),
)
KINDS = ("roc", "precision-recall", "det", "gain", "thresholds", "calibration")
RESULTS = {
    "report": lambda labels, **options: labels.report(**options),
    "confusion": lambda labels, **options: labels.confusion(normalize="all", **options),
    **{kind: lambda labels, kind=kind, **options: labels.curve(kind, **options) for kind in KINDS},
}
results = pytest.mark.parametrize("result", RESULTS)


@functools.cache
def plain(result: str, engine: str, by: tuple[str, ...] = ()) -> pl.DataFrame:
    return RESULTS[result](ir.Labels(ITEMS, by=by, engine=engine))


@engines
@results
def test_groups_of_the_call(result: str, engine: str) -> None:
    call = RESULTS[result]
    expected = plain(result, engine, ("day",))
    assert call(ir.Labels(ITEMS, engine=engine), by="day").equals(expected)
    assert call(ir.Labels(ITEMS, by="half", engine=engine), by="day").equals(expected)
    assert call(ir.Labels(ITEMS, by="day", engine=engine), by=()).equals(plain(result, engine))
    for (day,), rows in expected.group_by("day"):
        alone = call(ir.Labels(ITEMS.filter(pl.col("day") == day), engine=engine))
        assert_frame_equal(rows.drop("day"), alone)


@engines
@results
def test_units(result: str, engine: str) -> None:
    call = RESULTS[result]
    labels = ir.Labels(ITEMS, by="day", unit="half", engine=engine)
    assert call(labels).columns[:2] == ["day", "half"]
    assert call(labels).equals(call(ir.Labels(ITEMS, by=["day", "half"], engine=engine)))
    assert call(labels, per_unit=False).equals(plain(result, engine, ("day",)))


@engines
@results
def test_conventions_of_the_call(result: str, engine: str) -> None:
    call, labels = RESULTS[result], ir.Labels(ITEMS, engine=engine)
    some = call(ir.Labels(ITEMS.filter(pl.col("label").is_not_null()), engine=engine))
    assert call(labels, policy="unlabelled=skip").equals(some)
    assert not plain(result, engine).equals(some)
    with pytest.raises(MismatchedTables, match="no label"):
        call(labels, policy={"unlabelled": "error"})
    assert call(ir.Labels(ITEMS, engine=engine, policy="unlabelled=error"), policy="unlabelled=skip").equals(some)


@engines
def test_reports_of_sets(engine: str) -> None:
    labels = ir.Labels(SETS, engine=engine, unit="half")
    expected = ir.Labels(SETS, engine=engine, by=["day", "half"]).report()
    assert labels.report(by="day").equals(expected)
    assert labels.report(by="day", per_unit=False).equals(ir.Labels(SETS, engine=engine, by="day").report())
    assert labels.report(policy="undefined=0")["recall"].null_count() == 0
    assert labels.unit == ("half",)


COLUMNS = {
    "report": ("precision", "recall", "f1", "support", "class_id"),
    "confusion": ("label", "prediction", "count", "share"),
    "roc": ("threshold", "fpr", "tpr"),
    "precision-recall": ("precision", "recall"),
    "det": ("fnr",),
    "gain": ("share", "gain", "lift"),
    "thresholds": ("tp", "fn", "accuracy"),
    "calibration": ("bin", "n", "probability", "observed"),
}


@engines
@pytest.mark.parametrize("result, column", [(r, c) for r, columns in COLUMNS.items() for c in columns])
def test_columns_of_the_result(result: str, column: str, engine: str) -> None:
    """A group of the name of a column of the result is refused where that result is asked for, and serves elsewhere."""
    frame = ITEMS.rename({"label": "gold", "prediction": "guess"}).rename({"day": column})
    names = {"label": "gold", "prediction": "guess"}
    call = RESULTS[result]
    for labels, options in (
        (ir.Labels(frame, engine=engine, **names), {"by": column}),
        (ir.Labels(frame, engine=engine, by=column, **names), {}),
    ):
        with pytest.raises(InvalidParameter, match=rf"by='{column}'(.|\n)*rename\({{.{column}.: "):
            call(labels, **options)
    if column != "class_id":
        labels = ir.Labels(frame, engine=engine, unit=column, **names)
        with pytest.raises(InvalidParameter, match=rf"unit='{column}'"):
            call(labels)
        assert call(labels, per_unit=False).height > 0
        ungrouped = ir.Labels(frame, engine=engine, **names)
        assert ungrouped.evaluate("Accuracy", by=column).summary().height == 2


@engines
@pytest.mark.parametrize("how", ["by", "unit"])
@pytest.mark.parametrize("column", ["MCC", "n_items", "n_classes", "value", "measure", "n_units", "class_id"])
def test_columns_of_evaluations(how: str, column: str, engine: str) -> None:
    with pytest.raises(InvalidParameter, match=f"{how}='{column}'"):
        ir.Labels(ITEMS.rename({"day": column}), engine=engine, **{how: column}).evaluate("MCC Accuracy")


@functools.cache
def mcc_by_day(engine: str) -> pl.DataFrame:
    return ir.Labels(ITEMS, by="day", engine=engine).evaluate("MCC").summary()


@engines
@pytest.mark.parametrize("column", ["score", "label", "prediction", "item_id", "count", "by_0", "m0", "Day é 'x' \""])
def test_groups_of_any_name(column: str, engine: str) -> None:
    frame = ITEMS.rename({"label": "gold", "prediction": "guess"}).drop({"score", "item_id"} & {column})
    frame = frame.rename({"day": column})
    labels = ir.Labels(frame, label="gold", prediction="guess", by=column, engine=engine)
    assert labels.evaluate("MCC").summary().rows() == mcc_by_day(engine).rows()
    assert labels.report().rows() == plain("report", engine, ("day",)).rows()


@pytest.mark.parametrize("name", ["by", "unit", "positive", "policy", "engine", "columns"])
def test_subjects_do_not_change(name: str) -> None:
    labels = ir.Labels(ITEMS)
    with pytest.raises(AttributeError, match=rf"ir\.Labels\(…, {name}=…\)"):
        setattr(labels, name, ("x",))
    assert labels.by == ()


@engines
def test_the_type_of_the_classes_is_requested(engine: str) -> None:
    """It reads no rows, so weights that are none do not matter yet."""
    labels = ir.Labels(ITEMS.with_columns(weight=-1.0), engine=engine)
    assert str(request_of(labels).class_type()) == "Int64"
    assert str(request_of(ir.Labels(SETS, engine=engine)).class_type()) == "Int64"
    assert (
        str(
            request_of(ir.Labels(ITEMS.cast({"label": pl.String, "prediction": pl.String}), engine=engine)).class_type()
        )
        == "String"
    )


@pytest.mark.parametrize(
    "options",
    [
        {"by": 3},
        {"by": [["day"]]},
        {"by": {"day": 1, "half": 2}},
        {"by": "nothing"},
        {"policy": 3},
        {"policy": "undefined=9"},
    ],
)
def test_malformed(options: dict) -> None:
    for call in RESULTS.values():
        if options == {"by": {"day": 1, "half": 2}}:
            continue
        with pytest.raises(IrevalError):
            call(ir.Labels(ITEMS), **options)
