"""Pool bias beside plain loops; small pools whose answers are known."""

from __future__ import annotations

import statistics
from functools import partial
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MismatchedTables, MissingColumn, NotDefined, UnknownName
from tests.oracles import incomplete, pool_bias, precision, similarity
from tests.reusability.cases import case

MEASURES = "AP P@3 Bpref"
OF_LIST: dict[str, pool_bias.OfList] = {
    "AP": precision.average_precision,
    "P@3": partial(precision.precision, cutoff=3),
    "Bpref": incomplete.binary_preference,
}


def close(expected: float | None) -> Any:
    return None if expected is None else pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("depth", [3, None])
@pytest.mark.parametrize("grouped", [True, False])
def test_runs_and_groups(seed: int, depth: int | None, *, grouped: bool) -> None:
    c = case(seed)
    groups = c.groups if grouped else {run: run for run in c.runs}
    bias = ir.pool_bias(c.judgments, c.table(), MEASURES, group="team" if grouped else None, depth=depth)
    of_runs = {(r["measure"], r["run_id"]): r for r in bias.table().iter_rows(named=True)}
    of_groups = {(r["measure"], r["group"]): r for r in bias.groups().iter_rows(named=True)}
    assert len(of_runs) == len(OF_LIST) * len(c.runs)
    for name, measure in OF_LIST.items():
        true = {run: pool_bias.value(lists, c.qrels, measure) for run, lists in c.runs.items()}
        for group in set(groups.values()):
            qrels = pool_bias.without(c.qrels, c.runs, groups, {group}, depth)
            reduced = {run: pool_bias.value(lists, qrels, measure) for run, lists in c.runs.items()}
            drops = []
            for run in (r for r in c.runs if groups[r] == group):
                row = of_runs[name, run]
                assert (row["value"], row["value_without"]) == (close(true[run]), close(reduced[run]))
                assert row["change"] == close(reduced[run] - true[run])
                assert row["rank"] == pool_bias.rank(run, true)
                assert row["rank_without"] == pool_bias.rank(run, reduced)
                drops.append((row["rank_without"] - row["rank"], run))
            row = of_groups[name, group]
            orders = ({r: round(v, 12) for r, v in values.items()} for values in (reduced, true))
            one, other = orders
            assert row["tau"] == close(similarity.tau(one, other))
            assert row["tau_ap"] == close(similarity.tau_ap(one, other))
            assert row["largest_drop"] == max(drops)[0]
            first = min((run for drop, run in drops if drop == max(drops)[0]), default=None)
            assert row["dropped_run"] == (first if max(drops)[0] > 0 else None)
            emptied = sum(
                any(g >= 1 for g in of.values()) and not any(g >= 1 for g in qrels[q].values())
                for q, of in c.qrels.items()
            )
            assert row["n_queries_emptied"] == emptied


@pytest.mark.parametrize("by", ["group", "run"])
def test_unique_documents(by: str) -> None:
    c = case(5)
    bias = ir.pool_bias(c.judgments, c.table(), group=c.groups, depth=3)
    n_relevant = sum(g >= 1 for of in c.qrels.values() for g in of.values())
    rows = bias.unique(by).rows(named=True)
    key = "group" if by == "group" else "run_id"
    each = {(row[key], row["query_id"]): row for row in bias.unique(by, per_query=True).rows(named=True)}
    for row in rows:
        name = row[key]
        counts = dict.fromkeys(("n_judged", "n_relevant", "n_unique", "n_unique_relevant"), 0)
        for q, of in c.qrels.items():
            before = dict(counts)
            for d, grade in of.items():
                runs = pool_bias.contributors(c.runs, q, d, 3)
                who = {c.groups[r] for r in runs} if by == "group" else runs
                if grade >= 0 and name in who:
                    counts["n_judged"] += 1
                    counts["n_relevant"] += grade >= 1
                    counts["n_unique"] += len(who) == 1
                    counts["n_unique_relevant"] += len(who) == 1 and grade >= 1
            assert {k: each[name, q][k] for k in counts} == {k: v - before[k] for k, v in counts.items()}
        assert {k: row[k] for k in counts} == counts
        assert row["share"] == close(counts["n_unique_relevant"] / n_relevant)
        if by == "run":
            to = []
            for q, documents in c.runs[name].items():
                unjudged = [i for i, d in enumerate(documents) if c.qrels[q].get(d, -1) < 0]
                to.append(min([*unjudged, len(documents)]))
            assert row["judged_to"] == statistics.median_low(to)


