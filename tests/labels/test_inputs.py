"""Labels of every type and in every shape: columns, lists, two long tables, a confusion table.

The numbers are the same.
"""

from __future__ import annotations

import functools

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES, Values, assert_same, by_measure, values
from tests.labels.cases import WORDS
from tests.labels.suite import CASES, FIRST, LABELS, evaluated

engines = pytest.mark.parametrize("engine", ENGINES)
PLACES = {c: place for place, c in enumerate(sorted(WORDS))}
MEASURES = "MCC F1(average='macro') Kappa(weights='linear') Recall(average='binary') ChiSquare Jaccard(average='item')"
NAMES = [str(m) for m in ir.catalog.parse_all(MEASURES, "labels")]
SMALL = pl.DataFrame({"label": [0, 1, 1, 0, 1, None], "prediction": [1, 1, 0, 0, None, 1]})


def figures(frame, engine: str, measures: str = "MCC Recall(average='binary')", **options) -> dict[str, float | None]:
    return dict(
        ir.Labels(frame, engine=engine, **options).evaluate(measures).summary().select("measure", "value").rows()
    )


@engines
@pytest.mark.parametrize(
    "label, prediction",
    [
        (pl.Int64, pl.Int64),
        (pl.Boolean, pl.Boolean),
        (pl.Boolean, pl.Int8),
        (pl.UInt8, pl.Int64),
        (pl.Float32, pl.Int16),
        (pl.Float64, pl.Boolean),
        (pl.String, pl.String),
        (pl.Enum(["0", "1", "2"]), pl.Enum(["1", "0"])),
        (pl.Categorical, pl.Categorical),
        (pl.Categorical, pl.String),
        (pl.String, pl.Enum(["0", "1"])),
    ],
)
def test_types(label, prediction, engine: str) -> None:
    """Columns of one type or two: zeros and ones, or their names."""
    expected = figures(SMALL, "polars")
    assert None not in expected.values()

    def cast(name: str, dtype: object) -> pl.Expr:
        text = dtype in (pl.String, pl.Categorical) or isinstance(dtype, pl.Enum)
        return pl.col(name).cast(pl.String).cast(dtype) if text else pl.col(name).cast(dtype)

    frame = SMALL.select(cast("label", label), cast("prediction", prediction))
    text = label in (pl.String, pl.Categorical) or isinstance(label, pl.Enum)
    actual = figures(frame, engine, positive="1" if text else None)
    assert_same({(k,): v for k, v in actual.items()}, {(k,): v for k, v in expected.items()}, 1e-12)


@engines
@pytest.mark.parametrize("kind", ["integers", "fractions"])
def test_text_as_numbers(kind: str, engine: str) -> None:
    """The classes of a whole case become numbers in the same order."""
    result = CASES["text"].renamed(
        lambda c: c if c is None else PLACES[c] * 7 - 20 if kind == "integers" else PLACES[c] / 4 - 1,
        pl.Int64 if kind == "integers" else pl.Float64,
    )
    expected = by_measure(evaluated(CASES["text"], NAMES, "polars"))
    scale = sorted({c for side in ("label", "prediction") for c in result.frame()[side].drop_nulls()})
    for name, actual in by_measure(evaluated(result, NAMES, engine, categories=scale)).items():
        assert_same(actual, expected[name], 1e-12)


@functools.cache
def plainly(engine: str) -> dict[str, Values]:
    """What items with a label and a prediction each give, by measure."""
    return by_measure(evaluated(CASES["text"], FIRST, engine))


@engines
def test_a_confusion_table(engine: str) -> None:
    """The cells of a table, weighted, are the table."""
    case = CASES["text"]
    cells = case.frame().group_by("run_id", "part", "label", "prediction").agg(count=pl.col("weight").sum())
    actual = by_measure(evaluated(case, FIRST, engine, cells, weight="count"))
    for name, values_found in actual.items():
        assert_same(values_found, plainly(engine)[name], 1e-12)


