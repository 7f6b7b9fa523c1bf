"""Rankings of an original and its replica by plain loops, and where repro_eval's values are meaningless."""

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


def compared(original: Any, replica: Any, **options: Any) -> Reproduction:
    """The comparison of two evaluated runs."""
    sides = [ir.evaluate(QRELS, side, "AP", policy="overlap=allow", **options) for side in (original, replica)]
    return ir.replication.reproduction(*sides)


def tau(original: str, replica: str) -> float:
    """τ of the only query."""
    return compared(run({"s": {"q1": original}}), run({"s": {"q1": replica}})).rankings("Tau")["Tau"][0]


@pytest.mark.parametrize(
    "original, replica, expected",
    [
        ("a b c d", "a b c d", 1.0),
        ("a b c d", "d c b a", -1.0),
        # repro_eval gives 1 for each of these: it correlates positions in the sorted union.
        ("a b c d", "a b c e", 0.8),
        ("a b c d", "e f g h", scipy.stats.kendalltau([1, 2, 3, 4, 5, 5, 5, 5], [5, 5, 5, 5, 1, 2, 3, 4]).statistic),
        # repro_eval gives −1.
        ("a b c d", "h g f e", scipy.stats.kendalltau([1, 2, 3, 4, 5, 5, 5, 5], [5, 5, 5, 5, 4, 3, 2, 1]).statistic),
    ],
)
def test_missing_documents_are_tied_at_the_end(original: str, replica: str, expected: float) -> None:
    assert tau(original, replica) == pytest.approx(expected)


def test_names_of_documents_do_not_matter() -> None:
    names = dict(zip("abcdefgh", "hgfedcba", strict=True))
    original, replica = "a b c d", "b a e f"
    renamed = [" ".join(names[d] for d in docs.split()) for docs in (original, replica)]
    assert tau(original, replica) == pytest.approx(tau(*renamed))


def test_rbo_of_a_list_with_itself() -> None:
    """repro_eval's RBO of a list of four with itself is 0.418."""
    lists = run({"s": {"q1": "a b c d"}})
    assert compared(lists, lists).rankings("RBO")["RBO"].to_list() == [pytest.approx(1.0)]


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


def completed(original: dict[str, float], replica: dict[str, float]) -> dict[str, float]:
    return {d: original.get(d, -1.0) for d in {*original, *replica}}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_by_loops(engine: str) -> None:
    original, replica = make_case(1), make_case(2).filter((pl.col("query_id") != "q2") | (pl.col("run_id") != "y"))
    r = compared(original, replica, engine=engine)
    actual = r.rankings("Tau TauAP Spearman RBO(p=0.8) Overlap@3")
    common = r.rankings("Tau RBO(p=0.8)", items="common")
    assert actual.select("system", "query_id").rows() == [(s, q) for s in "xyz" for q in ("q1", "q2", "q3")]
    for row, common_row in zip(actual.rows(named=True), common.rows(named=True), strict=True):
        original_list, replica_list = (
            dict(side.filter(run_id=row["system"], query_id=row["query_id"]).select("doc_id", "score").iter_rows())
            for side in (original, replica)
        )
        values = [row[m] for m in ("n_common", "Tau", "TauAP", "Spearman", "RBO(p=0.8)", "Overlap@3")]
        if not replica_list:
            assert values[1:] == [None] * 5
            continue
        original_ranks, replica_ranks = completed(original_list, replica_list), completed(replica_list, original_list)
        assert values == pytest.approx(
            [
                oracles.num_common(original_list, replica_list),
                oracles.tau(original_ranks, replica_ranks),
                # The original is the reference.
                oracles.tau_ap(replica_ranks, original_ranks),
                oracles.spearman(original_ranks, replica_ranks),
                oracles.rbo(original_list, replica_list, p=0.8),
                oracles.overlap(original_list, replica_list, cutoff=3),
            ],
            abs=1e-12,
        )
        assert common_row["Tau"] == pytest.approx(oracles.tau(original_list, replica_list), abs=1e-12)
        assert common_row["RBO(p=0.8)"] == pytest.approx(row["RBO(p=0.8)"], abs=1e-12)
    means = r.rankings("Tau RBO(p=0.8)", summary=True)
    assert means.filter(system="y").select("measure", "n_units", "n_undefined").rows() == [
        ("Tau", 3, 1),
        ("RBO(p=0.8)", 3, 1),
    ]
    assert means.filter(system="x", measure="Tau")["value"].item() == pytest.approx(actual["Tau"][:3].mean())


def test_depth_cuts_before_lists_are_completed() -> None:
    r = compared(run({"s": {"q1": "a b c d e"}}), run({"s": {"q1": "a b e d c"}}))
    assert r.rankings(depth=2)["Tau"].to_list() == [pytest.approx(1.0)]
    assert r.rankings(depth=3)["Tau"].to_list() == [pytest.approx(oracles.tau(*_three()))]


def _three() -> tuple[dict[str, float], dict[str, float]]:
    return {"a": 4, "b": 3, "c": 2, "e": 1}, {"a": 4, "b": 3, "e": 2, "c": 1}


def test_runs_with_values() -> None:
    """Values of a table with runs of any type; a run without a name belongs to the only system."""
    original, replica = make_case(3), make_case(4)
    expected = compared(original, replica).rankings()
    values = [ir.evaluate(QRELS, side, "AP", policy="overlap=allow").per_unit() for side in (original, replica)]
    assert_frame_equal(ir.replication.reproduction(*values, runs=(original, replica)).rankings(), expected)
    with duckdb.connect() as con:
        tables = [con.from_arrow(side.to_arrow()) for side in (original, replica)]
        assert_frame_equal(ir.replication.reproduction(*values, runs=(tables[0], tables[1])).rankings(), expected)
        assert_frame_equal(compared(*tables).rankings(), expected)
    single = [side.filter(run_id="x").drop("run_id") for side in (original, replica)]
    actual = compared(*single).rankings()
    assert_frame_equal(actual.drop("system"), expected.filter(system="x").drop("system"))
    ranks = [side.rename({"doc_id": "document"}) for side in (original, replica)]
    renamed = [
        ir.evaluate(QRELS, side, "AP", policy="overlap=allow", columns={"run": {"doc_id": "document"}})
        for side in ranks
    ]
    assert_frame_equal(ir.replication.reproduction(*renamed).rankings(), expected)


def test_errors() -> None:
    original, replica = make_case(5), make_case(6)
    values = ir.evaluate(QRELS, original, "AP").per_unit()
    with pytest.raises(NotDefined, match=r"runs=\(run, replica_run\)"):
        ir.replication.reproduction(values, values).rankings()
    with pytest.raises(UnknownName, match="items is 'uniom'"):
        compared(original, replica).rankings(items="uniom")
    with pytest.raises(UnknownName, match="Tao"):
        compared(original, replica).rankings("Tao")
    other_systems = replica.with_columns(run_id=pl.lit("other"))
    with pytest.raises(MismatchedTables, match=r"The run of the replica has none of the systems compared \(x, y, z\)"):
        ir.replication.reproduction(values, values, runs=(original, other_systems)).rankings()
    with pytest.raises(MissingColumn, match="query_id"):
        ir.replication.reproduction(
            values, values, runs=(original.drop("query_id"), replica.drop("query_id"))
        ).rankings()
    nulls = original.with_columns(doc_id=pl.when(pl.col("doc_id") != "a").then("doc_id"))
    with pytest.raises(InvalidValue, match="of the rankings is null in"):
        ir.replication.reproduction(values, values, runs=(nulls, replica)).rankings()
