"""Extended BCubed equals the loop over pairs of items; without overlap it is BCubed."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import DuplicateRows, NotDefined
from tests.contract.kit import ENGINES
from tests.oracles.clusters_overlapping import extended

MEASURES = "BCubedP BCubedR BCubedF(alpha=0.3)"
Row = tuple[frozenset[Any], frozenset[Any]]


def rows(seed: int) -> dict[str, list[Row]]:
    rng = random.Random(seed)
    # A name that holds a length and a colon, and one that is another's beginning.
    classes, clusters = ["a", "b", "1:a", "ab", "c"], [1, 11, 2, -1, 3]

    def some(pool: list[Any], least: int) -> frozenset[Any]:
        return frozenset(rng.sample(pool, rng.randint(least, 3)))

    return {
        f"u{n}": [(some(classes, n % 2), some(clusters, n % 3 > 0)) for _ in range(rng.randint(1, 25))]
        for n in range(12)
    }


def lists(units: dict[str, list[Row]]) -> pl.DataFrame:
    listed = [(u, f"{u}-{i}", sorted(c), sorted(x)) for u, items in units.items() for i, (c, x) in enumerate(items)]
    types = {"part": pl.String, "item_id": pl.String, "label": pl.List(pl.String), "cluster_id": pl.List(pl.Int64)}
    return pl.DataFrame(listed, schema=types, orient="row")


def values(subject: ir.Clusters, measures: str = MEASURES) -> dict[tuple[str, str], float | None]:
    frame = subject.evaluate(measures).per_unit()
    return {(r["part"], r["measure"]): r["value"] for r in frame.iter_rows(named=True)}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("missing", ["singleton", "skip", "replab"])
def test_equals_the_loop(missing: str, engine: str) -> None:
    units = rows(1)
    actual = values(ir.Clusters(lists(units), item="item_id", unit="part", policy={"missing": missing}, engine=engine))
    for unit, items in units.items():
        precision, recall = (extended(items, side, missing) for side in (1, 0))
        f = (
            None
            if precision is None or recall is None
            else 0.0
            if not precision * recall
            else 1 / (0.3 / precision + 0.7 / recall)
        )
        for measure, expected in zip(MEASURES.split(), (precision, recall, f), strict=True):
            assert actual[unit, measure] == (expected if expected is None else pytest.approx(expected, rel=1e-12)), (
                unit,
                measure,
            )


@pytest.mark.parametrize("engine", ENGINES)
def test_two_long_tables_are_the_same(engine: str) -> None:
    frame = lists(rows(2))
    gold = frame.select("part", "item_id", "label").explode("label").with_columns(pl.col("label").cast(pl.Categorical))
    system = frame.select("part", "item_id", "cluster_id").explode("cluster_id").drop_nulls()
    expected = values(ir.Clusters(frame, unit="part", engine="polars"))
    actual = values(
        ir.Clusters(gold, system.sample(fraction=1, shuffle=True, seed=1), unit="part", overlapping=True, engine=engine)
    )
    assert actual == {k: v if v is None else pytest.approx(v, rel=1e-12) for k, v in expected.items()}


@pytest.mark.parametrize("engine", ENGINES)
def test_without_overlap_it_is_bcubed(engine: str) -> None:
    frame = pl.DataFrame(
        {
            "item_id": range(40),
            "part": ["p"] * 40,
            "label": [i * i % 7 for i in range(40)],
            "cluster_id": [i % 5 for i in range(40)],
        }
    )
    plain = values(ir.Clusters(frame, unit="part", engine=engine))
    assert values(ir.Clusters(frame, unit="part", overlapping=True, engine=engine)) == {
        k: pytest.approx(v, rel=1e-12) for k, v in plain.items()
    }


def test_weights_count_items() -> None:
    units = {"u": rows(3)["u5"]}
    frame = lists(units).with_columns(weight=pl.int_range(pl.len()) % 3 + 1)
    copies = pl.concat([frame.filter(pl.col("weight") >= n) for n in (1, 2, 3)])
    copies = (
        copies.filter(pl.col("cluster_id").list.len() > 0)
        .with_row_index()
        .with_columns(item_id=pl.col("index").cast(pl.String))
    )
    kept = frame.filter(pl.col("cluster_id").list.len() > 0)
    assert values(ir.Clusters(kept, unit="part")) == {
        k: pytest.approx(v, rel=1e-12)
        for k, v in values(ir.Clusters(copies.drop("weight", "index"), unit="part")).items()
    }


def test_the_sql_text_runs() -> None:
    import duckdb

    frame = lists(rows(4))
    expected = values(ir.Clusters(frame, item="item_id", unit="part"))
    text = ir.Clusters(frame, item="item_id", unit="part").evaluate(MEASURES).per_unit.sql(wide=True)
    with duckdb.connect() as con:
        con.from_arrow(frame.to_arrow()).create("clusters")
        actual = con.sql(text).pl()
    for row in actual.iter_rows(named=True):
        for measure in MEASURES.split():
            value = expected[row["part"], measure]
            assert row[measure] == (value if value is None else pytest.approx(value, rel=1e-12))


def test_what_is_refused() -> None:
    frame = lists(rows(5))
    with pytest.raises(NotDefined, match="Purity is for items in one class and one cluster each"):
        ir.Clusters(frame).evaluate("Purity")
    with pytest.raises(NotDefined, match="self_pairs=True"):
        ir.Clusters(frame).evaluate("BCubedP(self_pairs=False)")
    with pytest.raises(NotDefined, match="overlap"):
        ir.Clusters(frame).contingency()
    twice = pl.DataFrame({"item_id": [1, 1, 2], "label": ["a", "b", "a"], "cluster_id": [1, 1, 2]})
    with pytest.raises(DuplicateRows, match="overlapping=True"):
        ir.Clusters(twice, item="item_id").evaluate("BCubedP").summary()
    assert ir.Clusters(twice, item="item_id", overlapping=True).evaluate("BCubedP").summary()["value"].item() == 1.0


MISSING, NOISE = ("singleton", "skip", "replab"), ("singleton", "skip", "cluster")
COUNTS = "NumItems NumClasses NumClusters"


@pytest.mark.parametrize("engine", ENGINES)
def test_noise_is_treated_as_without_overlap(engine: str) -> None:
    """Flat tables, said to overlap: every policy for items in no cluster with every one for noise."""
    rng = random.Random(7)
    n = 90
    frame = pl.DataFrame(
        {
            "item_id": range(n),
            "part": [f"p{i % 3}" for i in range(n)],
            "label": [rng.choice(["a", "b", "c", None]) for _ in range(n)],
            "cluster_id": [rng.choice([1, 2, -1, -1, None]) for _ in range(n)],
            "weight": [rng.choice([1, 2, 3]) for _ in range(n)],
        }
    )
    for missing in MISSING:
        for noise in NOISE:
            options = {"unit": "part", "noise_cluster": -1, "policy": {"missing": missing, "noise": noise}}
            plain = values(ir.Clusters(frame, engine=engine, **options), f"{MEASURES} {COUNTS}")
            actual = values(ir.Clusters(frame, overlapping=True, engine=engine, **options), f"{MEASURES} {COUNTS}")
            assert actual == {k: pytest.approx(v, rel=1e-12) for k, v in plain.items()}, (missing, noise)


@pytest.mark.parametrize("engine", ENGINES)
def test_noise_of_lists(engine: str) -> None:
    """Who is in noise and elsewhere is elsewhere only; who is in noise only is noise."""
    frame = pl.DataFrame(
        {"item_id": [1, 2, 3, 4], "label": [*"aabb"], "cluster_id": [[0], [-1, 0], [-1], [-1]]},
        schema_overrides={"cluster_id": pl.List(pl.Int64)},
    )
    expected = {"singleton": (1.0, 0.75), "skip": (1.0, 1.0), "cluster": ((1 + 1.5 / 4 + 2 * 2 / 3) / 4, 1.0)}
    for noise, both in expected.items():
        subject = ir.Clusters(frame, noise_cluster=-1, policy={"noise": noise}, engine=engine)
        actual = subject.evaluate("BCubedP BCubedR").summary()["value"].to_list()
        assert actual == pytest.approx(both, rel=1e-12), noise
    counted = ir.Clusters(frame, noise_cluster=-1, engine=engine).evaluate(COUNTS).summary()["value"].to_list()
    assert counted == [4.0, 2.0, 3.0]
    touched = ir.Clusters(frame, noise_cluster=-1, engine=engine).evaluate("BCubedP").explain(counts=True)
    assert "noise = singleton  [2 items]" in touched


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("missing", MISSING)
def test_counts(missing: str, engine: str) -> None:
    units = rows(6)
    subject = ir.Clusters(lists(units), unit="part", policy={"missing": missing}, engine=engine)
    table = subject.evaluate("BCubedP").per_unit(counts=True)
    for unit, items in units.items():
        kept = [(c, x) for c, x in items if c and (x or missing != "skip")]
        single = sum(not x for _, x in kept) if missing == "singleton" else 0
        row = table.row(by_predicate=pl.col("part") == unit, named=True)
        assert (row["n_items"], row["n_classes"], row["n_clusters"]) == (
            len(kept),
            len(frozenset().union(*(c for c, _ in kept))),
            len(frozenset().union(*(x for _, x in kept))) + single,
        )
