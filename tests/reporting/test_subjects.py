"""Reports of single values, of stores and of their tables; and of evaluations."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.comparison.text.tables import number, p_value, signed
from tests.reporting import cases
from tests.reporting.reading import Reader


def read(tmp_path: Path, subject: object, **options: object) -> Reader:
    return Reader(ir.report(subject, tmp_path / "r.html", **options).read_text("utf-8"))


def three(n: int = 60) -> pl.DataFrame:
    """Three classifiers of which the last is much better."""
    rows = [(s, i, i % 2, (i * k) % 7 / 7 + (i % 2) * up) for s, k, up in (("a", 3, 0.0), ("b", 5, 0.1), ("c", 2, 1.0))
            for i in range(n)]  # fmt: skip
    frame = pl.DataFrame(rows, schema=["run_id", "item_id", "label", "score"], orient="row")
    return frame.with_columns(pl.col("score") / 2)


def test_single_values_have_intervals_by_resampling_items(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases.blank_drawings(monkeypatch)
    ev = ir.Labels(three()).evaluate("ROCAUC BrierScore")
    shown = read(tmp_path, ev)
    bootstrap = ir.resampling.bootstrap(ir.Labels(three()), "ROCAUC BrierScore")
    expected = {
        (r["run_id"], r["measure"]): (number(r["ci_low"]), number(r["ci_high"])) for r in bootstrap.table().to_dicts()
    }
    values = shown.table("Values, the best first; low and high: the 95% interval, by bootstrap over items")
    brier = [(r[0], r[values.header.index("value")]) for r in values.rows if "Brier" in r]
    keys = zip(values.column("run_id"), values.column("measure"), strict=True)
    ends = zip(values.column("low"), values.column("high"), strict=True)
    assert dict(zip(keys, ends, strict=True)) == expected
    drawn = shown.table("Data of the picture: 3 systems by ROCAUC, Brier")
    best = {"ROCAUC": ["c", "b", "a"], "Brier": sorted("abc", key=lambda s: float(dict(brier)[s]))}
    for measure, systems in best.items():
        cells = [dict(zip(drawn.header, r, strict=True)) for r in drawn.rows if r[1] == measure]
        assert [c["run_id"] for c in cells] == systems
        assert [(c["low"], c["high"], c["n_units"]) for c in cells] == [(*expected[s, measure], "60") for s in systems]
    pairs = shown.table("Pairs of systems")
    compared = bootstrap.compare()
    for measure in ("ROCAUC", "Brier"):
        rows = compared.filter(measure=measure).sort("p_value")
        # Holm's by hand: the smallest times three, the next times two, never below one before it.
        adjusted, least = {}, 0.0
        for times, row in zip((3, 2, 1), rows.to_dicts(), strict=True):
            least = max(least, min(1.0, times * row["p_value"]))
            adjusted[row["system"], row["baseline"]] = (signed(row["difference"]), p_value(least))
        cells = [dict(zip(pairs.header, r, strict=True)) for r in pairs.rows if r[0] == measure]
        assert {(c["system"], c["baseline"]): (c["difference"], c["p_adjusted"]) for c in cells} == adjusted
    assert shown.finding.startswith("c has the highest ROCAUC of 3 systems, ")
    assert shown.finding.endswith("p <0.0001 by bootstrap, holm over 3 comparisons): it is significantly better.") or (
        re.search(r"p = 0\.\d+ by bootstrap, holm over 3 comparisons\): it is significantly better\.$", shown.finding)
    )


def test_too_many_items_for_intervals_are_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ireval_frames.reporting.resampled.MOST_ROWS", 100)
    shown = read(tmp_path, ir.Labels(three()).evaluate("ROCAUC"))
    assert "low" not in shown.table("Values, the best first").header
    assert "No intervals: resampling 180 rows takes long; see ir.resampling.bootstrap." in shown.texts["p"]


def test_probabilities_are_held_against_what_happened(tmp_path: Path) -> None:
    shown = read(tmp_path, ir.Labels(three().filter(pl.col("run_id") != "c")).evaluate("BrierScore"))
    (drawn,) = (t for t in shown.tables if t.header[:4] == ["run_id", "bin", "n", "probability"])
    frame = ir.plots.reliability.frame(ir.Labels(three().filter(pl.col("run_id") != "c")))
    assert drawn.column("observed") == [number(v) for v in frame["observed"]]


def test_labels_have_their_classes_whatever_columns_are_called(tmp_path: Path) -> None:
    table = three().filter(run_id="c").drop("run_id").with_columns(guess=(pl.col("score") > 0.4).cast(pl.Int64))
    called = table.rename({"label": "truth", "score": "p"})
    sides = called.select("item_id", "truth"), called.select("item_id", "guess")
    named = {"label": "truth", "prediction": "guess"}
    classes = "Precision, recall and F1 of each class"
    for labels, confusions, curves in (
        (ir.Labels(called, **named, score="p"), 1, 3),
        (ir.Labels(called.drop("p"), **named), 1, 0),
        (ir.Labels(called.with_columns(pl.col("guess", "truth").reshape((-1, 1))).drop("p"), **named), 0, 0),
        (ir.Labels(*sides, **named), 0, 0),
    ):
        shown = read(tmp_path, labels.evaluate("F1(average='macro')"))
        assert shown.table(classes).column("class_id")[:2] == ["0", "1"]
        headers = [t.header for t in shown.tables]
        assert sum(h[:3] == ["label", "prediction", "count"] for h in headers) == confusions
        assert sum(h[:3] in (["run_id", "place", "x"], ["run_id", "bin", "n"]) for h in headers) == curves
        messages = [
            line for line in shown.texts["p"] if line.startswith(("There are no curves", "The picture confusion"))
        ]
        assert len(messages) == (confusions == 0) + (curves == 0)
    shown = read(tmp_path, ir.Labels(called.drop("guess"), label="truth", score="p").evaluate("ROCAUC"))
    assert "There is no table of classes and no confusion: there are no predictions." in shown.texts["p"]
    many = pl.concat([called.with_columns(run_id=pl.lit(f"r{i}")) for i in range(6)])
    shown = read(tmp_path, ir.Labels(many, **named).evaluate("Accuracy"))
    (note,) = (line for line in shown.texts["p"] if line.startswith("The picture confusion"))
    assert note.startswith("The picture confusion is not here of 'r4', 'r5': ")
    grouped = ir.Labels(called, **named).evaluate("Accuracy", by="truth")
    assert sum(t.header[:3] == ["label", "prediction", "count"] for t in read(tmp_path, grouped).tables) == 2


def test_tables_are_named_by_their_digests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases.blank_drawings(monkeypatch)
    ev = cases.evaluation("RR")
    shown = read(tmp_path, ev).table("The evaluated tables")
    store = ir.Store(tmp_path / "results")
    key = store.add(ev)
    assert shown.caption.endswith(key)
    stored = store.sql("SELECT name, digest FROM inputs").rows()
    of_runs = store.sql("SELECT 'run ' || run_id, digest FROM runs").rows()
    assert set(zip(shown.column("table"), shown.column("digest"), strict=True)) == {*stored, *of_runs}


def test_a_store_is_reported_by_its_leaderboard_and_history(tmp_path: Path) -> None:
    store = cases.hostile_store(tmp_path)
    shown = read(tmp_path, store)
    board = store.leaderboard().collect()
    table = shown.table("The last value of every run, the best first")
    assert table.column("value") == [number(v) for v in board["value"]]
    assert table.column("rank") == [str(v) for v in board["rank"]]
    first = board.row(0, named=True)
    other = board.filter(pl.col("measure") == first["measure"], pl.col("rank") != 1)["run_id"][0]
    row = store.compare(other, first["run_id"], first["measure"]).table().row(0, named=True)
    assert f"{first['measure']}. " in shown.finding
    assert f"is {signed(row['difference'])} (95% interval" in shown.finding
    (over_time,) = (t for t in shown.tables if "made_at" in t.header and "part" in t.header)
    assert sorted(over_time.column("value")) == sorted(number(v) for v in store.history("RR").collect()["value"])


def test_what_was_asked_of_a_store_is_shown(tmp_path: Path) -> None:
    store = cases.hostile_store(tmp_path)
    board = read(tmp_path, store.leaderboard())
    assert " is first of 2 runs by " in board.finding
    query = store.sql("SELECT measure, max(value) AS best FROM last_summaries GROUP BY ALL ORDER BY ALL")
    shown = read(tmp_path, query)
    assert shown.finding == "2 rows of 2 columns."
    assert shown.table("The rows").column("best") == [number(v) for v in query["best"]]
    assert read(tmp_path, ir.Store(tmp_path / "empty")).finding == "The store holds no evaluation."
    with pytest.raises(ir.errors.InvalidParameter, match="names no systems to compare with 'a'"):
        ir.report(store, tmp_path / "x.html", baseline="a")


def test_organization_is_reported(tmp_path: Path) -> None:
    ev = cases.hostile_organization()
    values = read(tmp_path, ev).table("Values, the best first")
    assert sorted(values.column("value")) == sorted(number(v) for v in ev.summary()["value"])


def test_pooled_values_are_no_means(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The finding and the table have one value; comparisons are of means, and say so."""
    cases.blank_drawings(monkeypatch)
    gold, predicted = ir.examples.spans()
    caption = "Values, the best first; low and high: the 95% t interval of the mean"
    shown = read(tmp_path, ir.Spans(gold, predicted).evaluate("F1"))
    assert shown.finding == "F1 is 0.4000, of 2 docs; for its interval see ir.resampling.bootstrap."
    assert shown.table(caption).column("value") == ["0.4000"]
    # The system that is better in the one long document has the lower mean.
    systems = [gold.filter(doc_id=d).head(3).with_columns(run_id=pl.lit(f"only {d}")) for d in "ab"]
    shown = read(tmp_path, ir.Spans(gold, pl.concat(systems)).evaluate("F1"))
    assert shown.table(caption).column("run_id") == ["only a", "only b"]
    assert shown.table(caption).column("value") == ["0.7500", "0.3333"]
    assert "only b has the highest mean F1 of 2 systems, 0.5000" in shown.finding
    assert any("F1 is pooled over doc_id in summaries, and compared here by means" in t for t in shown.texts["p"])


