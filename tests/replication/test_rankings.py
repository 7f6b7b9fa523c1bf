"""The lists of an original and its replica by plain loops, and where repro_eval's numbers say nothing."""

from __future__ import annotations

import random
from typing import Any

import duckdb
import polars as pl
import pytest
import scipy.stats
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import InvalidValue, MismatchedTables, MissingColumn, NotDefined, UnknownName
from ireval_frames.replication import Reproduction
from tests.oracles import similarity as oracles

QRELS = pl.DataFrame({"query_id": ["q1", "q2"], "doc_id": ["a", "b"], "relevance": [1, 1]})


def run(lists: dict[str, dict[str, str]]) -> pl.DataFrame:
    """Lists of documents, by system and query, as words in order."""
    rows = [
        {"run_id": system, "query_id": query, "doc_id": doc, "score": 100.0 - i}
        for system, queries in lists.items()
        for query, docs in queries.items()
        for i, doc in enumerate(docs.split())
    ]
    return pl.DataFrame(rows)


def of(one: Any, other: Any, **options: Any) -> Reproduction:
    """Two runs evaluated, and compared."""
    sides = [ir.evaluate(QRELS, side, "AP", policy="overlap=allow", **options) for side in (one, other)]
    return ir.replication.reproduction(*sides)


def tau(one: str, other: str) -> float:
    """Of the only query."""
    return of(run({"s": {"q1": one}}), run({"s": {"q1": other}})).rankings("Tau")["Tau"][0]


@pytest.mark.parametrize(
    "one, other, expected",
    [
        ("a b c d", "a b c d", 1.0),
        ("a b c d", "d c b a", -1.0),
        # repro_eval gives 1 for each of these: it correlates places in the sorted union.
        ("a b c d", "a b c e", 0.8),
        ("a b c d", "e f g h", scipy.stats.kendalltau([1, 2, 3, 4, 5, 5, 5, 5], [5, 5, 5, 5, 1, 2, 3, 4]).statistic),
        # And −1 for this one.
        ("a b c d", "h g f e", scipy.stats.kendalltau([1, 2, 3, 4, 5, 5, 5, 5], [5, 5, 5, 5, 4, 3, 2, 1]).statistic),
    ],
)
def test_documents_that_a_list_lacks_are_tied_after_its_last(one: str, other: str, expected: float) -> None:
    assert tau(one, other) == pytest.approx(expected)


def test_names_of_documents_say_nothing() -> None:
    names = dict(zip("abcdefgh", "hgfedcba", strict=True))
    one, other = "a b c d", "b a e f"
    renamed = [" ".join(names[d] for d in docs.split()) for docs in (one, other)]
    assert tau(one, other) == pytest.approx(tau(*renamed))


def test_a_short_list_is_itself() -> None:
    """repro_eval's RBO of a list of four with itself is 0.418."""
    same = run({"s": {"q1": "a b c d"}})
    assert of(same, same).rankings("RBO")["RBO"].to_list() == [pytest.approx(1.0)]


def make_case(seed: int) -> pl.DataFrame:
    """Three systems, lists of several lengths with ties, rows in any order."""
    rng = random.Random(seed)
    rows = [
        {"run_id": s, "query_id": q, "doc_id": d, "score": float(rng.randrange(8))}
        for s in ("x", "y", "z")
        for q in ("q1", "q2", "q3")
        for d in rng.sample("abcdefghijklmnop", rng.randrange(2, 11))
    ]
    return pl.DataFrame(rows).sample(fraction=1, shuffle=True, seed=seed)


