"""CSV and TSV hold numbers as text: classes that are numbers are ordered as numbers, and keep their spelling."""

from __future__ import annotations

import functools
from pathlib import Path

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import NotDefined
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
GRADES = pl.DataFrame(
    {
        "part": ["x"] * 6 + ["y"] * 2,
        "label": [1, 2, 10, 10, 9, 2, 1, 10],
        "prediction": [1, 10, 10, 9, 2, 1, 10, 10],
    }
)
ORDINAL = "Kappa(weights='linear') Kappa(weights='quadratic') MAE MacroMAE"
ALL = f"{ORDINAL} Kappa Accuracy F1(average='macro') MCC"


def written(frame: pl.DataFrame, path: Path, kind: str) -> Path:
    file = path / f"grades.{kind}"
    match kind:
        case "csv":
            frame.write_csv(file)
        case "tsv":
            frame.write_csv(file, separator="\t")
        case "jsonl":
            frame.write_ndjson(file)
        case "parquet":
            frame.write_parquet(file)
        case "arrow":
            frame.write_ipc(file)
    return file


@functools.cache
def of_the_frame(engine: str, **options: str) -> pl.DataFrame:
    return ir.Labels(GRADES, engine=engine, **options).evaluate(ALL).per_unit()


@engines
@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet", "arrow"])
@pytest.mark.parametrize("options", [{}, {"unit": "part"}, {"by": "part"}])
def test_every_kind_of_file_gives_the_same(kind: str, options: dict, engine: str, tmp_path: Path) -> None:
    expected = of_the_frame(engine, **options)
    table = ir.Labels(written(GRADES, tmp_path, kind), engine=engine, **options).evaluate(ALL).per_unit()
    assert_frame_equal(table, expected, rel_tol=1e-12)
    assert expected["value"].n_unique() > 4


@engines
def test_fractions_signs_and_exponents(engine: str, tmp_path: Path) -> None:
    odd = GRADES.with_columns(
        pl.col("label", "prediction").cast(pl.String).replace({"1": "-1.5", "2": ".5", "9": "+2", "10": "1e2"})
    )
    numbers = GRADES.with_columns(
        pl.col("label", "prediction").cast(pl.Float64).replace({1: -1.5, 2: 0.5, 9: 2.0, 10: 100.0})
    )
    expected = ir.Labels(numbers, engine=engine).evaluate(ORDINAL).summary()["value"].to_list()
    actual = ir.Labels(written(odd, tmp_path, "csv"), engine=engine).evaluate(ORDINAL).summary()["value"].to_list()
    assert actual == pytest.approx(expected, rel=1e-12)


@engines
def test_one_word_makes_all_classes_words(engine: str, tmp_path: Path) -> None:
    """As in a frame of text, which has no order; and a word in one unit holds for all."""
    mixed = GRADES.cast({"label": pl.String, "prediction": pl.String}).with_columns(
        label=pl.when(pl.col("part") == "y").then(pl.lit("n/a")).otherwise("label")
    )
    path = written(mixed, tmp_path, "csv")
    for options in ({}, {"unit": "part"}):
        for table in (path, mixed):
            with pytest.raises(NotDefined, match="needs the order of classes"):
                ir.Labels(table, engine=engine, **options).evaluate("Kappa(weights='linear')").per_unit()
        evaluations = [
            ir.Labels(f, engine=engine, categories=["1", "2", "9", "10", "n/a"], **options).evaluate(
                "Kappa(weights='linear')"
            )
            for f in (path, mixed)
        ]
        one, other = (ev.per_unit()["value"].to_list() for ev in evaluations)
        assert one == pytest.approx(other, rel=1e-12)
    with pytest.raises(NotDefined, match="subtracts classes"):
        ir.Labels(path, engine=engine).evaluate("MAE").summary()


@engines
def test_rows_stand_in_the_order_of_numbers(engine: str, tmp_path: Path) -> None:
    path = written(GRADES, tmp_path, "csv")
    labels, typed = ir.Labels(path, engine=engine), ir.Labels(GRADES, engine=engine)
    assert labels.report().rows() == typed.report().rows()
    text = typed.confusion().with_columns(pl.col("label", "prediction").cast(pl.String))
    assert labels.confusion().rows() == text.rows()
    classes = labels.evaluate("F1").per_class()
    assert classes["class_id"].to_list() == ["1", "2", "9", "10"]
    assert classes["value"].to_list() == typed.evaluate("F1").per_class()["value"].to_list()


@engines
def test_classes_keep_their_spelling(engine: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"item_id": ["007", "7", "07"], "label": ["01", "1", "10"], "prediction": ["1", "1", "10"]})
    labels = ir.Labels(written(frame, tmp_path, "csv"), engine=engine, positive="01")
    assert labels.evaluate("Accuracy Recall(average='binary')").summary()["value"].to_list() == [
        pytest.approx(2 / 3),
        0,
    ]
    assert labels.report()["class_id"].to_list()[:3] == ["01", "1", "10"]
    assert labels.evaluate("NumClasses").summary()["value"].item() == 3.0
    chosen = labels.evaluate(ir.labels.Recall(average="macro", classes=["1", "10"])).summary()["value"].item()
    assert chosen == 1.0


@engines
def test_text_elsewhere_stays_text(engine: str, tmp_path: Path) -> None:
    """Parquet says that its column is text; so does a table by name."""
    text = GRADES.with_columns(pl.col("label", "prediction").cast(pl.String))
    path = written(text, tmp_path, "parquet")
    for table in (text, path):
        with pytest.raises(NotDefined, match="needs the order of classes"):
            ir.Labels(table, engine=engine).evaluate("Kappa(weights='linear')").summary()
    with pytest.raises(NotDefined, match="positive="):
        ir.Labels(path, engine=engine).evaluate("Lam")
    with duckdb.connect() as con:
        con.from_arrow(text.to_arrow()).create("grades")
        with pytest.raises(NotDefined, match="needs the order of classes"):
            ir.Labels("grades", con=con).evaluate("Kappa(weights='linear')").summary()
        with pytest.raises(NotDefined, match="subtracts"):
            ir.Labels("grades", con=con).evaluate("MAE")