def test_measures_of_all_units_together_have_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No user has an ItemGini, and the report shows that of all of them."""
    cases.blank_drawings(monkeypatch)
    tables = ir.examples.recommendations()
    shown = read(tmp_path, ir.Recommendations(**tables).evaluate("ItemGini@3 MIUF@3"))
    together = shown.table("Values of all users together, of measures that none has by itself")
    assert (together.column("measure"), together.column("value")) == (["ItemGini@3"], ["0.3182"])
    assert shown.table("The measures").column("measure") == [
        "MIUF@3 (▲ more is better)", "ItemGini@3 (▼ less is better)",
    ]  # fmt: skip
    assert not any("undefined for every unit" in text for text in shown.texts["p"])


@pytest.mark.parametrize("by", [(), "country"])
def test_measures_that_no_unit_has_are_a_page(by: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the values of all users, and says why there are no others."""
    cases.blank_drawings(monkeypatch)
    tables = ir.examples.recommendations()
    fewer = tables["recs"].filter(pl.col("user_id") != "u3")
    lists = pl.concat([tables["recs"].with_columns(run_id=pl.lit("a")), fewer.with_columns(run_id=pl.lit("b"))])
    lists = lists.with_columns(country=pl.lit("de"))
    ev = ir.Recommendations(**{**tables, "recs": lists}, by=by).evaluate("CatalogCoverage@3 ItemGini@3")
    shown = read(tmp_path, ev, baseline="a")
    values = ev.summary().filter(run_id="a")["value"]
    where = "Where country = de: " if by else ""
    start = f"{where}a has the highest CatalogCoverage@3 of 2 systems, {number(values[0])}, of all users together."
    assert shown.finding == start
    table = shown.table("Values of all users together")
    assert table.column("value") == [number(v) for v in ev.summary()["value"]]
    assert table.column("run_id") == ["a", "a", "b", "b"]
    assert any("No user has a value of these measures by itself" in text for text in shown.texts["p"])
    assert shown.table("The conventions in force").rows
    one = read(tmp_path, ir.Recommendations(**tables).evaluate("CatalogCoverage@3"))
    assert one.finding == f"CatalogCoverage@3 is {number(values[0])}, of all users together."


