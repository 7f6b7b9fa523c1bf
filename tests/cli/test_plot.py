"""`ireval plot`: its files are those of Python, and what it cannot draw is an error."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import BM25, DATA, QRELS, invoke

LSA = str(DATA / "runs" / "lsa.txt")


def written(path: Path, *arguments: object) -> str:
    result = invoke("plot", *arguments, "-o", path)
    assert result.exit_code == 0, result.output
    return path.read_text()


def rounded(drawn: str) -> str:
    """The drawing without the last bits of sums, in which two runs of an engine may differ."""
    return re.sub(r"-?\d+\.\d{7,}(e-?\d+)?", lambda number: f"{float(number[0]):.6f}", drawn)


def test_files_are_those_of_python(tmp_path: Path) -> None:
    ev = ir.evaluate(QRELS, [BM25, LSA], "AP")
    items, points = tmp_path / "items.csv", tmp_path / "points.csv"
    ir.examples.labels().rename({"label": "gold"}).write_csv(items)
    ir.examples.points().select("x", "y", cluster_id="k3").write_csv(points)
    ir.examples.clusters().write_csv(tmp_path / "clusters.csv")
    ir.examples.scores().write_parquet(tmp_path / "scores.parquet")
    store = ir.Store(tmp_path / "results")
    store.add(ev)
    two = (QRELS, BM25, LSA, "-m", "AP")
    pair = {"system": "lsa", "baseline": "bm25"}
    cases = {
        ("systems", *two, "--width", "300", "--title", "T"): ir.plots.systems(ev, width=300, title="T"),
        ("differences", *two, "--baseline", "bm25"): ir.plots.differences(ev, **pair),
        ("precision-recall", *two, "--theme", "page"): ir.plots.precision_recall(ev, theme="page"),
        ("rank_changes", *two, "--baseline", "bm25", "--query", "115", "--top", "5"): ir.plots.rank_changes(
            ev.diagnose("lsa", "bm25", "AP"), "115", top=5
        ),
        ("confusion", items, "--label", "gold"): ir.plots.confusion(ir.Labels(items, label="gold")),
        ("curve", tmp_path / "scores.parquet", "--kind", "det", "--positive", "1"): ir.plots.curve(
            ir.Labels(tmp_path / "scores.parquet", positive=1), "det"
        ),
        ("contingency", tmp_path / "clusters.csv"): ir.plots.contingency(ir.Clusters(tmp_path / "clusters.csv")),
        ("silhouettes", points, "--features", "x,y"): ir.plots.silhouettes(ir.Points(points, ["x", "y"])),
        ("elbow", points, "--features", "x,y", "-m", "Silhouette"): ir.plots.elbow(
            ir.Points(points, ["x", "y"]).evaluate("NumClusters Silhouette")
        ),
        ("history", tmp_path / "results", "-m", "AP"): ir.plots.history(store, "AP"),
    }
    for arguments, chart in cases.items():
        expected = ir.plots.save(chart, tmp_path / "expected.svg").read_text()
        assert rounded(written(tmp_path / "x.svg", *arguments)) == rounded(expected), arguments


@pytest.mark.parametrize(
    "arguments,message",
    [
        (("matrx", QRELS, BM25), "There is no picture 'matrx'"),
        (("systems", QRELS), "needs judgments and runs"),
        (("matrix", QRELS, BM25, LSA, "--kind", "roc"), "The picture matrix has no --kind"),
        (("rank_changes", QRELS, BM25, LSA), "needs --baseline"),
        (("silhouettes", QRELS), "needs the coordinates"),
        (("history", "nowhere"), "one store and one measure"),
        (("confusion", "a.csv", "b.csv"), "of one table, not of 2"),
    ],
)
def test_what_cannot_be_drawn_is_reported(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    result = invoke("plot", *arguments, "-o", tmp_path / "x.svg")
    assert result.exit_code == 2
    assert message in result.stderr
    assert not list(tmp_path.iterdir())


def test_an_ending_that_is_none_is_reported_and_nothing_written(tmp_path: Path) -> None:
    pl.DataFrame({"label": ["a"], "prediction": ["a"]}).write_csv(tmp_path / "items.csv")
    result = invoke("plot", "confusion", tmp_path / "items.csv", "-o", tmp_path / "x.gif")
    assert result.exit_code == 2
    assert "ends in '.gif'" in result.stderr
