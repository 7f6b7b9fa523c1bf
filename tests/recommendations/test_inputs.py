"""What tables of recommended items may be, and the errors where they are something else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    IrevalError,
    IrevalWarning,
    MissingColumn,
    NotDefined,
    NothingInCommon,
)
from tests.oracles import recommendations as oracle
from tests.recommendations.cases import make_case

TABLES = ir.examples.recommendations()
RECS = TABLES["recs"]


def value(measure: str, **tables: Any) -> Any:
    return ir.Recommendations(**{**TABLES, **tables}).evaluate(measure).summary()["value"].item()


ERRORS: dict[str, tuple[dict[str, Any], str, type[IrevalError], str]] = {
    "no train": ({"train": None}, "MIUF", NotDefined, r'what users used before(.|\n)*Hand it in: train="train.csv"'),
    "no relevant": ({"relevant": None}, "HitRate@3", NotDefined, 'relevant="relevant.csv"'),
    "no features": ({"features": None}, "ILD", NotDefined, 'features="features.csv"'),
    "no distances": ({}, "ILD(distance='table')", NotDefined, 'distances="distances.csv"'),
    "no order": ({"recs": RECS.drop("rank")}, "MIUF", MissingColumn, "no column 'score'"),
    "null item": (
        {"recs": RECS.with_columns(item_id=pl.lit(None, pl.String))},
        "MIUF",
        InvalidValue,
        "11 rows of the recs table have no item",
    ),
    "null rank": (
        {"recs": RECS.with_columns(rank=pl.lit(None, pl.Int64))},
        "MIUF",
        InvalidValue,
        "Column 'rank' of the recs table holds None, and 10 other rows",
    ),
    "item twice": (
        {"recs": pl.concat([RECS, RECS.head(1)])},
        "MIUF",
        DuplicateRows,
        r"user 'u1' has the item 'C' several times(.|\n)*run_id",
    ),
    "relevant twice": (
        {"relevant": pl.concat([TABLES["relevant"]] * 2)},
        "HitRate@3",
        DuplicateRows,
        r"item '.' of the user '..' 2 times \(5 such pairs\)(.|\n)*relevant.unique",
    ),
    "outside": ({"catalogue": ["A", "B", "C"]}, "ItemGini", InvalidValue, "3 items of the lists are not in the cat"),
    "other user": (
        {"users": ["u1", "u2"]},
        "MIUF",
        InvalidValue,
        r"6 rows of the recs table are of users that users= does not name",
    ),
    "two distances": (
        {"distances": pl.DataFrame({"a": "AB", "b": "BA", "d": [0.1, 0.2]}, strict=False)},
        "ILD(distance='table')",
        IrevalError,
        "item_id",
    ),
    "no such feature": ({}, "BiasDisparity(feature='g9')", IrevalError, r"No item has the feature 'g9'(.|\n)*g1"),
    "feature of another type": ({}, "BiasDisparity(feature=1)", InvalidParameter, r"BiasDisparity\(feature='1'\)"),
    "no k": ({}, "MIUF(over='k')", InvalidParameter, r"MIUF\(over='k'\)@10"),
    "no length": ({}, "NDCG(ideal='k')", InvalidParameter, r"NDCG\(ideal='k'\)@10"),
    "no baseline": ({}, "Serendipity(of='baseline')", InvalidParameter, "@10"),
}


@pytest.mark.parametrize("case", ERRORS)
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_errors_say_what_to_do(case: str, engine: str) -> None:
    tables, measure, kind, text = ERRORS[case]
    with pytest.raises(kind, match=text):
        ir.Recommendations(**{**TABLES, **tables}, engine=engine).evaluate(measure).summary()


def test_conflicting_distances() -> None:
    distances = pl.DataFrame({"item_id": ["A", "B"], "item2": ["B", "A"], "distance": [0.1, 0.2]})
    with pytest.raises(InvalidValue, match=r"0\.1 and 0\.2 for the items 'A' and 'B'"):
        value("ILD(distance='table')", distances=distances)
    with pytest.raises(InvalidValue, match="at least 0"):
        value("ILD(distance='table')", distances=distances.head(1).with_columns(distance=-pl.col("distance")))


def test_the_assumed_catalogue_is_told() -> None:
    with pytest.warns(
        IrevalWarning, match=r"6 items of train and of all lists; ItemGini depends(.|\n)*Pass a catalogue"
    ):
        assert value("ItemGini", catalogue=None) == value("ItemGini")
    subject = ir.Recommendations(**{**TABLES, "catalogue": None})
    assert "The catalogue is the items of train" in subject.evaluate("MIUF").explain()
    # Measures that do not read the number are silent: warnings are errors here.
    subject.evaluate("MIUF ILD").summary()


def test_names_of_columns() -> None:
    """Other tools' names are known, others are named once for all tables."""
    known = {"userID": "user_id", "itemID": "item_id"}
    tables = {n: t.rename({v: k for k, v in known.items()}, strict=False) for n, t in TABLES.items()}
    tables["recs"] = tables["recs"].with_columns(prediction=-pl.col("rank").cast(pl.Float64)).drop("rank")
    assert value("MAP@3", **tables) == value("MAP@3")
    own = {n: t.rename({"user_id": "who", "item_id": "what"}, strict=False) for n, t in TABLES.items()}
    own["recs"] = own["recs"].rename({"rank": "place"})
    assert value("MAP@3", **own, user="who", item="what", rank="place") == value("MAP@3")
    per_unit = ir.Recommendations(**own, user="who", item="what", rank="place").evaluate("MIUF").per_unit()
    assert per_unit.columns == ["who", "measure", "value"]
    with pytest.raises(InvalidParameter, match="ordered by one of them"):
        ir.Recommendations(**own, score="place", rank="place")


