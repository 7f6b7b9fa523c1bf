"""Results are computed on demand and once; the forms of results agree."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import UnknownName
from tests.contract.kit import ENGINES
from tests.ranking.small import MEASURES, QRELS, RUN, assert_values

engines = pytest.mark.parametrize("engine", ENGINES)


class CountingFrame:
    """A lazy frame that counts how often it is computed."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.count = 0
        self.frame = pl.defer(self._counting(frame), schema=frame.schema)

    def _counting(self, frame: pl.DataFrame) -> object:
        def compute() -> pl.DataFrame:
            self.count += 1
            return frame

        return compute


def test_results_are_computed_once() -> None:
    qrels, run = CountingFrame(QRELS), CountingFrame(RUN)
    evaluation = ir.evaluate(qrels.frame, run.frame, MEASURES)
    evaluation.explain()
    assert (qrels.count, run.count) == (0, 0)
    assert_values(evaluation)
    counts = (qrels.count, run.count)
    assert counts == (1, 1)
    evaluation.summary()
    evaluation.wide()
    evaluation.per_unit()
    str(evaluation)
    assert (qrels.count, run.count) == counts


def test_unknown_names_do_not_read_data() -> None:
    run = CountingFrame(RUN)
    with pytest.raises(UnknownName):
        ir.evaluate(QRELS, run.frame, "nDGC@10")
    assert run.count == 0


@engines
def test_forms_agree(engine: str) -> None:
    run = pl.concat(
        [RUN.with_columns(run_id=pl.lit("b")), RUN.with_columns(run_id=pl.lit("a"), score=-pl.col("score"))]
    )
    evaluation = ir.evaluate(QRELS, run, "P@3 AP NumRel", engine=engine)
    summary, wide, units = evaluation.summary(), evaluation.wide(), evaluation.per_unit()
    assert wide.columns == ["run_id", "P@3", "AP", "NumRel"]
    assert wide["run_id"].to_list() == ["a", "b"]
    assert summary.select("run_id", "measure").rows() == [(r, m) for r in "ab" for m in ("P@3", "AP", "NumRel")]
    for row in summary.iter_rows(named=True):
        assert wide.filter(run_id=row["run_id"])[row["measure"]].item() == row["value"]
        values = units.filter(run_id=row["run_id"], measure=row["measure"])["value"]
        assert row["value"] == pytest.approx(values.sum() if row["measure"] == "NumRel" else values.mean(), rel=1e-12)
    native = evaluation.per_unit.to_native()
    native = native.collect() if engine == "polars" else native.pl()
    keys = ["run_id", "query_id", "measure"]
    joined = units.join(native, on=keys, suffix="_native")
    assert joined.height == units.height == native.height
    assert (joined["value"] - joined["value_native"]).abs().max() < 1e-12


@engines
def test_counts(engine: str) -> None:
    actual = ir.evaluate(QRELS, RUN, "AP", engine=engine).per_unit(counts=True)
    assert actual.columns == [
        "query_id",
        "measure",
        "value",
        "n_retrieved",
        "n_judged",
        "n_relevant",
        "n_relevant_retrieved",
    ]
    assert actual.select("query_id", pl.col("^n_.*$")).rows() == [
        ("1", 4, 3, 2, 2),
        ("2", 2, 1, 1, 1),
        ("3", 0, 0, 1, 0),
    ]


@engines
def test_explanation(engine: str) -> None:
    evaluation = ir.evaluate(QRELS, RUN, "AP P@5", engine=engine, policy="missing=skip")
    text = evaluation.explain()
    assert f"engine: {engine}" in text
    assert "missing = skip" in text
    assert "AP, P@5" in text
    counted = evaluation.explain(counts=True)
    assert "missing = skip  [1 queries]" in counted
    assert "unknown = skip  [1 queries]" in counted
    assert "2 rows share their score" in counted
    assert "depth = None  [0 rows cut]" in counted
    assert "precision = 64  [0 scores rounded]" in counted


@engines
def test_counts_of_policies(engine: str) -> None:
    """Five rows with rounded scores, two of them cut; level 0.3 is between two recall levels."""
    qrels = pl.DataFrame({"query_id": "q", "doc_id": list("abcd"), "relevance": 1})
    run = pl.DataFrame({"query_id": "q", "doc_id": list("xabcd"), "score": [5.1, 4.1, 3.1, 2.1, 1.1]})
    policy = "trec_eval-9,depth=3"
    counted = ir.evaluate(qrels, run, "IPrec@0.3 BEP", engine=engine, policy=policy).explain(counts=True)
    for line in (
        "depth = 3  [2 rows cut]",
        "precision = 32  [5 scores rounded]",
        "interpolation = trec_eval-9  [1 queries]",
        "undefined = declared  [1 values]",
    ):
        assert line in counted, counted
    assert "interpolation = trec_eval-9  [0 queries]" in ir.evaluate(
        qrels, run, "IPrec@0.5 AP", engine=engine, policy=policy
    ).explain(counts=True)


