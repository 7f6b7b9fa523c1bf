"""What may be handed in, what is refused, and the policies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    IrevalError,
    MismatchedTables,
    MissingColumn,
    NotDefined,
    WrongType,
)
from tests.clusters.suite import CASES
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
FRAME = ir.examples.clusters()
ASKED = "Purity AdjustedRand NMI BCubedF ClusteringAccuracy SplitJoin"
WANTED = ir.Clusters(FRAME).evaluate(ASKED).summary()["value"].to_list()


def summary(*tables: Any, measures: str = ASKED, **options: Any) -> list[float | None]:
    actual: list[float | None] = ir.Clusters(*tables, **options).evaluate(measures).summary()["value"].to_list()
    return actual


def same(actual: list[float | None], expected: list[float | None] = WANTED) -> None:
    assert actual == [w if w is None else pytest.approx(w, rel=1e-12, abs=1e-15) for w in expected]


@engines
def test_two_tables(engine: str) -> None:
    gold, system = (
        FRAME.select("item_id", "label"),
        FRAME.select("item_id", "cluster_id").sample(fraction=1, shuffle=True, seed=2),
    )
    same(summary(gold, system, engine=engine))
    two = pl.concat([system.with_columns(run_id=pl.lit(r)) for r in ("one", "two")])
    actual = ir.Clusters(gold, two, engine=engine).evaluate("Purity").summary()
    assert actual.select("run_id", "measure").rows() == [("one", "Purity"), ("two", "Purity")]
    same(actual["value"].to_list(), [WANTED[0]] * 2)
    # A second table of item and label is a clustering, too.
    same(summary(gold, system.rename({"cluster_id": "label"}), engine=engine))


@engines
def test_a_contingency_table_is_weights(engine: str) -> None:
    cells = ir.Clusters(FRAME).contingency()
    assert cells.columns == ["label", "cluster_id", "count"]
    assert cells["count"].sum() == 17
    same(summary(cells, weight="count", engine=engine))
    shared = ir.Clusters(FRAME, engine=engine).contingency(normalize="cluster_id")
    assert shared.group_by("cluster_id").agg(pl.col("share").sum())["share"].to_list() == [pytest.approx(1.0)] * 3
    with pytest.raises(InvalidParameter, match="'label', 'cluster_id', 'all'"):
        ir.Clusters(FRAME).contingency(normalize="rows")  # type: ignore[arg-type]


@engines
def test_contingency_tables_of_groups_and_units(engine: str) -> None:
    """What a call asks for comes before what the constructor was told."""
    frame = FRAME.with_columns(part=pl.int_range(pl.len()) % 2, user=pl.int_range(pl.len()) % 3)
    plainly = ir.Clusters(frame, engine=engine)
    for column in ("part", "user"):
        parts = [
            ir.Clusters(frame.filter(pl.col(column) == key)).contingency().select(pl.lit(key).alias(column), pl.all())
            for key in sorted(frame[column].unique())
        ]
        expected = pl.concat(parts).cast({column: pl.Int64})
        assert plainly.contingency(by=column).equals(expected)
        assert ir.Clusters(frame, unit=column, engine=engine).contingency().equals(expected)
    users = ir.Clusters(frame, unit="user", engine=engine)
    assert users.contingency(per_unit=False).equals(plainly.contingency())
    assert users.contingency(by="part", per_unit=False).equals(plainly.contingency(by="part"))
    lone = frame.with_columns(cluster_id=pl.when(pl.col("cluster_id") > 1).then("cluster_id"))
    dropped = ir.Clusters(lone, engine=engine).contingency(policy="missing=skip")
    assert dropped.equals(ir.Clusters(lone.drop_nulls("cluster_id")).contingency())
    with pytest.raises(InvalidParameter, match="by='count' is a column of the result"):
        plainly.contingency(by="count")


def test_lone_items_in_the_contingency_table() -> None:
    frame = pl.DataFrame({"label": ["a", "a", "b"], "cluster_id": [1, None, None]})
    assert ir.Clusters(frame).contingency().rows() == [("a", None, 1.0), ("a", 1, 1.0), ("b", None, 1.0)]


@engines
def test_missing_items(engine: str) -> None:
    """RepLab's rule, items left out, items alone; absent and null are the same."""
    gold = pl.DataFrame({"item_id": [1, 2, 3, 4], "label": ["a", "a", "b", "b"]})
    system = pl.DataFrame({"item_id": [1, 2, 3], "cluster_id": ["x", "x", "x"]})
    joined = gold.join(system, on="item_id", how="left")
    expected = {"singleton": [(5 / 3 + 1) / 4, 0.75], "skip": [5 / 9, 1.0], "replab": [(5 / 3 + 1) / 4, 0.625]}
    for missing, values in expected.items():
        same(summary(gold, system, measures="BCubedP BCubedR", policy={"missing": missing}, engine=engine), values)
        same(summary(joined, measures="BCubedP BCubedR", policy={"missing": missing}, engine=engine), values)
    same(summary(joined, measures="NumClusters BCubedF", policy="missing=skip", engine=engine), [1.0, 10 / 14])
    with pytest.raises(MismatchedTables, match="1 items are in no cluster"):
        summary(gold, system, policy="missing=error", engine=engine)
    with pytest.raises(NotDefined, match="replab"):
        ir.Clusters(gold, system, policy="missing=replab").evaluate("Purity")
    assert "1 items" in ir.Clusters(gold, system, engine=engine).evaluate("Purity").explain(counts=True)