@engines
def test_ten_thousand_million_items(engine: str) -> None:
    """Products of four margins would need more than 128 bits; the figures are those of exact fractions."""
    cells = pl.DataFrame({"label": [1, 1, 0, 0], "prediction": [1, 0, 1, 0], "count": [7, 3, 2, 9_999_999_988]})
    actual = dict(
        ir.Labels(cells, weight="count", engine=engine)
        .evaluate("MCC Kappa NumItems Specificity FOR Informedness ChiSquare")
        .summary()
        .select("measure", "value")
        .rows()
    )
    n, tp, fn, fp, tn = 10**10, 7, 3, 2, 9_999_999_988
    top, spread = tp * tn - fp * fn, (tp + fn) * (tp + fp) * (tn + fp) * (tn + fn)
    assert actual["NumItems"] == n
    assert actual["MCC"] == pytest.approx(top / spread**0.5, rel=1e-14)
    assert actual["ChiSquare"] == pytest.approx(n * top * top / spread, rel=1e-9)
    assert actual["Kappa"] == pytest.approx(2 * top / ((tp + fn) * (tn + fn) + (tp + fp) * (tn + fp)), rel=1e-14)
    assert actual["Specificity"] == pytest.approx(tn / (tn + fp), rel=1e-15)
    assert actual["FOR"] == pytest.approx(fn / (tn + fn), rel=1e-14)
    assert actual["Informedness"] == pytest.approx(top / ((tp + fn) * (tn + fp)), rel=1e-14)
    balanced = cells.with_columns(count=pl.Series([4_000_000_000, 1_000_000_000, 1_000_000_000, 4_000_000_000]))
    assert ir.Labels(balanced, weight="count", engine=engine).evaluate("MCC").summary()[
        "value"
    ].item() == pytest.approx(0.6, rel=1e-14)


def exploded(side: str) -> pl.DataFrame:
    """One side of the sets as a long table."""
    return CASES["sets"].frame().explode(side).select("run_id", "part", "item_id", side).drop_nulls(side)


@engines
def test_two_long_tables(engine: str) -> None:
    """Sets of labels as lists, and as two long tables, without weights.

    The same where an item has a class on either side.
    """
    case = CASES["sets"]
    measures = LABELS.first_variants("sets")
    frame = case.frame().drop("weight")
    some = frame.filter(
        (pl.col("label").list.len() > 0).fill_null(value=False)
        | (pl.col("prediction").list.len() > 0).fill_null(value=False)
    )
    lists = values(ir.Labels(some, unit="part", positive=case.positive, engine=engine).evaluate(measures))
    labels, predictions = exploded("label").drop("run_id"), exploded("prediction")
    twice = pl.concat([predictions, predictions.head(20)])
    # A second classifier is held against the same labels.
    both = pl.concat([twice, predictions.with_columns(run_id=pl.lit("run1")).filter(pl.col("item_id") % 3 > 0)])
    evaluation = ir.Labels(labels, both, unit="part", positive=case.positive, engine=engine).evaluate(measures)
    options = {k: v for k, v in values(evaluation).items() if k[1] == "run0"}
    assert_same(options, lists, 1e-12)
    assert {k[1] for k in values(evaluation)} == {"run0", "run1"}


@engines
def test_lists_without_ids(engine: str) -> None:
    frame = pl.DataFrame(
        {
            "label": [["a", "b"], [], None, ["c"]],
            "prediction": [["b", "a", "a"], None, ["c"], ["a"]],
            "item_id": [1, 2, 3, 4],
        }
    )
    expected = {
        "SubsetAccuracy": 0.5,
        "HammingLoss": 0.25,
        "F1(average='micro')": 4 / 7,
        "Precision(average='item')": 1 / 3,
        "NumItems": 4.0,
    }
    actual = ir.Labels(frame, engine=engine).evaluate(list(expected)).summary()
    assert dict(actual.select("measure", "value").rows()) == pytest.approx(expected)
    if engine == "polars":
        assert ir.Labels(frame.drop("item_id")).evaluate(list(expected)).summary().equals(actual)