def test_scores_and_ranks() -> None:
    """By scores, if there are any, unless a column of ranks is named."""
    both = RECS.with_columns(score=pl.col("rank").cast(pl.Float64))
    assert value("MAP@3", recs=both, rank="rank") == value("MAP@3") != value("MAP@3", recs=both)
    notes = ir.Recommendations(**{**TABLES, "recs": both}).evaluate("MAP@3").explain()
    assert "Lists are ordered by 'score', and 'rank' is not read" in notes


def test_ties_are_by_ids() -> None:
    tied = RECS.with_columns(score=pl.lit(1.0)).drop("rank")
    first = {"trec_eval": [], "item_id": []}
    for policy, firsts in first.items():
        for user in ("u1", "u2", "u3", "u4"):
            some = tied.filter(user_id=user)
            items = sorted(some["item_id"], reverse=policy == "trec_eval")
            firsts.append(TABLES["train"].filter(item_id=items[0]).height)
        got = ir.Recommendations(**{**TABLES, "recs": tied}, policy=f"ties={policy}").evaluate("ARP@1").per_unit()
        assert got["value"].to_list() == firsts


def test_repeated_rows_of_train() -> None:
    train = pl.concat([TABLES["train"], TABLES["train"].filter(item_id="B")])
    assert value("ARP@3", train=train) == pytest.approx(value("ARP@3"), abs=1e-12)
    rows = ir.Recommendations(**{**TABLES, "train": train}, policy="repeats=rows").evaluate("ARP@3 MIUF@3").wide()
    assert rows["ARP@3"].item() > value("ARP@3") + 0.1
    assert rows["MIUF@3"].item() == pytest.approx(value("MIUF@3"), abs=1e-12)


def test_lists_of_features_and_files(tmp_path: Path) -> None:
    lists = TABLES["features"].group_by("item_id").agg(genres=pl.col("feature"))
    assert value("ILD@3", features=lists) == value("ILD@3")
    for name, table in TABLES.items():
        table.write_csv(tmp_path / f"{name}.csv")
    paths = {name: tmp_path / f"{name}.csv" for name in TABLES}
    measures = "ILD@3 MIUF@3 MAP@3 ItemGini"
    for engine in ("polars", "duckdb"):
        read = ir.Recommendations(**paths, engine=engine).evaluate(measures).summary()
        assert read.equals(ir.Recommendations(**TABLES, engine=engine).evaluate(measures).summary())


def test_users_without_a_list() -> None:
    """They have accuracy 0, or are left out; what lists are like is undefined for them."""
    fewer = RECS.filter(pl.col("user_id") != "u1")
    zero = ir.Recommendations(**{**TABLES, "recs": fewer}).evaluate("HitRate@2 MIUF UserCoverage").summary()
    assert zero.select("value", "n_undefined").rows()[0] == (0.5, 0)
    assert zero["n_undefined"].to_list() == [0, 1, 0]
    assert zero["value"][2] == 0.75
    skip = ir.Recommendations(**{**TABLES, "recs": fewer}, policy="missing=skip").evaluate("HitRate@2").summary()
    assert skip.select("value", "n_units").row(0) == (pytest.approx(2 / 3), 3)