def test_documents() -> None:
    c = case(7)
    rows = ir.pool_bias(c.judgments, c.table(), group="team", depth=4).documents().rows(named=True)
    assert [(r["query_id"], r["doc_id"]) for r in rows] == sorted((q, d) for q, of in c.qrels.items() for d in of)
    for row in rows:
        runs = pool_bias.contributors(c.runs, row["query_id"], row["doc_id"], 4)
        groups = {c.groups[r] for r in runs}
        assert row["relevance"] == c.qrels[row["query_id"]][row["doc_id"]]
        assert (row["n_runs"], row["n_groups"]) == (len(runs), len(groups))
        ranks = [c.runs[r][row["query_id"]].index(row["doc_id"]) + 1 for r in runs]
        assert row["best_rank"] == (min(ranks) if ranks else None)
        assert row["only_group"] == (min(groups) if len(groups) == 1 else None)
        assert row["only_run"] == (min(runs) if len(runs) == 1 else None)


def test_only_relevant_ones_removed() -> None:
    """Bpref tells judged from unjudged documents; AP does not."""
    c = case(11)
    bias = {
        r: ir.pool_bias(c.judgments, c.table(), "AP Bpref", group="team", removed=r).table()
        for r in ("judged", "relevant")
    }
    ap, bpref = (
        [bias[r].filter(pl.col("measure") == m)["value_without"] for r in ("judged", "relevant")]
        for m in ("AP", "Bpref")
    )
    assert ap[0].to_list() == pytest.approx(ap[1].to_list(), abs=1e-12)
    assert bpref[0].to_list() != pytest.approx(bpref[1].to_list(), abs=1e-3)


@pytest.mark.parametrize("policy", ["missing=skip", "no_relevant=null", "unjudged=skip", "depth=4"])
def test_policies(policy: str) -> None:
    """Of each group as an evaluation by its judgments."""
    c = case(2)
    bias = ir.pool_bias(c.judgments, c.table(), "AP nDCG@4", group="team", policy=policy, depth=3)
    whole = ir.evaluate(c.judgments, c.table(), "AP nDCG@4", policy=policy).summary()
    assert_frame_equal(
        bias.table().select("measure", "run_id", "value").sort("run_id", "measure"),
        whole.select("measure", "run_id", "value").sort("run_id", "measure"),
        abs_tol=1e-12,
    )
    removed = bias.documents().filter(pl.col("only_group") == "g1")
    left = c.judgments.join(removed, on=["query_id", "doc_id"], how="anti")
    expected = ir.evaluate(left, c.table(), "AP nDCG@4", policy=policy).summary().sort("run_id", "measure")
    actual = bias.table().filter(pl.col("group") == "g1").sort("run_id", "measure")
    expected = expected.join(actual, on=["run_id", "measure"], how="semi", maintain_order="left")
    assert actual["value_without"].to_list() == pytest.approx(expected["value"].to_list(), abs=1e-12)


def test_a_query_that_loses_all_judgments_counts() -> None:
    qrels = pl.DataFrame({"query_id": [1, 2], "doc_id": ["a", "b"], "relevance": [1, 1]})
    runs = pl.DataFrame({"run_id": ["x", "x", "y"], "query_id": [1, 2, 2], "doc_id": ["a", "b", "b"], "score": 1.0})
    with pytest.warns(ir.errors.OverlapWarning, match="lacks 1 of 2"):
        bias = ir.pool_bias(qrels, runs, "P@1")
    assert bias.table().select("run_id", "value", "value_without").rows() == [("x", 1.0, 0.5), ("y", 0.5, 0.5)]
    assert bias.groups()["n_queries_emptied"].to_list() == [1, 0]
    assert "1 time a query has no relevant document without a run; it then counts as the policy" in str(bias)