@engines
def test_integers_in_lists(engine: str) -> None:
    frame = pl.DataFrame({"item_id": [1, 2], "label": [[1, 2], [3]], "prediction": [[1.0, 2.0], [1.0]]})
    assert ir.Labels(frame, engine=engine, positive=1).evaluate("SubsetAccuracy Precision(average='binary')").summary()[
        "value"
    ].to_list() == [
        0.5,
        0.5,
    ]


def test_tables_of_a_connection() -> None:
    case = CASES["text"]
    with duckdb.connect() as con:
        con.execute("CREATE SCHEMA answers")
        con.from_arrow(case.frame().to_arrow()).create("answers.items")
        labels = ir.Labels("answers.items", unit="part", positive=case.positive, con=con)
        assert_same(values(labels.evaluate("MCC")), plainly("duckdb")["MCC"], 1e-12)
        relation = con.table("answers.items")
        assert_same(
            values(ir.Labels(relation, unit="part", positive=case.positive).evaluate("MCC")),
            plainly("duckdb")["MCC"],
            1e-12,
        )
        assert "FROM answers.items" in labels.evaluate("MCC").per_unit.sql(wide=True)
        assert con.sql("SELECT count(*) FROM duckdb_tables()").fetchall() == [(1,)]


def test_pandas_and_lazy_frames() -> None:
    expected = figures(SMALL, "polars")
    assert figures(SMALL.lazy(), "polars") == pytest.approx(expected)
    assert figures(SMALL.to_pandas(), "polars") == pytest.approx(expected)
    assert figures(SMALL.to_arrow(), "duckdb") == pytest.approx(expected)


def test_names_of_other_tools() -> None:
    frame = SMALL.rename({"label": "y_true", "prediction": "y_pred"}).with_columns(sample_weight=pl.lit(1.0))
    assert figures(frame, "polars") == pytest.approx(figures(SMALL, "polars"))
    odd = SMALL.rename({"label": "Wahrheit", "prediction": "Antwort"}).with_columns(Gewicht=pl.lit(2.0))
    actual = (
        ir.Labels(odd, label="Wahrheit", prediction="Antwort", weight="Gewicht")
        .evaluate("NumItems MCC")
        .summary()["value"]
        .to_list()
    )
    assert actual == pytest.approx([12.0, figures(SMALL, "polars")["MCC"]])


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_ids_of_two_tables_in_different_kinds_of_text(engine: str) -> None:
    gold = pl.DataFrame({"item_id": ["a", "b", "c"], "label": ["x", "y", "x"]})
    system = pl.DataFrame({"item_id": ["a", "b", "c"], "prediction": ["x", "y", "y"]}).with_columns(
        pl.col("item_id").cast(pl.Enum(["c", "b", "a"]))
    )
    for kind in (pl.String, pl.Categorical, pl.Enum(["a", "b", "c"])):
        actual = (
            ir.Labels(gold.with_columns(pl.col("item_id").cast(kind)), system, engine=engine)
            .evaluate("SubsetAccuracy")
            .summary()
        )
        assert actual["value"].item() == pytest.approx(2 / 3)


def test_a_column_of_models_tells_them_apart() -> None:
    """Else all rows would be those of one model."""
    frame = pl.DataFrame(
        {"model": [*"aabb"], "label": [1, 0, 1, 0], "prediction": [1, 0, 0, 0], "cluster": [1, 2, 1, 1]}
    )
    summary = ir.Labels(frame).evaluate("Accuracy").summary()
    assert summary.select("run_id", "value").rows() == [("a", 1.0), ("b", 0.5)]
    assert ir.Clusters(frame).evaluate("Purity").summary()["run_id"].to_list() == ["a", "b"]
    assert ir.Labels(frame, by="model").evaluate("Accuracy").summary().columns[0] == "model"
    named = ir.Labels(frame.with_columns(run_id=pl.lit("r"))).evaluate("Accuracy").summary()
    assert named.select("run_id", "value").rows() == [("r", 0.75)]