def test_groups_are_columns_of_the_lists_too() -> None:
    days = pl.concat([RECS.with_columns(day=pl.lit(1)), RECS.with_columns(day=pl.lit(2), rank=-pl.col("rank"))])
    one = ir.Recommendations(**{**TABLES, "recs": days}, by="day").evaluate("MAP@3 ItemGini@2 ILD@2").summary()
    for day in (1, 2):
        some = days.filter(day=day).drop("day")
        alone = ir.Recommendations(**{**TABLES, "recs": some}).evaluate("MAP@3 ItemGini@2 ILD@2").summary()
        assert one.filter(day=day)["value"].to_list() == pytest.approx(alone["value"].to_list(), abs=1e-12)


def test_map_names_its_convention() -> None:
    written = [str(m) for m in ir.Recommendations(**TABLES).evaluate("MAP@3 MAP(capped=False)@3 MAP").measures]
    assert written == ["MAP(capped=True)@3", "MAP(capped=False)@3", "MAP(capped=True)"]
    assert [str(ir.Measure.parse(m, "recommendations")) for m in written] == written
    assert ir.Measure.parse("MAP@3").definition.family == "ranking"


@pytest.mark.parametrize(
    "measure, line",
    [
        ("ExposureGini(p=0.85)@10", "ExposureGini(browsing='geometric', p=0.85)@10"),
        ("EILD(browsing='none', p=0.85)@3", "EILD(browsing='geometric', p=0.85)@3"),
        ("Miscalibration(p=0.85)", "Miscalibration(browsing='geometric', p=0.85)"),
        ("Miscalibration(divergence='js', alpha=0.2)", "take divergence='kl'"),
    ],
)
def test_parameters_that_nothing_reads_are_refused(measure: str, line: str) -> None:
    with pytest.raises(InvalidParameter, match=rf"does not read\.\n.*{re.escape(line)}"):
        value(measure)
    if measure in line:
        value(line)


def test_accuracy_is_that_of_rankings() -> None:
    """The same functions: equal to the family of rankings, whose numbers trec_eval gives."""
    case = make_case(7)
    frames = case.frames()
    ours = ir.Recommendations(**frames).evaluate(
        "HitRate@3 Precision@3 Recall@3 F1@3 MRR MAP(capped=False)@3 NDCG@3 NDCG(gain='exponential')"
    )
    theirs = ir.evaluate(
        frames["relevant"].rename({"user_id": "query_id", "item_id": "doc_id"}),
        frames["recs"].rename({"user_id": "query_id", "item_id": "doc_id"}),
        "Success@3 P@3 R@3 F@3 RR AP@3 nDCG@3 nDCG(dcg='exp-log2')",
        policy="no_relevant=null",
    )
    mine = ours.per_unit(wide=True).sort("user_id").drop("user_id")
    other = theirs.per_unit(wide=True).sort("query_id")
    judged = ours.per_unit(wide=True).sort("user_id")["user_id"].is_in(other["query_id"].to_list())
    assert mine.filter(judged).rows() == other.drop("query_id").rows()
    assert all(v is None for row in mine.filter(~judged).rows() for v in row)
    assert oracle.value("MRR", case.data("run0"), case.users, rel=1.0, cutoff=None) == pytest.approx(
        ours.wide()["MRR"].item(), abs=1e-12
    )


@pytest.mark.parametrize("table, column, measure", [("relevant", "user_id", "HitRate@3"), ("train", "item_id", "MIUF")])
def test_nothing_in_common_is_an_error(table: str, column: str, measure: str) -> None:
    other = {table: TABLES[table].with_columns(pl.format("z{}", column).alias(column))}
    with pytest.raises(NothingInCommon, match=rf"in common with the {table} table(.|\n)*overlap=allow"):
        value(measure, **other)
    allowed = ir.Recommendations(**{**TABLES, **other}, policy="overlap=allow").evaluate(measure).summary()
    assert allowed["value"].item() in (0.0, 2.0)


def test_groups_that_other_tables_have_too_are_told() -> None:
    """A user's relevant items of all windows count in each: by= is of lists alone."""
    windows = [pl.lit(0), pl.lit(1)]
    recs = pl.concat([RECS.with_columns(window=w) for w in windows])
    relevant = TABLES["relevant"].with_columns(window=pl.lit(1))
    with pytest.warns(IrevalWarning, match="groups the lists by 'window', and relevant has such a column"):
        ir.Recommendations(recs, relevant=relevant, by="window").evaluate("HitRate@3").summary()
    ir.Recommendations(recs, relevant=TABLES["relevant"], by="window").evaluate("HitRate@3").summary()