def test_engines_and_ids(tmp_path: Any) -> None:
    """DuckDB gives what Polars gives; ids may be numbers; runs may be files."""
    c = case(3)
    qrels, runs = c.judgments, c.table()
    options: dict[str, Any] = {"group": "team", "depth": 3}
    one = ir.pool_bias(qrels, runs, MEASURES, **options)
    con = duckdb.connect()
    for name, frame in (("qrels", qrels), ("run", runs)):
        con.from_arrow(frame.to_arrow()).create(name)
    other = ir.pool_bias("qrels", "run", MEASURES, con=con, **options)
    runs.write_parquet(tmp_path / "runs.parquet")
    third = ir.pool_bias(qrels, str(tmp_path / "runs.parquet"), MEASURES, **options)
    number = pl.col("query_id", "doc_id").replace("unseen", "d99").str.slice(1).cast(pl.Int64)
    numbered = [f.with_columns(number) for f in (qrels, runs)]
    for name in ("table", "groups", "summary", "unique", "documents", "held_out", "errors"):
        expected = getattr(one, name)()
        assert_frame_equal(getattr(other, name)(), expected, abs_tol=1e-12)
    assert_frame_equal(third.table(), one.table(), abs_tol=1e-12)
    by_number = ir.pool_bias(*numbered, "AP", **options)
    expected = one.table().filter(pl.col("measure") == "AP")
    assert by_number.table()["value_without"].to_list() == pytest.approx(expected["value_without"].to_list(), abs=1e-12)


def test_categories() -> None:
    """Ids that are categories give what texts give."""
    qrels, runs = ir.examples.pooled()
    ids = pl.col("run_id", "team", "doc_id").cast(pl.Categorical)
    one, other = (ir.pool_bias(qrels, r, "P@3", group="team", depth=3) for r in (runs, runs.with_columns(ids)))
    for name in ("table", "groups", "unique", "documents", "errors"):
        assert_frame_equal(getattr(one, name)(), getattr(other, name)())


def test_words() -> None:
    qrels, runs = ir.examples.pooled()
    bias = ir.pool_bias(qrels, runs, "P@3", group="team", depth=3)
    assert str(bias).splitlines()[:2] == [
        "4 runs of 3 groups.  One group alone contributed 4 of 6 relevant documents (66.7 %).",
        "Contributions are documents down to rank 3.",
    ]
    assert str(bias).splitlines()[2] == (
        "P@3: without what its group alone contributed, a run's value changes by -0.2500 (-35.8 %) on average and by "
        "-0.5000 in the worst case (a); without x τ is -0.236 and the order of all runs is another (τ below 0.8 is "
        "usually taken as a noticeable difference).  It loses up to 1 place (a)."
    )
    alone = ir.pool_bias(qrels, runs, "AP")
    assert "the order of all runs stays the same.  It loses no place." in str(alone)
    assert "half of the lists of each run are judged down to rank 3, so it may be 3." in str(alone)
    assert alone.summary()["reusability"].item() == "same order"


def test_runs_without_a_value_stay() -> None:
    """A run no list of which counts is there, as in an evaluation; so is one whose only query is emptied."""
    qrels, runs = ir.examples.pooled()
    other = runs.filter(pl.col("run_id") == "a", pl.col("query_id") == 1)
    other = other.with_columns(run_id=pl.lit("z"), query_id=pl.lit(99, pl.Int64), team=pl.lit("u"))
    both = pl.concat([runs, other])
    for policy, value in (("missing=zero", 0.0), ("missing=skip", None)):
        with pytest.warns(ir.errors.OverlapWarning):
            bias = ir.pool_bias(qrels, both, "AP P@3", group="team", policy=policy)
        with pytest.warns(ir.errors.OverlapWarning):
            evaluated = ir.evaluate(qrels, both, "AP P@3", policy=policy).summary()
        assert bias.table()["run_id"].to_list() == [*"abcdz"] * 2
        actual = bias.table().filter(pl.col("run_id") == "z")
        assert actual["value"].to_list() == actual["value_without"].to_list() == [value, value]
        assert evaluated.filter(pl.col("run_id") == "z")["value"].to_list() == [value, value]
        assert bias.unique("run")["run_id"].to_list() == [*"abcdz"]
        assert bias.held_out().height == 10