def test_single_values_are_no_means(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases.blank_drawings(monkeypatch)
    ev = ir.Timings(ir.examples.timings()).evaluate("Latency(p=50)")
    assert read(tmp_path, ev).finding.startswith("a has the lowest Latency(p=50) of 2 systems, 0.0150;")
    assert ir.plots.systems(ev).title.subtitle[0] == "one value of each, without an interval"


def test_measures_without_a_value_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases.blank_drawings(monkeypatch)
    gold, predicted = ir.examples.spans()
    ev = ir.Spans(gold, predicted.clear(), policy="overlap=allow").evaluate("F1 Precision")
    assert any("Precision is undefined for every unit." in t for t in read(tmp_path, ev).texts["p"])


def test_nothing_has_a_value(tmp_path: Path) -> None:
    gold, predicted = (frame.clear() for frame in ir.examples.spans())
    ev = ir.Spans(gold, predicted, documents=["a"], policy="overlap=allow").evaluate("F1")
    with pytest.raises(ir.errors.NotDefined, match="No unit has a value of F1"):
        read(tmp_path, ev)


def test_recommendations_have_popularity_and_features(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases.blank_drawings(monkeypatch)
    tables = ir.examples.recommendations()
    shown = read(tmp_path, ir.Recommendations(**tables).evaluate("MIUF@3 ItemGini@3 MAP@3"))
    features = shown.table("Shares of items with each feature, before and in lists")
    assert features.column("feature") == ["g1", "g2", "g3"]
    assert "MAP(capped=True)@3" in shown.table(
        "Values, the best first; low and high: the 95% t interval of the mean"
    ).column("measure")
    bare = read(tmp_path, ir.Recommendations(tables["recs"]).evaluate("UserCoverage"))
    assert any("what users used before is not known" in t for t in bare.texts["p"])


def test_what_has_no_report_has_a_table(tmp_path: Path) -> None:
    drawn = ir.resampling.bootstrap(ir.Labels(ir.examples.labels()), "Accuracy", n_resamples=20)
    with pytest.raises(ir.errors.InvalidParameter, match=r"Bootstrap has no report(.|\n)*result.table\(\)"):
        ir.report(drawn, tmp_path / "r.html")
    assert read(tmp_path, drawn.table()).finding == "1 row of 10 columns."
