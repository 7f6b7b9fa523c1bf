"""Stored evaluations as sides of a gate; differences between the sides are reported."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import FileError, InvalidParameter, MissingColumn, NotDefined, UnknownName
from tests.gating.runs import LANGUAGES, QRELS, run

RULES = (
    "AP no significant loss; nDCG@10 non-inferior within 0.1; AP same within 0.4; units AP worst <= 3; "
    "AP drop <= 2%; RR >= 0.2"
)
MEASURES = "AP nDCG@10 RR"


@pytest.fixture
def store(tmp_path: Path) -> ir.Store:
    return ir.Store(tmp_path / "results")


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_verdicts_are_those_of_the_evaluations(store: ir.Store, engine: str) -> None:
    old, new = (ir.evaluate(QRELS, run(seed), MEASURES, engine=engine) for seed in (1, 2))
    store.tag("main", store.add(old, collection="c"))
    new_id = store.add(new)
    expected = ir.gate(old, new, RULES)
    for baseline, candidate in (("store:main", new), (old, f"store:{new_id[:8]}"), ("store:main", f"store:{new_id}")):
        actual = ir.gate(baseline, candidate, RULES, store=store)
        assert_frame_equal(actual.table(), expected.table())
        assert_frame_equal(actual.worst(), expected.worst())
        assert (actual.baseline_id, actual.candidate_id) == (store.find("main"), new_id)
        assert "same on both sides: policy and judgments" in str(actual)
    # The folder of a store; judgments and runs are evaluated by the baseline's measures.
    pair = ir.gate("store:main", (QRELS, run(2)), store=str(store.path))
    assert pair.table()["measure"].to_list() == ["AP", "nDCG@10", "RR"]
    assert pair.table()["mean"].to_list() == pytest.approx(
        expected.table().unique("measure", keep="first", maintain_order=True)["mean"].to_list()
    )


def test_segments_of_the_store(store: ir.Store) -> None:
    # Grouped as it was added, or by a column of its queries.
    old, new = (ir.evaluate(QRELS, run(s), "AP", queries=LANGUAGES, by="lang") for s in (1, 2))
    plain = ir.evaluate(QRELS, run(1), "AP", queries=LANGUAGES)
    store.tag("grouped", store.add(old))
    store.tag("plain", store.add(plain))
    store.tag("bare", store.add(ir.evaluate(QRELS, run(1), "AP P@5")))
    expected = ir.gate(old, new).table()
    assert expected["segment"].to_list() == [None, "lang=de", "lang=en"]
    for name in ("grouped", "plain"):
        assert_frame_equal(ir.gate(f"store:{name}", new, by="lang", store=store).table(), expected)
    with pytest.raises(MissingColumn, match="lang"):
        ir.gate("store:bare", new, by="lang", store=store)


def test_other_ids_and_families(store: ir.Store) -> None:
    # Numbers, and units of several columns.
    rows = {"user": [1, 1, 2, 3], "page": [1, 2, 1, 3], "label": [1, 0, 1, 1]}
    frames = [pl.DataFrame({**rows, "prediction": p}) for p in ([1, 0, 1, 1], [1, 0, 0, 1])]
    old, new = (ir.Labels(f, unit=["user", "page"]).evaluate("Accuracy ErrorRate") for f in frames)
    store.tag("main", store.add(old, run="a"))
    actual = ir.gate("store:main", new, "drop <= 0.1; same within 0", store=store)
    assert_frame_equal(
        actual.table().drop("baseline", "candidate"),
        ir.gate(old, new, "drop <= 0.1; same within 0").table().drop("baseline", "candidate"),
    )
    assert actual.table()["lower_is_better"].to_list() == [False, True, False, True]
    assert "not known of both sides: judgments" in str(actual)


def test_labels_of_a_table_of_their_own(store: ir.Store) -> None:
    labels = pl.DataFrame({"item": range(4), "label": [1, 0, 1, 1]})
    other = labels.with_columns(label=1 - pl.col("label"))
    old, new = (pl.DataFrame({"item": range(4), "prediction": p}) for p in ([1, 0, 1, 1], [1, 0, 0, 1]))
    baseline = ir.Labels(labels, old).evaluate("Accuracy")
    store.tag("main", store.add(baseline))
    for side in (baseline, "store:main"):
        same = ir.gate(side, ir.Labels(labels, new).evaluate("Accuracy"), "drop <= 0.5", store=store)
        assert same.passed
        assert "same on both sides: policy and judgments" in str(same)
        changed = ir.gate(side, ir.Labels(other, new).evaluate("Accuracy"), "drop <= 0.5", store=store)
        assert changed.exit_code == 4
        assert changed.table()["reason"].item().startswith("other judgments: 4 rows, digest ")


def test_judgments_that_differ_are_listed_where_they_are_stored(store: ir.Store) -> None:
    other = QRELS.with_columns(relevance=pl.when(pl.col("doc_id") == "d7").then(1).otherwise("relevance"))
    store.tag("main", store.add(ir.evaluate(QRELS, run(1), "AP")))
    new = ir.evaluate(other, run(2), "AP")
    unknown = ir.gate("store:main", new, store=store)
    assert unknown.exit_code == 4
    assert unknown.judgments() is None
    assert unknown.table()["reason"][0].startswith("other judgments: 192 rows, digest ")
    assert "store.keep(ev)" in str(unknown)
    store.keep(QRELS, run(1))
    known = ir.gate("store:main", new, store=store)
    assert known.table()["reason"].to_list() == ["other judgments: 24 changed"]
    assert known.judgments().rows()[0] == ("q0", "d7", 0.0, 1.0)
    # On another engine, and portable or not, the digests are of the same judgments.
    for engine in ("polars", "duckdb"):
        same = ir.gate("store:main", ir.evaluate(QRELS, run(2), "AP", engine=engine), store=store)
        assert "same on both sides: policy and judgments" in str(same)
    policy = ir.gate("store:main", ir.evaluate(QRELS, run(2), "AP", policy="missing=skip"), store=store)
    assert policy.table()["reason"].to_list() == ["missing is zero in the baseline, skip in the candidate"]


def test_versions_are_reported(store: ir.Store) -> None:
    store.tag("main", store.add(ir.evaluate(QRELS, run(1), "AP", engine="duckdb")))
    actual = ir.gate(
        "store:main", ir.evaluate(QRELS, run(1), "AP", engine="polars"), "AP same within 1e-12", store=store
    )
    assert actual.passed
    assert "version: engine is duckdb in the baseline, polars in the candidate" in str(actual)
    assert json.loads(actual.to_json())["versions"] == {"engine": ["duckdb", "polars"]}


def test_names(store: ir.Store) -> None:
    runs = pl.concat([run(1, name="a"), run(2, name="b/c")])
    both = store.add(ir.evaluate(QRELS, runs, "AP"))
    store.tag("team/main", both)
    new = ir.evaluate(QRELS, run(3, name="new"), "AP")
    for name in ("a", "b/c"):
        assert ir.gate(f"store:team/main/{name}", new, store=store).table()["baseline"].to_list() == [name]
    # Of several runs each candidate's baseline is that of its name.
    assert set(ir.gate("store:team/main", new, store=store).table()["verdict"]) == {"incomparable"}
    assert ir.gate("store:team/main", ir.evaluate(QRELS, runs, "AP"), "same within 0", store=store).passed
    for name in ("nope", "team/main/x", "team/x/a"):
        with pytest.raises(UnknownName):
            ir.gate(f"store:{name}", new, store=store)
    with pytest.raises(FileError, match="no store"):
        ir.gate("store:main", new, store=store.path / "nowhere")
    with pytest.raises(InvalidParameter, match="needs a store"):
        ir.gate("store:main", new)


def test_sums_are_left_out_unless_named(store: ir.Store) -> None:
    store.tag("main", store.add(ir.evaluate(QRELS, run(1), "AP NumRel")))
    new = ir.evaluate(QRELS, run(2), "AP")
    assert ir.gate("store:main", new, store=store).table()["measure"].to_list() == ["AP"]
    with pytest.raises(NotDefined, match="sum"):
        ir.gate("store:main", new, "NumRel no significant loss", store=store)


def test_verdicts_are_stored(store: ir.Store) -> None:
    store.tag("main", store.add(ir.evaluate(QRELS, run(1), "AP", queries=LANGUAGES)))
    new = ir.evaluate(QRELS, run(2), "AP", queries=LANGUAGES, by="lang")
    actual = ir.gate("store:main", new, "AP drop <= 0.05; AP no significant loss", by="lang", store=store)
    store.add(actual, tags={"commit": "3f2a"})
    names = ["rule", "groups", "verdict", "passed", "observed", "limit", "baseline_id", "candidate_id", "run_id"]
    rows = store.sql("SELECT * FROM gates ORDER BY place").select(names)
    expected = actual.table()
    assert rows["verdict"].to_list() == expected["verdict"].to_list()
    assert rows["observed"].to_list() == expected["observed"].to_list()
    assert set(rows["groups"]) == {"{}", '{"lang":"de"}', '{"lang":"en"}'}
    assert set(rows.select("baseline_id", "candidate_id").rows()) == {(store.find("main"), actual.candidate_id)}
    # The id is that under which the candidate is added.
    assert store.add(new) == actual.candidate_id


@pytest.mark.parametrize(
    "name", ["::error::x\n", "a'; DROP TABLE gates; --", "../../x", "\x1b[31m\u202e", "@team|`x`", "%0A"]
)
def test_unusual_names(store: ir.Store, name: str) -> None:
    frames = [run(seed, name=name) for seed in (1, 2)]
    old, new = (
        ir.evaluate(QRELS, f, "AP", queries=LANGUAGES.with_columns(lang=pl.lit(name)), by="lang") for f in frames
    )
    store.tag(name, store.add(old))
    actual = ir.gate(f"store:{name}", new, "AP drop <= 0.001; AP drop <= 1 from best of last 3", store=store)
    store.add(actual, tags={name: name}, collection=name)
    row = store.sql("SELECT DISTINCT run_id, collection, tags, groups FROM gates WHERE groups <> '{}'").row(0)
    assert row[:2] == (name, name)
    assert json.loads(row[2]) == {name: name}
    assert json.loads(row[3]) == {"lang": name}
    for text in (str(actual), actual.to_markdown(), actual.to_junit(), actual.annotations("github")):
        assert all(c.isprintable() or c == "\n" for c in text)
        assert not any(line.startswith("::error::x") for line in text.splitlines())


def test_values_of_other_tools(store: ir.Store, tmp_path: Path) -> None:
    ev = ir.evaluate(QRELS, run(1), "AP")
    lines = [f"map\t{q}\t{v:.4f}" for q, v in ev.per_unit().select("query_id", "value").iter_rows()]
    (tmp_path / "old.eval").write_text("\n".join(lines) + "\n")
    store.tag("old", store.import_values(tmp_path / "old.eval", run="bm25"))
    actual = ir.gate("store:old", ev, "AP same within 0; AP no significant loss", store=store)
    # A difference that is only rounding does not count.
    assert actual.table()["verdict"].to_list() == ["pass", "pass"]
    assert "imported from trec_eval and rounded: all is compared to 4 decimals" in str(actual)
    assert "not known of both sides: policy and judgments" in str(actual)
    # As history they count for values whose conventions are not known either.
    new = ir.gate(None, ev, "AP drop <= 1 from best of last 3", store=store)
    assert new.table()["verdict"].to_list() == ["incomparable"]


def test_a_tag_that_does_not_exist(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    store.tag("main", store.add(ir.evaluate(QRELS, run(1), "AP")))
    with pytest.raises(UnknownName, match=r"no evaluation or tag 'mian' \(tags: main\)\.\n  Did you mean main"):
        ir.gate("store:mian", ir.evaluate(QRELS, run(1), "AP"), store=store)
