"""The positive class: one that no item has is an error that names those there are, unless it occurs somewhere."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, UnknownName
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
MAIL = pl.DataFrame(
    {
        "day": [1, 1, 2, 2],
        "run_id": ["x", "x", "y", "y"],
        "label": ["spam", "ham", "ham", "ham"],
        "prediction": ["spam", "ham", "ham", "ham"],
        "score": [0.9, 0.2, 0.1, 0.4],
    }
)
MEASURES = [
    "Recall(average='binary')",
    "Lam",
    "F1",
    "Utility",
    "Support(average='binary')",
    "ROCAUC",
    "Gain@0.5",
    "Hinge",
]


@engines
@pytest.mark.parametrize("measure", [*MEASURES, "LogLoss", "ECE", "ECE(kind='mass')"])
@pytest.mark.parametrize("frame", [MAIL, MAIL.drop("run_id", "day")])
def test_a_class_that_does_not_occur(measure: str, frame: pl.DataFrame, engine: str) -> None:
    with pytest.raises(InvalidParameter, match=r"'Spam'(.|\n)*'ham', 'spam'(.|\n)*positive=.spam."):
        ir.Labels(frame, positive="Spam", engine=engine).evaluate(measure).summary()


@engines
def test_a_class_of_another_group(engine: str) -> None:
    """Days and classifiers without spam have no spam, and that is all."""
    for options in ({"by": "day"}, {"unit": "day"}, {}):
        actual = ir.Labels(MAIL, positive="spam", engine=engine, **options).evaluate(MEASURES).per_unit()
        assert actual.group_by("measure").len()["len"].to_list() == [2] * len(MEASURES)


@engines
@pytest.mark.parametrize("measure", MEASURES)
def test_a_class_of_another_group_alone(measure: str, engine: str) -> None:
    unit = ir.Labels(MAIL.filter(pl.col("run_id") == "y"), positive="spam", engine=engine)
    with pytest.raises(InvalidParameter, match="'spam'"):
        unit.evaluate(measure).summary()


@engines
def test_a_class_that_is_only_predicted(engine: str) -> None:
    frame = pl.DataFrame({"label": ["ham", "ham"], "prediction": ["ham", "spam"], "score": [0.1, 0.9]})
    labels = ir.Labels(frame, positive="spam", engine=engine)
    assert labels.evaluate("Precision(average='binary')").summary()["value"].item() == 0.0
    with pytest.raises(InvalidParameter, match=r"not a label(.|\n)*: 'ham'"):
        labels.evaluate("ROCAUC").summary()


@engines
def test_sets_of_labels(engine: str) -> None:
    frame = pl.DataFrame({"item_id": [1, 2], "label": [["a", "b"], ["b"]], "prediction": [["a"], []]})
    assert (
        ir.Labels(frame, positive="a", engine=engine).evaluate("Recall(average='binary')").summary()["value"].item()
        == 1
    )
    with pytest.raises(InvalidParameter, match="'a', 'b'"):
        ir.Labels(frame, positive="c", engine=engine).evaluate("Recall(average='binary')").summary()


@engines
def test_types_that_name_their_classes(engine: str) -> None:
    """An enum says that a class may occur, and so does a Boolean."""
    kind = pl.Enum(["ham", "spam", "Spam"])
    frame = MAIL.cast({"label": kind, "prediction": kind})
    assert (
        ir.Labels(frame, positive="Spam", engine=engine).evaluate("F1 ROCAUC").summary()["value"].to_list()
        == [None] * 4
    )
    all_true = pl.DataFrame({"label": [True, True], "prediction": [True, True]})
    assert ir.Labels(all_true, positive=False, engine=engine).evaluate("F1").summary()["value"].item() is None


@engines
@pytest.mark.parametrize("positive", [None, 1])
def test_no_ones_among_zeros(engine: str, positive: int | None) -> None:
    """0 says that there is 1."""
    for zeros in (pl.Series([0, 0]), pl.Series([-1, -1]), pl.Series([False, False]), pl.Series([0.0, 0.0])):
        frame = pl.DataFrame({"label": zeros, "prediction": zeros, "score": [0.1, 0.2]})
        actual = ir.Labels(frame, positive=positive, engine=engine).evaluate("F1 ROCAUC").summary()
        assert actual["value"].to_list() == [None, None]
    with pytest.raises(InvalidParameter, match="1"):
        ir.Labels(MAIL.with_columns(label=2, prediction=3), positive=1, engine=engine).evaluate("F1").summary()


@engines
def test_tables_without_any_class(engine: str) -> None:
    nothing = MAIL.with_columns(label=pl.lit(None, pl.String), prediction=pl.lit(None, pl.String)).drop("run_id")
    for frame in (nothing, nothing.clear()):
        actual = ir.Labels(frame, positive="spam", engine=engine).evaluate("F1 ROCAUC").summary()
        assert actual["value"].to_list() == [None, None]


@engines
def test_values_per_class_and_averages_need_none(engine: str) -> None:
    labels = ir.Labels(MAIL.drop("run_id"), positive="Spam", engine=engine)
    assert labels.evaluate("F1").per_class()["value"].to_list() == [1.0, 1.0]
    assert labels.evaluate("F1(average='macro')").summary()["value"].item() == 1.0


@engines
def test_curves(engine: str) -> None:
    with pytest.raises(InvalidParameter, match=r"positive=.spam."):
        ir.Labels(MAIL, positive="Spam", engine=engine).curve("roc")


@engines
@pytest.mark.parametrize("positive", [float("inf"), float("nan"), [1], {}, "yes", b"1", 10**400, 1.5])
def test_what_is_no_class(engine: str, positive: object) -> None:
    for dtype in (pl.Int64, pl.Float64, pl.Boolean):
        frame = pl.DataFrame({"label": [1, 0], "prediction": [1, 0]}).cast(dtype)
        with pytest.raises((InvalidParameter, InvalidValue)) as error:
            ir.Labels(frame, positive=positive, engine=engine).evaluate("F1").summary()
        assert len(str(error.value).splitlines()) == 2


@engines
@pytest.mark.parametrize("average", ["macro", "weighted", "micro", "item"])
def test_classes_of_which_none_occurs(average: str, engine: str) -> None:
    """Some of a list may be missing from the table; where all are, they are spelt otherwise."""
    measure = ir.labels.F1(average=average, classes=["Spam", "HAM"])
    with pytest.raises(InvalidParameter, match=r"'Spam', 'HAM', which(.|\n)*'ham', 'spam'(.|\n)*\['spam', 'ham'\]"):
        ir.Labels(MAIL, engine=engine).evaluate(measure).summary()
    some = ir.labels.F1(average=average, classes=["spam", "eggs"])
    assert ir.Labels(MAIL, engine=engine).evaluate(some).summary()["value"].null_count() < 2
    # Nothing is known of an empty table; and a type may name classes that do not occur.
    assert ir.Labels(MAIL.clear(), engine=engine).evaluate(measure).summary().is_empty()
    if engine == "polars":
        of_type = MAIL.with_columns(pl.col("label", "prediction").cast(pl.Enum(["spam", "ham", "HAM", "Spam"])))
        assert ir.Labels(of_type).evaluate(measure).summary().height == 2


def test_the_class_is_no_parameter_of_a_measure() -> None:
    with pytest.raises(UnknownName, match=r"no parameter 'positive'(.|\n)*ir.Labels\(…, positive=\"spam\"\)"):
        ir.Labels(MAIL).evaluate("Recall(positive='spam')")
    assert ir.Labels(MAIL, positive="spam").evaluate("Recall(average='binary')").summary()["value"][0] == 1.0