@engines
def test_noise(engine: str) -> None:
    frame = pl.DataFrame({"label": ["a", "a", "b", "b", "b"], "cluster_id": [0, 0, -1, -1, -1]})
    names = "NumClusters NumItems Purity BCubedR"
    same(summary(frame, measures=names, engine=engine), [2, 5, 1, 1])
    same(summary(frame, measures=names, noise_cluster=-1, engine=engine), [4, 5, 1, 0.6])
    same(summary(frame, measures=names, noise_cluster=-1, policy="noise=skip", engine=engine), [1, 2, 1, 1])
    same(summary(frame, measures=names, noise_cluster=-1, policy="noise=cluster", engine=engine), [2, 5, 1, 1])
    weighted = frame.with_columns(weight=pl.Series([1.0, 1.0, 2.0, 2.0, 5.0]))
    same(summary(weighted, measures=names, noise_cluster=-1, engine=engine), [4, 11, 1, (2 + (4 + 4 + 25) / 9) / 11])
    with pytest.raises(InvalidParameter, match="noise_cluster names the class"):
        ir.Clusters(frame, noise_cluster="-1").evaluate("Purity")


@engines
def test_items_without_a_class(engine: str) -> None:
    frame = pl.DataFrame({"label": ["a", None, "b"], "cluster_id": [1, 1, 2]})
    same(summary(frame, measures="NumItems Purity", engine=engine), [2, 1])
    with pytest.raises(MismatchedTables, match="1 items are in no class"):
        summary(frame, policy="unlabelled=error", engine=engine)


@engines
def test_a_group_equals_the_group_alone(engine: str) -> None:
    frame = CASES["text"].frame("run0")
    together = ir.Clusters(frame, by="part", engine=engine).evaluate("AMI Rand BCubedF").summary()
    for part in frame["part"].unique().sort().to_list()[::4]:
        table = ir.Clusters(frame.filter(pl.col("part") == part), engine=engine).evaluate("AMI Rand BCubedF").summary()
        same(together.filter(pl.col("part") == part)["value"].to_list(), table["value"].to_list())
    assert together.columns == ["part", "measure", "value", "n_units", "n_undefined"]
    assert ir.Clusters(frame, unit="part", engine=engine).evaluate("Rand").per_unit().columns == [
        "part",
        "measure",
        "value",
    ]


@engines
def test_empty_tables(engine: str) -> None:
    """Without rows one unit has no items; scikit-learn calls two empty partitions equal."""
    names = "Purity AdjustedRand Rand NMI AMI V MI FowlkesMallows BCubedF ClusteringAccuracy SplitJoin NumItems"
    same(summary(FRAME.clear(), measures=names, engine=engine), [None, 1, 1, 1, 1, 1, 0, None, None, None, 0, 0])
    same(summary(FRAME.clear(), measures="Purity BCubedF", policy="undefined=0", engine=engine), [0, 0])
    assert (
        ir.Clusters(FRAME.clear().with_columns(part=pl.lit("p")), by="part", engine=engine)
        .evaluate("Purity")
        .summary()
        .height
        == 0
    )


def test_paths_and_relations(tmp_path: Path) -> None:
    path = tmp_path / "clusters.parquet"
    FRAME.write_parquet(path)
    same(summary(path))
    FRAME.write_csv(tmp_path / "clusters.csv")
    same(summary(tmp_path / "clusters.csv"))
    with duckdb.connect() as con:
        con.sql(f"CREATE TABLE mine AS FROM '{path}'")
        same(summary(con.table("mine")))
        same(summary("mine", con=con))
        actual = ir.Clusters(con.table("mine")).evaluate("Purity Rand")
        assert actual.per_unit.to_native().fetchall() == [
            ("Purity", pytest.approx(WANTED[0])),
            ("Rand", pytest.approx(0.6764705882352942)),
        ]