def completed(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    return {d: one.get(d, -1.0) for d in {*one, *other}}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_by_loops(engine: str) -> None:
    first, again = make_case(1), make_case(2).filter((pl.col("query_id") != "q2") | (pl.col("run_id") != "y"))
    r = of(first, again, engine=engine)
    actual = r.rankings("Tau TauAP Spearman RBO(p=0.8) Overlap@3")
    common = r.rankings("Tau RBO(p=0.8)", items="common")
    assert actual.select("system", "query_id").rows() == [(s, q) for s in "xyz" for q in ("q1", "q2", "q3")]
    for row, of_common in zip(actual.rows(named=True), common.rows(named=True), strict=True):
        one, other = (
            dict(side.filter(run_id=row["system"], query_id=row["query_id"]).select("doc_id", "score").iter_rows())
            for side in (first, again)
        )
        values = [row[m] for m in ("n_common", "Tau", "TauAP", "Spearman", "RBO(p=0.8)", "Overlap@3")]
        if not other:
            assert values[1:] == [None] * 5
            continue
        both, theirs = completed(one, other), completed(other, one)
        assert values == pytest.approx(
            [
                oracles.num_common(one, other),
                oracles.tau(both, theirs),
                # The original is the truth.
                oracles.tau_ap(theirs, both),
                oracles.spearman(both, theirs),
                oracles.rbo(one, other, p=0.8),
                oracles.overlap(one, other, cutoff=3),
            ],
            abs=1e-12,
        )
        assert of_common["Tau"] == pytest.approx(oracles.tau(one, other), abs=1e-12)
        assert of_common["RBO(p=0.8)"] == pytest.approx(row["RBO(p=0.8)"], abs=1e-12)
    means = r.rankings("Tau RBO(p=0.8)", summary=True)
    assert means.filter(system="y").select("measure", "n_units", "n_undefined").rows() == [
        ("Tau", 3, 1),
        ("RBO(p=0.8)", 3, 1),
    ]
    assert means.filter(system="x", measure="Tau")["value"].item() == pytest.approx(actual["Tau"][:3].mean())


def test_depth_cuts_before_lists_are_completed() -> None:
    r = of(run({"s": {"q1": "a b c d e"}}), run({"s": {"q1": "a b e d c"}}))
    assert r.rankings(depth=2)["Tau"].to_list() == [pytest.approx(1.0)]
    assert r.rankings(depth=3)["Tau"].to_list() == [pytest.approx(oracles.tau(*_three()))]


def _three() -> tuple[dict[str, float], dict[str, float]]:
    return {"a": 4, "b": 3, "c": 2, "e": 1}, {"a": 4, "b": 3, "e": 2, "c": 1}


def test_runs_beside_values() -> None:
    """Values from a table, runs of any kind; a run without a name is of the only system."""
    first, again = make_case(3), make_case(4)
    expected = of(first, again).rankings()
    values = [ir.evaluate(QRELS, side, "AP", policy="overlap=allow").per_unit() for side in (first, again)]
    assert_frame_equal(ir.replication.reproduction(*values, runs=(first, again)).rankings(), expected)
    with duckdb.connect() as con:
        tables = [con.from_arrow(side.to_arrow()) for side in (first, again)]
        assert_frame_equal(ir.replication.reproduction(*values, runs=(tables[0], tables[1])).rankings(), expected)
        assert_frame_equal(of(*tables).rankings(), expected)
    alone = [side.filter(run_id="x").drop("run_id") for side in (first, again)]
    found = of(*alone).rankings()
    assert_frame_equal(found.drop("system"), expected.filter(system="x").drop("system"))
    ranks = [side.rename({"doc_id": "document"}) for side in (first, again)]
    renamed = [
        ir.evaluate(QRELS, side, "AP", policy="overlap=allow", columns={"run": {"doc_id": "document"}})
        for side in ranks
    ]
    assert_frame_equal(ir.replication.reproduction(*renamed).rankings(), expected)


def test_errors() -> None:
    first, again = make_case(5), make_case(6)
    values = ir.evaluate(QRELS, first, "AP").per_unit()
    with pytest.raises(NotDefined, match=r"runs=\(run, replica_run\)"):
        ir.replication.reproduction(values, values).rankings()
    with pytest.raises(UnknownName, match="items is 'uniom'"):
        of(first, again).rankings(items="uniom")
    with pytest.raises(UnknownName, match="Tao"):
        of(first, again).rankings("Tao")
    others = again.with_columns(run_id=pl.lit("other"))
    with pytest.raises(MismatchedTables, match=r"The run of the replica has none of the systems compared \(x, y, z\)"):
        ir.replication.reproduction(values, values, runs=(first, others)).rankings()
    with pytest.raises(MissingColumn, match="query_id"):
        ir.replication.reproduction(values, values, runs=(first.drop("query_id"), again.drop("query_id"))).rankings()
    nulls = first.with_columns(doc_id=pl.when(pl.col("doc_id") != "a").then("doc_id"))
    with pytest.raises(InvalidValue, match="of the rankings is null in"):
        ir.replication.reproduction(values, values, runs=(nulls, again)).rankings()
