"""`ireval segmentation` on tables of positions, of boundaries, and of annotators."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import ireval_frames as ir
from tests.cli.commands import invoke, lines

SEGMENTS = ir.examples.segments()


def test_positions_and_boundaries(tmp_path: Path) -> None:
    path = tmp_path / "talks.csv"
    SEGMENTS.rename({"gold_segment": "topic", "segment": "found"}).write_csv(path)
    named = ("--gold", "topic", "--predicted", "found")
    assert lines(invoke("segmentation", path, *named)) == [
        "measure              value",
        "Pk                  0.1667",
        "WindowDiff          0.3333",
        "BoundaryF           0.8000",
        "BoundarySimilarity  0.6667",
    ]
    files = {}
    for name, boundaries in {"gold": [3, 6], "predicted": [3, 5, 6]}.items():
        files[name] = tmp_path / f"{name}.csv"
        pl.DataFrame({"doc_id": "d", "position": boundaries}).write_csv(files[name])
    refused = invoke("segmentation", files["gold"], "Pk", "--system", files["predicted"])
    assert refused.exit_code == 1
    assert "--documents documents.csv" in refused.stderr
    documents = tmp_path / "documents.csv"
    pl.DataFrame({"doc_id": "d", "length": 8, "genre": "talk"}).write_csv(documents)
    two = ("segmentation", files["gold"], "Pk", "--system", files["predicted"], "--documents", documents)
    out = invoke(*two, "--by", "genre", "--format", "csv").stdout
    assert out.splitlines()[1].startswith("talk,Pk,0.1666")
    assert (
        "documents_both" in invoke("segmentation", files["gold"], "--system", files["predicted"], "--coverage").stdout
    )


def test_annotators(tmp_path: Path) -> None:
    path = tmp_path / "annotated.csv"
    of_coders = (SEGMENTS.select("doc_id", "position", coder=pl.lit(c[0]), segment=c) for c in SEGMENTS.columns[2:])
    pl.concat(of_coders).write_csv(path)
    out = invoke("segmentation", path, "BoundarySimilarity", "--rater", "coder", "-q", "--format", "csv").stdout
    assert out.splitlines() == ["rater_a,rater_b,doc_id,measure,value", "g,s,d,BoundarySimilarity,0.6666666666666666"]