@pytest.mark.parametrize(
    "make, error, words",
    [
        (lambda: ir.Clusters(FRAME.drop("cluster_id")).evaluate("Purity"), MissingColumn, 'cluster="their_name"'),
        (lambda: ir.Clusters(FRAME.drop("label")).evaluate("Purity"), MissingColumn, 'label="their_name"'),
        (lambda: ir.Clusters(FRAME, cluster="k").evaluate("Purity"), MissingColumn, "no column 'k'"),
        (lambda: ir.Clusters(FRAME, by="nothing").evaluate("Purity"), MissingColumn, "no column 'nothing'"),
        (lambda: ir.Clusters(FRAME, by="measure").evaluate("Purity"), InvalidParameter, "column of the result"),
        (lambda: ir.Clusters(FRAME).evaluate("nDCG"), IrevalError, "is a measure of ranking"),
        (
            lambda: ir.Clusters(FRAME, policy="missing=no").evaluate("Purity"),
            InvalidParameter,
            "singleton, error, skip, replab",
        ),
        (
            lambda: ir.Clusters(FRAME.select("label", "cluster_id"), FRAME).evaluate("Purity"),
            MissingColumn,
            'item="their_name"',
        ),
        (
            lambda: ir.Clusters(FRAME.with_columns(label=pl.struct("label"))).evaluate("Purity"),
            WrongType,
            "which cannot be a label",
        ),
        (lambda: ir.Clusters(FRAME.with_columns(weight=-1.0)).evaluate("Purity").summary(), InvalidValue, "-1.0"),
        (lambda: ir.Clusters(FRAME.with_columns(weight=0.5)).evaluate("AMI").summary(), InvalidValue, "whole numbers"),
        (
            lambda: ir.Clusters(pl.concat([FRAME, FRAME]), item="item_id").evaluate("Purity").summary(),
            DuplicateRows,
            "is in 2 rows",
        ),
    ],
)
def test_bad_input(make: Any, error: type[IrevalError], words: str) -> None:
    with pytest.raises(error, match=None) as caught:
        make()
    assert words in str(caught.value)


def test_relations_that_are_queries() -> None:
    """Not tables alone: what a query or a projection gives, beside another one or a frame."""
    con = duckdb.connect()
    con.register("items", FRAME.to_arrow())
    same(summary(con.sql("SELECT * FROM items")))
    same(summary(con.table("items").project("*")))
    gold, system = con.sql("SELECT item_id, label FROM items"), con.sql("SELECT item_id, cluster_id FROM items")
    same(summary(gold, system))
    same(summary(gold, FRAME.select("item_id", "cluster_id")))


def test_names_that_are_none_are_reported() -> None:
    """Whatever stands where a column's name belongs."""
    for wrong in (3, pl.col("cluster_id")):
        with pytest.raises(InvalidParameter, match="named by text"):
            summary(FRAME, cluster=wrong)
    for wrong in (3, pl.col("label"), [1]):
        with pytest.raises(InvalidParameter, match="named by text"):
            summary(FRAME, by=wrong)
    same(summary(FRAME, by=None, unit=None))
    with pytest.raises(InvalidParameter, match="which is not a policy"):
        summary(FRAME, policy=1)


@engines
def test_tables_are_joined_by_columns_of_one_kind(engine: str) -> None:
    gold, system = FRAME.select("item_id", "label", g=pl.lit(1)), FRAME.select("item_id", "cluster_id", g=pl.lit("a"))
    with pytest.raises(
        MismatchedTables, match="'g' of the clusters table is Int32 and column 'g' of the system table is String"
    ):
        summary(gold, system, by="g", engine=engine)
    texts = system.with_columns(pl.format("d{}", "item_id").alias("item_id"))
    with pytest.raises(MismatchedTables, match=r'pl.col\("item_id"\).cast\(pl.String\)'):
        summary(gold, texts, engine=engine)
    with pytest.raises(MismatchedTables, match=r"cast\(pl.Int64\)"):
        summary(gold, system.with_columns(pl.col("item_id").cast(pl.Float64)), engine=engine)


def test_a_column_twice_is_reported() -> None:
    frame = FRAME.to_pandas()
    twice = frame.set_axis([*frame.columns[:-1], frame.columns[0]], axis=1)
    with pytest.raises(WrongType, match="several columns of the same name"):
        summary(twice)


@engines
def test_counts_of_one_unit(engine: str) -> None:
    actual = ir.Clusters(FRAME, engine=engine).evaluate("Purity V").per_unit(counts=True)
    assert actual.drop("value").rows() == [("Purity", 17, 3, 3), ("V", 17, 3, 3)]
    assert actual.columns[2:] == ["n_items", "n_classes", "n_clusters"]


@engines
def test_items_of_weight_0_are_none(engine: str) -> None:
    """Their classes and clusters do not count either."""
    names = f"{ASKED} EditDistance NumClusters NumClasses NumItems"
    more = pl.DataFrame(
        {"item_id": [90, 91], "label": ["rare", "x"], "cluster_id": [9, None], "w": [0, 0]},
        schema_overrides={"cluster_id": pl.Int64},
    )
    frame = pl.concat([FRAME.with_columns(w=pl.lit(1, pl.Int64)), more], how="vertical_relaxed")
    same(summary(frame, weight="w", measures=names, engine=engine), summary(FRAME, measures=names, engine=engine))
