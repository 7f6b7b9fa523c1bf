"""Subjects and evaluations pickle with their tables and compute the same anew; DuckDB's own tables say they cannot."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import EngineError
from tests.contract.named import FAMILIES, ITEMS, QRELS, RUN, plain, relations

families = pytest.mark.parametrize("family", FAMILIES)


def subjects(**more: Any) -> dict[str, tuple[Any, str]]:
    items, qrels, run = (more.pop(k, v) for k, v in (("items", ITEMS), ("qrels", QRELS), ("run", RUN)))
    return {
        "rankings": (ir.Rankings(qrels, run, by="part", **more), "nDCG@5 AP"),
        "labels": (ir.Labels(items, unit="user", positive="x", **more), "F1(average='macro') Recall ROCAUC"),
        "clusters": (ir.Clusters(items, by="part", **more), "Purity BCubedF"),
        "points": (ir.Points(items, ["first", "second"], **more), "SSE Silhouette"),
        "organization": (ir.Organization(items, **more), "Reliability Sensitivity"),
        "ratings": (ir.Ratings(items, rating="label", **more), "FleissKappa KrippendorffAlpha"),
        "clicks": (
            ir.Impressions(items, serp="item_id", doc="label", position="cluster_id", click="relevance", **more),
            "CTR",
        ),
        "similarity": (ir.Similarity(run, policy="missing=skip", **more), "Tau RBO"),
    }


@families
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("computed", [False, True])
def test_evaluations_round_trip(family: str, engine: str, computed: bool) -> None:  # noqa: FBT001
    subject = FAMILIES[family]
    made = subject.of(subject.tables, {}, engine=engine)
    if computed:
        made.summary()
    again = pickle.loads(pickle.dumps(made))
    assert type(again) is type(made)
    assert again.explain() == subject.of(subject.tables, {}, engine=engine).explain()
    assert again.provenance == made.provenance
    assert plain(again.per_unit(), {}).equals(plain(made.per_unit(), {}))
    assert str(again) == str(made)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("kind", subjects())
def test_subjects_round_trip(kind: str, engine: str) -> None:
    subject, measures = subjects(engine=engine)[kind]
    expected = subject.evaluate(measures).summary()
    for made in (subject, copy.copy(subject), copy.deepcopy(subject)):
        again = pickle.loads(pickle.dumps(made))
        assert plain(again.evaluate(measures).summary(), {}).equals(plain(expected, {}))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_every_kind_of_table(tmp_path: Path, engine: str) -> None:
    ITEMS.write_parquet(tmp_path / "items.parquet")
    ITEMS.write_csv(tmp_path / "items.csv")
    expected = plain(ir.Clusters(ITEMS).evaluate("Purity").summary(), {})
    for given in (
        ITEMS.lazy().filter(pl.col("weight") > 0),
        pl.scan_parquet(tmp_path / "items.parquet"),
        ITEMS.to_arrow(),
        ITEMS.to_pandas(),
        tmp_path / "items.parquet",
        str(tmp_path / "items.csv"),
    ):
        made = ir.Clusters(given, engine=engine)
        for again in (
            pickle.loads(pickle.dumps(made)).evaluate("Purity"),
            pickle.loads(pickle.dumps(made.evaluate("Purity"))),
        ):
            assert plain(again.summary(), {}).equals(expected)


def test_another_process(tmp_path: Path) -> None:
    """A fresh process that has imported nothing computes the same."""
    made = ir.evaluate(QRELS, RUN, "nDCG@5 AP", engine="duckdb")
    (tmp_path / "made.pickle").write_bytes(pickle.dumps([made, ir.Clusters(ITEMS).evaluate("Purity")]))
    program = (
        "import pickle, sys; [print(e.summary()['value'].to_list()) for e in pickle.load(open(sys.argv[1], 'rb'))]"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "made.pickle")], capture_output=True, text=True, check=True
    )
    first, second = run.stdout.splitlines()
    assert eval(first) == pytest.approx(made.summary()["value"].to_list(), rel=1e-12)
    assert eval(second) == pytest.approx(ir.Clusters(ITEMS).evaluate("Purity").summary()["value"].to_list(), rel=1e-12)


@families
def test_relations_cannot(family: str) -> None:
    subject = FAMILIES[family]
    with duckdb.connect() as con:
        tables = relations(subject.tables, con)
        for made in (
            subject.of(tables, {}),
            subject.of(tables, {}, engine="polars"),
            subject.of(subject.tables, {}, con=con),
        ):
            with pytest.raises(EngineError, match=r"cannot be pickled\.\n  Pickle the result: evaluation.per_unit\(\)"):
                pickle.dumps(made)
            assert pickle.loads(pickle.dumps(made.per_unit())).equals(made.per_unit())


@pytest.mark.parametrize("kind", subjects())
def test_subjects_of_relations_cannot(kind: str) -> None:
    with duckdb.connect() as con:
        qrels, run, items = (con.from_arrow(f.to_arrow()) for f in (QRELS, RUN, ITEMS))
        for made in (subjects(qrels=qrels, run=run, items=items), subjects(con=con)):
            subject, measures = made[kind]
            with pytest.raises(EngineError, match="cannot be pickled"):
                pickle.dumps(subject)
            # A copy in this process keeps its tables.
            assert copy.copy(subject).evaluate(measures).summary().height
