"""Charts: their specifications as they were looked at, hostile names, files."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName
from ireval_frames.plots.saving import svg
from tests.plots.cases import CASES, clusters, comparison, drawn, evaluation, labels, points, ranking_tables, store

SNAPSHOTS = Path(__file__).parent / "snapshots"
HOSTILE = [
    "</script><script>alert(1)</script>", '"onload="alert(1)', "{{7*7}}", "a\u202eb", "line\nend", "nul\x00\x07",
    "\ufffe",
    "javascript:alert(1)", "datum['x']", "' || 1==1 || '", "a.b[0]", "", "x" * 400,
]  # fmt: skip


def rounded(value: Any) -> Any:
    """Numbers as far as machines agree."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return [rounded(v) for v in value] if isinstance(value, list) else value


def specification(chart: Any) -> str:
    """The chart as text, the same in every process."""
    spec = chart.to_dict()
    # Data have names made of their digests, and parts are numbered on; frames are tested by themselves.
    names = {name: f"data {i}" for i, name in enumerate(spec.pop("datasets", {}))}
    text = json.dumps(rounded(spec), indent=1, ensure_ascii=False, sort_keys=True)
    for name, plain in names.items():
        text = text.replace(name, plain)
    text = re.sub(r'"\$schema": ".*"', '"$schema": ""', text)
    return re.sub(r'"name": "(view|param)_\d+"', '"name": ""', text) + "\n"


@pytest.mark.parametrize("case", CASES)
def test_specifications_are_those_that_were_looked_at(case: str) -> None:
    text, snapshot = specification(drawn(case)), SNAPSHOTS / f"{case}.json"
    if not snapshot.exists():
        snapshot.write_text(text, "utf-8")
        pytest.fail(f"{snapshot.name} was written; look at the picture, and keep it.")
    assert text == snapshot.read_text("utf-8")


def hostile() -> tuple[pl.DataFrame, pl.DataFrame]:
    qrels = pl.DataFrame({"query_id": HOSTILE, "doc_id": HOSTILE[::-1], "relevance": [1] * len(HOSTILE)})
    ids = [(run, q, d) for run in HOSTILE for q in HOSTILE for d in HOSTILE[:3]]
    runs = pl.DataFrame(ids, schema=["run_id", "query_id", "doc_id"], orient="row")
    return qrels, runs.with_columns(score=(pl.int_range(pl.len()) * 7919 % 101).cast(pl.Float64))


def test_hostile_names_are_drawn_as_text() -> None:
    ev = ir.evaluate(*hostile(), "P@1 P@2 AP", policy={"missing": "zero"})
    d = ev.diagnose(HOSTILE[0], HOSTILE[1], "AP")
    charts = [
        ir.plots.systems(ev), ir.plots.cutoffs(ev), ir.plots.units(ev, "AP"), ir.plots.distribution(ev, "AP"),
        ir.plots.judged(ev, depth=3), ir.plots.matrix(ev, "AP"), ir.plots.effects(ev, "AP", baseline=HOSTILE[0]),
        ir.plots.differences(ev, "AP", system=HOSTILE[0], baseline=HOSTILE[1]),
        ir.plots.rank_changes(d, HOSTILE[0], top=3), ir.plots.scatter(ev, "AP", system=HOSTILE[2], baseline=HOSTILE[3]),
    ]  # fmt: skip
    for chart in charts:
        svg = ir.plots.saving.svg(chart)
        for element in ET.fromstring(svg).iter():
            assert element.tag.rpartition("}")[2] not in ("script", "a", "image", "foreignObject")
            assert not [name for name in element.attrib if name.startswith("on") or name.endswith("href")]


@pytest.mark.parametrize("theme", ["image", "page"])
def test_files_of_every_kind(tmp_path: Path, theme: Any) -> None:
    chart = drawn("systems", theme=theme, title="A <b> title")
    for ending, begin in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("html", b"<!doctype html>")):
        path = ir.plots.save(chart, tmp_path / f"x.{ending}")
        assert path.read_bytes().startswith(begin)
    page = (tmp_path / "x.html").read_text()
    assert "default-src 'none'" in page
    assert "A &lt;b&gt; title" in page
    assert "<script" not in page
    assert ("currentColor" in (tmp_path / "x.svg").read_text()) == (theme == "page")
    with pytest.raises(InvalidParameter, match=r"ends in '\.jpg'"):
        ir.plots.save(chart, tmp_path / "x.jpg")


