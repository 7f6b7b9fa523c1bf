"""What cannot be compared never passes, and is reported: units, judgments, conventions, measures, runs."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    MismatchedTables,
    MissingColumn,
    NotDefined,
    UnknownName,
)

ALL = (
    "AP no significant loss; AP >= 0.0; AP drop <= 1; AP same within 1; units AP worst <= 99; AP non-inferior within 1"
)
QRELS = pl.DataFrame({"query_id": [*"aabbcc"], "doc_id": [*"xyxyxy"], "relevance": [1, 0, 1, 1, 0, 1]})
RUN = pl.DataFrame({"query_id": [*"aabbcc"], "doc_id": [*"xyxyxy"], "score": [2.0, 1.0] * 3})


def table(**values: float | None) -> pl.DataFrame:
    return pl.DataFrame({"query_id": list(values), "AP": list(values.values())}, schema_overrides={"AP": pl.Float64})


def reasons(g: ir.gating.Gate) -> set[str]:
    rows = g.table()
    assert set(rows["verdict"]) == {"incomparable"}
    assert not rows["passed"].any()
    assert g.exit_code == 4
    return set(rows["reason"])


@pytest.mark.parametrize(
    "before, after, reason",
    [
        (table(a=0.5, b=0.5), table(a=0.5, c=1.0), {"1 unit only in the baseline: b; 1 unit only in the candidate: c"}),
        (table(a=0.5, b=0.5), table(a=0.5, b=None), {"1 unit undefined in the candidate only: b"}),
        (table(a=0.5, b=None), table(a=0.5, b=0.5), {"1 unit undefined in the baseline only: b"}),
        (table(a=None), table(a=None), {"no unit has a value"}),
    ],
)
def test_units(before: pl.DataFrame, after: pl.DataFrame, reason: set[str]) -> None:
    assert reasons(ir.gate(before, after, ALL)) == reason


def test_undefined_on_both_sides_is_counted() -> None:
    rows = ir.gate(table(a=0.5, b=None), table(a=0.5, b=None), "AP same within 0").table()
    assert rows.select("verdict", "n", "n_undefined").row(0) == ("pass", 1, 1)


def test_judgments() -> None:
    other = QRELS.with_columns(relevance=pl.Series([1, 0, 0, 1, 0, 2]))[:-2].vstack(
        pl.DataFrame({"query_id": ["c"] * 2, "doc_id": ["y", "z"], "relevance": [1, 1]})
    )
    g = ir.gate(ir.evaluate(QRELS, RUN, "AP"), ir.evaluate(other, RUN, "AP"), ALL)
    assert reasons(g) == {"other judgments: 1 added, 1 removed, 1 changed"}
    changed = g.judgments()
    assert changed is not None
    assert changed.rows() == [("b", "x", 1, 0), ("c", "x", 0, None), ("c", "z", None, 1)]
    assert "judgments: 3 differ: b x: 1 → 0" in str(g)
    # The order of rows, and the type of ids and grades, are not the judgments.
    same = QRELS.with_columns(pl.col("relevance").cast(pl.Float64)).reverse()
    assert ir.gate(ir.evaluate(QRELS, RUN, "AP"), ir.evaluate(same, RUN, "AP"), ALL).passed


def test_policy() -> None:
    g = ir.gate(ir.evaluate(QRELS, RUN, "AP"), ir.evaluate(QRELS, RUN, "AP", policy="missing=skip"), ALL)
    assert reasons(g) == {"missing is zero in the baseline, skip in the candidate"}


def test_measures_and_runs() -> None:
    ev, other = ir.evaluate(QRELS, RUN, "nDCG@10"), ir.evaluate(QRELS, RUN, "nDCG@20")
    assert reasons(ir.gate(ev, other)) == {
        "the baseline has no values of nDCG@20 here", "the candidate has no values of nDCG@10 here",
    }  # fmt: skip
    # A rule that names one of them: the baseline lacks it.
    assert reasons(ir.gate(ev, other, "nDCG@20 no significant loss")) == {"the baseline has no values of nDCG@20 here"}
    runs = pl.concat([RUN.with_columns(run_id=pl.lit(name)) for name in ("new", "old")])
    both, less = ir.evaluate(QRELS, runs, "AP"), ir.evaluate(QRELS, runs.filter(pl.col("run_id") == "new"), "AP")
    more = ir.evaluate(QRELS, pl.concat([runs, RUN.with_columns(run_id=pl.lit("x"))]), "AP")
    assert ir.gate(both, both).table()["candidate"].to_list() == ["new", "old"]
    # One system is the baseline of all.
    assert ir.gate(less, both).passed
    actual = dict(ir.gate(both, more).table().select("candidate", "verdict").iter_rows())
    assert actual == {"new": "pass", "old": "pass", "x": "incomparable"}
    less = dict(ir.gate(more, both).table().select("candidate", "reason").iter_rows())
    assert less["x"] == "the candidate has no values of AP here (x)"


def test_a_failed_rule_comes_before_what_cannot_be_compared() -> None:
    old = pl.DataFrame({"query_id": [*"ab"], "AP": [0.5, 0.5], "RR": [1.0, 1.0]})
    new = pl.DataFrame({"query_id": [*"ab"], "AP": [0.1, 0.1], "RR": [1.0, None]})
    assert ir.gate(old, new, "AP drop <= 0.1; RR drop <= 0.1").exit_code == 3
    assert ir.gate(old, new, "AP drop <= 0.5; RR drop <= 0.1").exit_code == 4


def test_all_kinds_of_sides(tmp_path: Path) -> None:
    ev = ir.evaluate(QRELS, RUN, "AP RR")
    ev.per_unit().write_parquet(tmp_path / "baseline.parquet")
    ev.per_unit().write_csv(tmp_path / "baseline.csv")
    wide = ev.per_unit(wide=True)
    for baseline in (ev, (QRELS, RUN), tmp_path / "baseline.parquet", str(tmp_path / "baseline.csv"), wide):
        assert ir.gate(baseline, ev, "AP same within 0").passed
    # Other names of a measure, as evaluations know them.
    assert ir.gate(ev, ev, "map no significant loss; recip_rank drop <= 0").table()["measure"].to_list() == ["AP", "RR"]
    assert ir.gate(None, ev, "AP >= 0.1").passed
    assert not ir.gate(None, ev, "AP >= 1.1")
    (tmp_path / "gate.toml").write_text('rules = ["AP >= 1.1"]')
    assert ir.gate(None, ev, tmp_path / "gate.toml").exit_code == 3


def test_errors() -> None:
    ev = ir.evaluate(QRELS, RUN, "AP")
    with pytest.raises(InvalidParameter, match="needs a store"):
        ir.gate("store:main", ev)
    with pytest.raises(InvalidParameter, match="needs a store"):
        ir.gate(None, ev, "AP as usual in last 5")
    with pytest.raises(InvalidParameter, match=r'needs a baseline.\n  Name it: baseline="baseline.parquet"'):
        ir.gate(None, ev)
    with pytest.raises(InvalidParameter, match="name no measure"):
        ir.gate((QRELS, RUN), ev)
    with pytest.raises(InvalidParameter, match="segments"):
        ir.gate(ev, ev, "no significant loss in each segment")
    with pytest.raises(UnknownName, match="RR"):
        ir.gate(ev, ev, "RR no significant loss")
    with pytest.raises(UnknownName, match="welch"):
        ir.gate(ev, ev, test="welch")
    with pytest.raises(NotDefined, match="geometric"):
        ir.gate(ev, ir.evaluate(QRELS, RUN, "gm_map"))
    with pytest.raises(MissingColumn, match="user"):
        ir.gate(ev, ev, cluster="user")
    with pytest.raises(MismatchedTables):
        ir.gate(ev, ir.evaluate(QRELS, RUN, "AP").per_unit().with_columns(query_id=pl.Series([1, 2, 3])))
    with pytest.raises(DuplicateRows):
        ir.gate(pl.concat([table(a=0.5)] * 2), table(a=0.5))


def test_measures_without_a_direction() -> None:
    ev = ir.evaluate(QRELS, RUN, "AP Judged@2")
    for rule in ("no significant loss", "non-inferior within 0.1", "drop <= 0.1", "units worst <= 1"):
        # A rule that names none is about those of which more or less is better.
        assert ir.gate(ev, ev, rule).table()["measure"].to_list() == ["AP"]
    for rule in (
        "Judged@2 no significant loss",
        "Judged@2 drop <= 1",
        "units Judged@2 worst <= 1",
        "Judged@2 non-inferior within 0.1",
    ):
        with pytest.raises(NotDefined, match="Neither more nor less"):
            ir.gate(ev, ev, rule)
    assert ir.gate(ev, ev, "same within 0").table()["measure"].to_list() == ["AP", "Judged@2"]
    assert ir.gate(ev, ev, "Judged@2 >= 0.5").passed


def test_degenerate_sides() -> None:
    one, none = table(a=0.5), table()
    rows = ir.gate(one, one, ALL).table()
    # There is no test for one unit; that it does not differ is certain.
    assert dict(rows.select("kind", "verdict").iter_rows())["non-inferior within"] == "undecided"
    assert rows.filter(kind="same within")["verdict"].to_list() == ["pass"]
    assert reasons(ir.gate(table(a=1.0), table(b=1.0), ALL)) == {
        "1 unit only in the baseline: a; 1 unit only in the candidate: b"
    }
    assert reasons(ir.gate(none, one, ALL)) == {"the baseline has no values of AP here"}
    with pytest.raises(InvalidParameter, match="no values"):
        ir.gate(one, none, ALL)
    with pytest.raises(InvalidParameter, match="no candidate"):
        ir.gate(one, None)
    for value in (float("inf"), 1e200):
        with pytest.raises(InvalidValue):
            ir.gate(one, table(a=value), ALL)
    # A share of 0 is 0; a share of a negative mean is one of its absolute value.
    zero, less = table(a=0.0, b=0.0), table(a=-1.0, b=-1.1)
    assert ir.gate(zero, zero, "AP drop <= 5%").passed
    assert not ir.gate(zero, table(a=0.0, b=-0.1), "AP drop <= 5%")
    assert ir.gate(less, table(a=-1.05, b=-1.1), "AP drop <= 5%").passed


def test_rules_twice_and_against_each_other() -> None:
    one, other = table(a=0.5, b=0.4, c=0.6), table(a=0.4, b=0.5, c=0.5)
    single = ir.gate(one, other, "AP no significant loss").table()
    twice = ir.gate(
        one, other, "AP no significant loss; no significant loss; AP no significant loss, undecided fails"
    ).table()
    # A test counts once for the correction, however often its rule is written.
    assert twice["p_adjusted"].to_list() == single["p_adjusted"].to_list() * 3
    assert twice["passed"].to_list() == [True, True, False]
    assert ir.gate(one, other, "AP >= 0.9; AP <= 0.1").exit_code == 3


def test_other_families_and_engines() -> None:
    rows = {"item": [*"abcdef"], "lang": [*"dddeee"], "label": [1, 0, 1, 1, 0, 1]}
    old = pl.DataFrame({**rows, "prediction": [1, 0, 1, 1, 0, 1]})
    new = pl.DataFrame({**rows, "prediction": [1, 0, 1, 0, 0, 1]})
    # All items are one unit: numbers can be compared, but not tested.
    total = ir.gate(
        *(ir.Labels(f).evaluate("Accuracy") for f in (old, new)), "Accuracy drop <= 0.1; no significant loss"
    ).table()
    assert total.select("n", "verdict", "status").rows() == [(1, "fail", "one_unit"), (1, "undecided", "one_unit")]
    # Segments of one unit each have no common mean.
    each = ir.gate(*(ir.Labels(f, by="lang").evaluate("Accuracy") for f in (old, new)), "Accuracy drop <= 0.1").table()
    assert each.select("lang", "verdict").rows() == [("d", "pass"), ("e", "fail")]
    sides = [ir.evaluate(QRELS, RUN, "AP", engine=name) for name in ("polars", "duckdb")]
    assert ir.gate(*sides, "AP same within 1e-12").table()["verdict"].to_list() == ["pass"]


@pytest.mark.filterwarnings("ignore::ireval_frames.errors.OverlapWarning")
def test_segments_without_a_common_id_are_not_comparable() -> None:
    parts = "xxyyzz"
    qrels = pl.DataFrame({"query_id": [*"abcdef"], "doc_id": "d", "relevance": 1, "part": [*parts]})

    def evaluated(without: str) -> ir.Evaluation:
        docs = ["other" if part in without else "d" for part in parts]
        run = pl.DataFrame({"query_id": [*"abcdef"], "doc_id": docs, "score": 1.0})
        return ir.evaluate(qrels, run, "AP", by="part")

    table = ir.gate(evaluated(""), evaluated("xy"), rules=["AP drop <= 0.5"]).table()
    verdicts = dict(table.select("segment", "verdict").rows())
    assert verdicts == {None: "fail", "part=x": "incomparable", "part=y": "incomparable", "part=z": "pass"}
