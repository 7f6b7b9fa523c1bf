"""Subjects and evaluations pickle with their tables and recompute their values; those of relations cannot."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import EngineError
from tests.contract.named import FAMILIES, ITEMS, QRELS, RUN, normalized, relations

families = pytest.mark.parametrize("family", FAMILIES)


def subjects(**options: Any) -> dict[str, tuple[Any, str]]:
    items, qrels, run = (options.pop(k, v) for k, v in (("items", ITEMS), ("qrels", QRELS), ("run", RUN)))
    return {
        "rankings": (ir.Rankings(qrels, run, by="part", **options), "nDCG@5 AP"),
        "labels": (ir.Labels(items, unit="user", positive="x", **options), "F1(average='macro') Recall ROCAUC"),
        "clusters": (ir.Clusters(items, by="part", **options), "Purity BCubedF"),
        "points": (ir.Points(items, ["first", "second"], **options), "SSE Silhouette"),
        "organization": (ir.Organization(items, **options), "Reliability Sensitivity"),
        "segmentation": (
            ir.Segmentation(items, doc="user", position="first", gold="label", predicted="cluster_id", **options),
            "WindowDiff BoundaryF(tolerance=2)",
        ),
        "ratings": (ir.Ratings(items, rating="label", **options), "FleissKappa KrippendorffAlpha"),
        "clicks": (
            ir.Impressions(items, serp="item_id", doc="label", position="cluster_id", click="relevance", **options),
            "CTR",
        ),
        "similarity": (ir.Similarity(run, policy="missing=skip", **options), "Tau RBO"),
    }


@families
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("computed", [False, True])
def test_evaluations_round_trip(family: str, engine: str, computed: bool) -> None:  # noqa: FBT001
    subject = FAMILIES[family]
    original = subject.of(subject.tables, {}, engine=engine)
    if computed:
        original.summary()
    restored = pickle.loads(pickle.dumps(original))
    assert type(restored) is type(original)
    assert restored.explain() == subject.of(subject.tables, {}, engine=engine).explain()
    assert restored.provenance == original.provenance
    assert normalized(restored.per_unit(), {}).equals(normalized(original.per_unit(), {}))
    assert str(restored) == str(original)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("name", subjects())
def test_subjects_round_trip(name: str, engine: str) -> None:
    subject, measures = subjects(engine=engine)[name]
    expected = subject.evaluate(measures).summary()
    for original in (subject, copy.copy(subject), copy.deepcopy(subject)):
        restored = pickle.loads(pickle.dumps(original))
        assert repr(restored) == repr(subject)
        assert re.fullmatch(rf"{type(subject).__name__}\(\w+(, \w+)*; engine='{engine}'\): evaluate.*", repr(subject))
        assert normalized(restored.evaluate(measures).summary(), {}).equals(normalized(expected, {}))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_tables_of_any_type(tmp_path: Path, engine: str) -> None:
    ITEMS.write_parquet(tmp_path / "items.parquet")
    ITEMS.write_csv(tmp_path / "items.csv")
    expected = normalized(ir.Clusters(ITEMS).evaluate("Purity").summary(), {})
    for table in (
        ITEMS.lazy().filter(pl.col("weight") > 0),
        pl.scan_parquet(tmp_path / "items.parquet"),
        ITEMS.to_arrow(),
        ITEMS.to_pandas(),
        tmp_path / "items.parquet",
        str(tmp_path / "items.csv"),
    ):
        original = ir.Clusters(table, engine=engine)
        for restored in (
            pickle.loads(pickle.dumps(original)).evaluate("Purity"),
            pickle.loads(pickle.dumps(original.evaluate("Purity"))),
        ):
            assert normalized(restored.summary(), {}).equals(expected)


def test_another_process(tmp_path: Path) -> None:
    """A new process gives the same values."""
    original = ir.evaluate(QRELS, RUN, "nDCG@5 AP", engine="duckdb")
    (tmp_path / "evaluations.pickle").write_bytes(pickle.dumps([original, ir.Clusters(ITEMS).evaluate("Purity")]))
    program = (
        "import pickle, sys; [print(e.summary()['value'].to_list()) for e in pickle.load(open(sys.argv[1], 'rb'))]"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "evaluations.pickle")],
        capture_output=True,
        text=True,
        check=True,
    )
    first, second = run.stdout.splitlines()
    assert eval(first) == pytest.approx(original.summary()["value"].to_list(), rel=1e-12)
    assert eval(second) == pytest.approx(ir.Clusters(ITEMS).evaluate("Purity").summary()["value"].to_list(), rel=1e-12)


@families
def test_evaluations_of_relations_cannot_be_pickled(family: str) -> None:
    subject = FAMILIES[family]
    with duckdb.connect() as con:
        tables = relations(subject.tables, con)
        for original in (
            subject.of(tables, {}),
            subject.of(tables, {}, engine="polars"),
            subject.of(subject.tables, {}, con=con),
        ):
            with pytest.raises(EngineError, match=r"cannot be pickled\.\n  Pickle the result: evaluation.per_unit\(\)"):
                pickle.dumps(original)
            assert pickle.loads(pickle.dumps(original.per_unit())).equals(original.per_unit())


@pytest.mark.parametrize("name", subjects())
def test_subjects_of_relations_cannot_be_pickled(name: str) -> None:
    with duckdb.connect() as con:
        qrels, run, items = (con.from_arrow(f.to_arrow()) for f in (QRELS, RUN, ITEMS))
        for original in (subjects(qrels=qrels, run=run, items=items), subjects(con=con)):
            subject, measures = original[name]
            with pytest.raises(EngineError, match="cannot be pickled"):
                pickle.dumps(subject)
            # It can be copied within the process.
            assert copy.copy(subject).evaluate(measures).summary().height