def test_what_is_asked_wrongly_is_reported() -> None:
    with pytest.raises(InvalidParameter, match='measure="nDCG@1"'):
        ir.plots.units(evaluation())
    with pytest.raises(UnknownName, match="'APP' was not evaluated"):
        ir.plots.units(evaluation(), "APP")
    with pytest.raises(UnknownName, match="no system 'd'"):
        ir.plots.differences(comparison(), "AP", system="d")
    with pytest.raises(InvalidParameter, match="3 pairs"):
        ir.plots.scatter(comparison(), "AP")
    with pytest.raises(InvalidParameter, match="no values per unit"):
        ir.plots.systems(pl.DataFrame())
    with pytest.raises(InvalidParameter, match="has no confusion"):
        ir.plots.confusion(clusters())
    with pytest.raises(InvalidParameter, match="run='x' is none of"):
        ir.plots.confusion(labels(), run="x")
    with pytest.raises(InvalidParameter, match="is no store"):
        ir.plots.history(evaluation(), "AP")
    with pytest.raises(NotDefined, match="several cutoffs"):
        ir.plots.cutoffs(evaluation(), "AP")
    with pytest.raises(UnknownName, match="theme is 'dark'"):
        drawn("systems", theme="dark")
    many = pl.DataFrame({"query_id": range(6_000), "run_id": "a", "value": 0.5})
    both = pl.concat([many, many.with_columns(run_id=pl.lit("b"), value=pl.col("query_id") / 6_000)])
    with pytest.raises(InvalidParameter, match=r"6,000 marks.*\n.*bars=200"):
        ir.plots.differences(ir.compare(both), system="b", bars=10_000)


def test_results_draw_what_is_natural_for_them() -> None:
    def same(one: Any, other: Any) -> None:
        assert specification(one) == specification(other)
        # Sums of an engine may differ in their last bits from one run to the next.
        drawn_rows = [rounded([*chart.to_dict().get("datasets", {}).values()]) for chart in (one, other)]
        assert drawn_rows[0] == drawn_rows[1]

    same(evaluation().plot("AP"), ir.plots.systems(evaluation(), "AP"))
    same(comparison().plot("AP"), ir.plots.effects(comparison(), "AP"))
    same(labels().confusion.plot(run="new"), ir.plots.confusion(labels(), run="new"))
    same(labels().curve.plot("roc", corners=True), ir.plots.curve(labels(), "roc", corners=True))
    same(clusters().contingency.plot(width=500), ir.plots.contingency(clusters(), width=500))
    same(points().silhouettes.plot(), ir.plots.silhouettes(points()))
    same(evaluation().subject.curve.plot(), ir.plots.precision_recall(evaluation()))
    stored = store()
    same(stored.plot("AP"), ir.plots.history(stored, "AP"))
    labels().curve.plot("calibration", bins=4)
    labels().curve.plot("thresholds", run="new")
    with pytest.raises(NotDefined, match="table of report has no picture"):
        labels().report.plot()


def test_groups_are_panels_whatever_their_column_is_called() -> None:
    qrels, runs = ranking_tables()
    queries = qrels.select("query_id").unique(maintain_order=True).with_columns(group=pl.int_range(pl.len()) % 2)
    ev = ir.evaluate(qrels, runs, "AP P@1 P@3", queries=queries, by="group")
    groups = ["group = 0", "group = 1"]
    assert ir.plots.systems.frame(ev, "AP")["group"].unique(maintain_order=True).to_list() == groups
    assert ir.plots.effects.frame(ev, "AP")["group"].unique(maintain_order=True).to_list() == groups
    assert ir.plots.cutoffs.frame(ev)["group"].unique(maintain_order=True).to_list() == groups
    assert ir.plots.matrix.frame(ev, "AP", group="group = 1").height == 6
    with pytest.raises(InvalidParameter, match="group=None is none of 'group = 0', 'group = 1'"):
        ir.plots.matrix(ev, "AP")
    for name in ("systems", "effects", "cutoffs"):
        assert len(getattr(ir.plots, name)(ev).to_dict()["concat"]) > 1


def test_systems_in_colour_are_drawn_over_grey_ones() -> None:
    qrels, runs = ranking_tables()
    copies = [runs.with_columns(run_id=pl.col("run_id") + str(i)) for i in range(2)]
    ev = ir.evaluate(qrels, pl.concat(copies), "P@1 P@3")
    chart = ir.plots.cutoffs(ev, highlight=("b0", "a1"))
    (rows,) = chart.to_dict()["datasets"].values()
    assert list(dict.fromkeys(r["run_id"] for r in rows)) == ["a0", "b1", "c0", "c1", "a1", "b0"]
    subtitle = chart.to_dict()["title"]["subtitle"]
    assert subtitle[-1] == "in colour: b0, a1; grey: 4 others"
    assert "order" not in json.dumps(chart.to_dict()["layer"] if "layer" in chart.to_dict() else chart.to_dict())
    with pytest.raises(UnknownName, match="no system 'z'"):
        ir.plots.cutoffs(ev, highlight=("z",))


def test_last_digits_of_sums_draw_nothing() -> None:
    """Engines add in any order, so the last digit of a value may differ from one run to the next."""
    rows = [("a", q, 0.1 * (q % 4) + 0.1) for q in range(12)] + [("b", q, 0.1 * (q % 3) + 0.3) for q in range(12)]
    table = pl.DataFrame(rows, schema=["run_id", "query_id", "value"], orient="row")
    moved = pl.Series("value", [math.nextafter(v, 1.0) if i % 5 else v for i, v in enumerate(table["value"])])
    for name in ("systems", "distribution", "matrix", "differences"):
        charts = [getattr(ir.plots, name)(ir.compare(t)) for t in (table, table.with_columns(moved))]
        assert charts[0].to_dict()["datasets"] == charts[1].to_dict()["datasets"]
        assert svg(charts[0]) == svg(charts[1])