@engines
def test_provenance(engine: str) -> None:
    actual = ir.evaluate(QRELS, RUN, "ndcg_cut_10 AP", engine=engine, policy="trec_eval-9").provenance
    assert actual["measures"] == ["nDCG@10", "AP"]
    assert actual["policy"]["precision"] == 32
    assert actual["engine"] == engine
    assert actual["ireval_frames"] == ir.__version__


NAMES = [
    "m0",
    "m1",
    "rank",
    "RANK",
    "units_1",
    "label",
    "by_0",
    "n",
    "Score",
    "doc_id",
    "relevance",
    "_row",
    "_order",
    "with space",
    'a"b',
    "é",
]


@engines
@pytest.mark.parametrize("name", NAMES)
def test_names_of_group_columns(name: str, engine: str) -> None:
    """Columns of any name group the queries and keep their name."""
    queries = pl.DataFrame({"query_id": ["1", "2", "3"], name: ["x", "y", "y"]})
    evaluation = ir.evaluate(QRELS, RUN, "AP P@3", queries=queries, by=name, engine=engine)
    actual = evaluation.per_unit()
    assert actual.columns == [name, "query_id", "measure", "value"]
    assert actual[name].to_list() == ["x", "x", "y", "y", "y", "y"]
    assert actual["value"].to_list() == pytest.approx([(1 / 3 + 1 / 2) / 2, 1 / 3, 0.5, 1 / 3, 0.0, 0.0])
    assert evaluation.summary()[name].to_list() == ["x", "x", "y", "y"]
    assert evaluation.wide().columns == [name, "AP", "P@3"]


@engines
@pytest.mark.parametrize("name", NAMES)
def test_other_columns_are_ignored(name: str, engine: str) -> None:
    qrels = QRELS if name in QRELS.columns else QRELS.with_columns(pl.lit("x").alias(name))
    run = RUN if name in RUN.columns or name == "Score" else RUN.with_columns(pl.lit("x").alias(name))
    assert_values(ir.evaluate(qrels, run, MEASURES, engine=engine))


@engines
def test_duplicate_queries(engine: str) -> None:
    """Equal rows of the table of queries are one query."""
    queries = pl.DataFrame({"query_id": ["1", "1", "2", "3"], "length": ["a", "a", "b", "b"]})
    actual = ir.evaluate(QRELS, RUN, "AP", queries=queries, by="length", engine=engine).summary()
    assert actual["n_units"].to_list() == [1, 2]
    assert ir.evaluate(QRELS, RUN, "AP", queries=queries, engine=engine).summary()["n_units"].to_list() == [3]


@engines
def test_queries_without_a_group(engine: str) -> None:
    """Judged queries that the table of queries lacks form a group; unjudged queries are ignored."""
    queries = pl.DataFrame({"query_id": ["1", "2", "9"], "length": ["a", "b", "b"]})
    actual = ir.evaluate(QRELS, RUN, "AP", queries=queries, by="length", engine=engine).summary()
    assert actual.select("length", "n_units").sort("length", nulls_last=True).rows() == [("a", 1), ("b", 1), (None, 1)]


def test_many_measures_are_printed_as_rows() -> None:
    """So that none is hidden, and no name is broken; few of them are columns."""
    run = pl.concat([RUN.with_columns(run_id=pl.lit(name)) for name in ("a", "b")])
    few, many = ("P@1 P@2", " ".join(f"P@{k}" for k in range(1, 12)))
    assert "│ run_id ┆ P@1    ┆ P@2" in str(ir.evaluate(QRELS, run, few))
    shown = str(ir.evaluate(QRELS, run, many))
    assert "│ measure ┆ a" in shown
    assert "…" not in shown
    assert shown.count("P@") == 11
    long = "RBP(p=0.5) RBP(p=0.8) nDCG(dcg='exp-log2')@10 nDCG(dcg='log2', gains={1: 1, 2: 5})@10 ERR(max_rel=4)@20"
    assert str(ir.evaluate(QRELS, run, long)).count("@10") == 2
    ids = pl.DataFrame({"run_id": [f"r{i}" for i in range(12)]})
    assert "│ run_id ┆" in str(ir.evaluate(QRELS, RUN.join(ids, how="cross"), many))
