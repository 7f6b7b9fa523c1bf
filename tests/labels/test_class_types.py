"""The types of classes: columns that hold nothing, integers of every size, and classes named in calls."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, MismatchedTables
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)


def values(labels: ir.Labels, measures: str) -> list[float | None]:
    return labels.evaluate(measures).summary()["value"].to_list()


@engines
@pytest.mark.parametrize("label", [[1, 0, 1], [1.5, 0.0, 1.0], [True, False, True], ["1", "0", "1"]])
def test_predictions_that_are_all_null(engine: str, label: list) -> None:
    frame = pl.DataFrame({"item_id": [1, 2, 3], "label": label, "prediction": [None, None, None]})
    assert frame.schema["prediction"] == pl.Null
    expected = [0.0, 0.0, 3.0]
    measures = "Accuracy Recall(average='macro') NumItems"
    assert values(ir.Labels(frame, engine=engine), measures) == expected
    assert values(ir.Labels(frame.rename({"label": "prediction", "prediction": "label"}), engine=engine), measures) == [
        0.0, None, 3.0,
    ]  # fmt: skip
    both = frame.select("item_id", "label"), frame.select("item_id", "prediction")
    assert values(ir.Labels(*both, engine=engine), measures) == expected
    lists = pl.DataFrame({"item_id": [1, 2, 3], "label": [[c] for c in label], "prediction": [[], [], []]})
    assert lists.schema["prediction"] == pl.List(pl.Null)
    assert values(ir.Labels(lists, engine=engine), measures) == expected


def test_ids_of_another_kind_beside_integers() -> None:
    """A UUID is unknown to the planner as a null is."""
    with duckdb.connect() as con:
        relation = con.sql("SELECT 1 AS label, uuid() AS prediction")
        with pytest.raises(MismatchedTables, match="'prediction' holds text and column 'label' holds numbers"):
            ir.Labels(relation).evaluate("Accuracy").summary()


@engines
def test_integers_that_need_all_bits(engine: str) -> None:
    frame = pl.DataFrame({"label": [2**63 + 1, 2**63 + 2, 1], "prediction": [2**63 + 1, 2**63 + 1, 1]}).cast(pl.UInt64)
    labels = ir.Labels(frame, engine=engine, positive=2**63 + 1)
    measures = "Accuracy Recall(average='binary') Precision(average='binary') Kappa(weights='linear')"
    assert values(labels, measures)[:3] == [pytest.approx(2 / 3), 1.0, 0.5]
    assert labels.report()["class_id"].to_list()[:3] == ["1", str(2**63 + 1), str(2**63 + 2)]
    small = frame.with_columns(prediction=pl.Series([1, 2, 1]))
    with pytest.raises(InvalidValue, match=r"9223372036854775809(.|\n)*pl\.UInt64"):
        ir.Labels(small, engine=engine).evaluate("Accuracy").summary()
    fitting = small.with_columns(label=pl.Series([1, 1, 1], dtype=pl.UInt64))
    assert values(ir.Labels(fitting, engine=engine), "Accuracy") == [pytest.approx(2 / 3)]


@engines
def test_integers_that_floats_confuse(engine: str) -> None:
    frame = pl.DataFrame({"label": [2**53 + 1, 1], "prediction": [float(2**53), 1.0]})
    with pytest.raises(InvalidValue, match=r"9007199254740993(.|\n)*pl\.Int64"):
        ir.Labels(frame, engine=engine).evaluate("Accuracy").summary()


@engines
def test_ids_that_need_all_bits(engine: str) -> None:
    ids = pl.Series([2**63 + 1, 2**63 + 2], dtype=pl.UInt64)
    gold, system = (
        pl.DataFrame({"item_id": ids, "label": ["a", "b"]}),
        pl.DataFrame({"item_id": ids, "prediction": "a"}),
    )
    assert values(ir.Labels(gold, system, engine=engine), "SubsetAccuracy NumItems") == [0.5, 2.0]
    smaller = system.with_columns(item_id=pl.Series([1, 2]))
    with pytest.raises(MismatchedTables, match=r"UInt64(.|\n)*Int64(.|\n)*cast\(pl\.UInt64\)"):
        ir.Labels(gold, smaller, engine=engine).evaluate("NumItems")
    few = [f.with_columns(item_id=pl.Series([1, 2], dtype=t)) for f, t in ((gold, pl.UInt64), (system, pl.UInt8))]
    assert values(ir.Labels(*few, engine=engine), "SubsetAccuracy NumItems") == [0.5, 2.0]


@engines
@pytest.mark.parametrize("dtype", [pl.Int32, pl.UInt8, pl.Int64])
def test_ids_of_two_sizes_beside_a_table_of_probabilities(engine: str, dtype) -> None:
    long = CHANCES.drop("label").rename({"p": "1", "q": "2"}).unpivot(index="item_id", variable_name="label")
    long = long.select("item_id", pl.col("label").cast(pl.Int64), probability="value")
    labels = ir.Labels(CHANCES.select("item_id", "label").cast({"item_id": dtype}), probabilities=long, engine=engine)
    assert values(labels, "TopK@1 NumItems") == [1.0, 2.0]
    text = CHANCES.select(pl.col("item_id").cast(pl.String).cast(pl.Categorical), "label")
    labels = ir.Labels(text, probabilities=long.cast({"item_id": pl.String}), engine=engine)
    assert values(labels, "TopK@1 NumItems") == [1.0, 2.0]


CHANCES = pl.DataFrame({"item_id": [1, 2], "label": [1, 2], "p": [0.9, 0.2], "q": [0.1, 0.8]})


@engines
@pytest.mark.parametrize(
    "names", [{1.2: "p", 2.7: "q"}, {"1.5": "p", 2: "q"}, {float("nan"): "p", 2: "q"}, {"": "p", 2: "q"}]
)
def test_classes_that_are_no_integers(engine: str, names: dict) -> None:
    with pytest.raises(InvalidParameter, match="labels are integers"):
        ir.Labels(CHANCES, probabilities=names, engine=engine).evaluate("TopK@1")


@engines
@pytest.mark.parametrize("names", [{"1": "p", "01": "p", 2: "q"}, {1: "p", "1": "p", "2": "q"}])
def test_classes_named_twice(engine: str, names: dict) -> None:
    with pytest.raises(InvalidParameter, match="the class 1 twice"):
        ir.Labels(CHANCES, probabilities=names, engine=engine).evaluate("TopK@1")


@engines
def test_classes_of_a_long_table_that_are_no_integers(engine: str) -> None:
    long = pl.DataFrame({"item_id": [1, 1, 2, 2], "label": [1.2, 2.7] * 2, "probability": [0.9, 0.1, 0.2, 0.8]})
    labels = ir.Labels(CHANCES.select("item_id", "label"), probabilities=long, engine=engine)
    with pytest.raises(InvalidValue, match=r"labels are integers(.|\n)*1\.2"):
        labels.evaluate("TopK@1").summary()
    whole = long.with_columns(pl.col("label").floor())
    labels = ir.Labels(CHANCES.select("item_id", "label"), probabilities=whole, engine=engine)
    assert values(labels, "TopK@1") == [1.0]


@engines
@pytest.mark.parametrize("names", [{1: "p", 2: "q"}, {"1": "p", "2": "q"}, {1.0: "p", "2.0": "q"}])
def test_classes_that_are_integers(engine: str, names: dict) -> None:
    assert values(ir.Labels(CHANCES, probabilities=names, engine=engine), "TopK@1") == [1.0]
    floats = CHANCES.cast({"label": pl.Float64})
    assert values(ir.Labels(floats, probabilities=names, engine=engine), "TopK@1") == [1.0]


@pytest.mark.parametrize("source", [5, "ab", {"a": 1}, [["a"], ["b"]], [None, "b"], ["a", "a"], iter("ab")])
def test_classes_of_a_list_column(source) -> None:
    frame = CHANCES.select("item_id", label=pl.lit("a"), p=pl.concat_list("p", "q"))
    with pytest.raises(InvalidParameter, match="probability_classes"):
        ir.Labels(frame, probabilities="p", probability_classes=source).evaluate("TopK@1")