def test_a_group_without_which_nothing_counts() -> None:
    qrels = pl.DataFrame({"query_id": [1, 2], "doc_id": ["a", "b"], "relevance": [1, 1]})
    runs = pl.DataFrame({"run_id": ["x", "y"], "query_id": [1, 2], "doc_id": ["a", "b"], "score": 1.0})
    bias = ir.pool_bias(qrels, runs, "P@1", policy="missing=skip,no_relevant=skip")
    assert bias.table().select("run_id", "value", "value_without").rows() == [("x", 1.0, None), ("y", 1.0, None)]
    assert bias.groups()["group"].to_list() == ["x", "y"]
    assert "no run has a value without what its run alone contributed" in str(bias)


def test_no_order_without_a_group() -> None:
    """All runs tie without one group: that is not the same order."""
    qrels, runs = ir.examples.pooled()
    bias = ir.pool_bias(qrels, runs, "AP(rel=2)", group="team", rel=2)
    assert bias.groups()["tau"].to_list() == [1.0, 1.0, None]
    assert bias.summary().select("tau", "tau_group", "reusability").row(0) == (None, "z", None)
    assert "without z no two runs differ, so there is no order to compare.  It loses no place." in str(bias)


def test_groups_of_any_frame_and_names_on_their_line() -> None:
    qrels, runs = ir.examples.pooled()
    of_runs = runs.select("run_id", "team").unique()
    expected = ir.pool_bias(qrels, runs, "P@3", group="team").table()
    for group in (of_runs.lazy(), of_runs.to_pandas(), of_runs.to_arrow(), duckdb.from_arrow(of_runs.to_arrow())):
        assert_frame_equal(ir.pool_bias(qrels, runs, "P@3", group=group).table(), expected)
    broken = runs.with_columns(pl.col("run_id") + "\n")
    assert all("\n" not in sentence for sentence in ir.pool_bias(qrels, broken, "P@3", depth=3).sentences())


@pytest.mark.parametrize(
    "options, error, text",
    [
        ({"group": "teams"}, MissingColumn, "no column 'teams'"),
        ({"group": {"a": "x"}}, InvalidParameter, "runs have no group: b, c, d"),
        ({"group": dict.fromkeys("abcd", "x")}, NotDefined, "All 4 runs are of one group"),
        ({"group": pl.DataFrame({"run_id": ["a", "a"], "team": [1, 2]})}, MismatchedTables, "several groups: 1, 2"),
        ({"group": pl.DataFrame({"run": ["a"], "team": [1]})}, InvalidParameter, "must have run_id and one more"),
        ({"group": 3}, InvalidParameter, "group is of type int"),
        ({"depth": 0}, InvalidParameter, "depth is 0"),
        ({"removed": "none"}, UnknownName, "removed is 'none'"),
        ({"policy": "ties=expectation"}, NotDefined, "no rank of its own"),
    ],
)  # fmt: skip
def test_errors(options: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        ir.pool_bias(*ir.examples.pooled(), "AP", **options)


def test_files_without_such_a_column(tmp_path: Any) -> None:
    qrels, runs = ir.examples.pooled()
    for name in "ab":
        ir.io.write_run(runs.filter(pl.col("run_id") == name), tmp_path / f"{name}.run")
    for paths in (str(tmp_path / "*.run"), [str(tmp_path / f"{name}.run") for name in "ab"]):
        with pytest.raises(MissingColumn, match="files that are no table, so they have no column 'team'"):
            ir.pool_bias(qrels.with_columns(pl.col("query_id").cast(pl.String)), paths, "AP", group="team")


def test_one_run() -> None:
    qrels, runs = ir.examples.pooled()
    one = runs.filter(pl.col("run_id") == "a")
    with pytest.raises(NotDefined, match="There is one run"):
        ir.pool_bias(qrels, one)
    with pytest.raises(NotDefined, match="no column run_id"):
        ir.pool_bias(qrels, one.drop("run_id", "team"))
    with pytest.raises(UnknownName, match="by is 'team'"):
        ir.pool_bias(qrels, runs).unique("team")
