"""What tables of exposure may be, and what is said where they are not that."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    FileError,
    InvalidParameter,
    InvalidValue,
    MissingColumn,
    NotDefined,
    NothingInCommon,
    OverlapWarning,
    UnknownName,
)

LIST = ir.examples.exposure()
RUN, GROUPS = LIST["run"], LIST["groups"]


def value(measure: str, **tables: Any) -> float:
    options = LIST | {"relevant": None} | tables
    out: float = ir.FairExposure(**options).evaluate(measure).summary()["value"].item()
    return out


NEW = "GroupExposure(group='new')"
EXPECTED = pytest.approx(value(NEW), abs=1e-12)


@pytest.mark.parametrize(
    "groups",
    [
        pl.concat([GROUPS, GROUPS]),
        GROUPS.with_columns(share=7.0),
        GROUPS.with_columns(group=pl.concat_list("group")),
        GROUPS.rename({"doc_id": "docno", "group": "provider"}),
    ],
    ids=["twice", "shares are divided by their sum", "lists", "other names"],
)
def test_forms_of_groups(groups: pl.DataFrame) -> None:
    assert value(NEW, groups=groups) == EXPECTED


def test_groups_are_named_in_their_own_type() -> None:
    numbers = GROUPS.select("doc_id", group=pl.col("group").replace_strict({"new": 0, "known": 1}))
    assert value("GroupExposure(group=0)", groups=numbers, target=None) == EXPECTED
    flags = numbers.select("doc_id", protected=pl.col("group") == 0)
    assert value("GroupExposure(group=True)", groups=flags, target={True: 0.5, False: 0.5}) == EXPECTED
    with pytest.raises(InvalidParameter, match=r"'new' is no group; the groups are numbers"):
        value(NEW, groups=numbers, target=None)
    with pytest.raises(InvalidParameter, match=r"no document is in the group 'old'"):
        value("GroupExposure(group='old')")
    assert value(NEW, groups=GROUPS.rename({"group": "author"}), group="author") == EXPECTED


def test_files(tmp_path: Path) -> None:
    run = tmp_path / "bm25.run"
    run.write_text("".join(f"q Q0 {d} {i} {9 - i} bm25\n" for i, d in enumerate("abcde", 1)), "utf-8")
    (tmp_path / "qrels.txt").write_text("q 0 a 1\nq 0 c 1\n", "utf-8")
    GROUPS.write_csv(tmp_path / "groups.csv")
    ev = ir.FairExposure(run, tmp_path / "groups.csv", "equal", tmp_path / "qrels.txt").evaluate("AWRF EER")
    expected = ir.FairExposure(**LIST).evaluate("AWRF EER").summary()["value"].to_list()
    assert ev.summary()["value"].to_list() == pytest.approx(expected, abs=1e-12)
    assert ev.summary()["run_id"].unique().to_list() == ["bm25"]


def test_documents_without_a_group_are_told() -> None:
    with pytest.warns(OverlapWarning, match="2 of 5 documents of the run have no group"):
        assert value(NEW, groups=GROUPS.head(3)) != EXPECTED
    assert value("GroupExposure(group='unknown')", groups=GROUPS.head(3), policy="unknown=group") > 0
    assert value(NEW, groups=GROUPS.head(3), policy="overlap=allow") > 0


Refusals = dict[str, tuple[str, dict[str, Any], type[Exception], str]]
REFUSED: Refusals = {
    "no groups": ("AWRF", {"groups": None}, NotDefined, 'Hand it in: groups="groups.csv"'),
    "no target": ("AWRF", {"target": None}, NotDefined, 'target="target.csv", or target="equal"'),
    "no judgments": ("DTR", {}, NotDefined, 'relevant="qrels.txt"'),
    "shares of less than 1": ("AWRF", {"target": {"new": 0.5}}, InvalidValue, "add up to 0.5"),
    "a target twice": ("AWRF", {"target": pl.concat([LIST["target"]] * 2)}, DuplicateRows, "in 2 rows"),
    "no shares": ("AWRF", {"target": {"new": "half"}}, InvalidParameter, "no shares of groups"),
    "other documents": (NEW, {"groups": GROUPS.with_columns(pl.col("doc_id") + "x")}, NothingInCommon, "No document"),
    "samples in one list": (NEW, {"run": pl.concat([RUN, RUN])}, DuplicateRows, "name their column: samples="),
    "no samples": (NEW, {"samples": "s"}, MissingColumn, "has no column 's' of samples="),
    "negative shares": (NEW, {"groups": GROUPS.with_columns(share=-1.0)}, InvalidValue, "holds -1"),
    "no attribute": (NEW, {"group": ["group", "region"]}, MissingColumn, "no column 'region' of group="),
    "not by groups": ("EED(convention='trecfair',grouped=True)", {}, NotDefined, "Leave grouped out"),
    "other queries": (NEW, {"queries": ["z"]}, InvalidValue, "queries= does not name: 'q'"),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.filterwarnings("ignore::ireval_frames.errors.OverlapWarning")
def test_refused(case: str) -> None:
    measure, tables, error, message = REFUSED[case]
    with pytest.raises(error, match=re.escape(message)):
        value(measure, **tables)


def test_no_rows_of_lists() -> None:
    assert ir.FairExposure(RUN.clear(), GROUPS).evaluate("ExposureRatio").summary()["n_units"].to_list() == [0]


SMALL = {
    "run": pl.DataFrame({"query_id": [1, 1, 2], "doc_id": ["a", "b", "a"], "rank": [1, 2, 1]}),
    "groups": pl.DataFrame({"doc_id": ["a", "b"], "group": ["x", "y"]}),
}


def small(measures: str, **options: Any) -> list[float | None]:
    fair = ir.FairExposure(**(SMALL | options))
    return fair.evaluate(measures).per_unit().sort("measure", "query_id")["value"].to_list()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_one_group_is_not_compared(engine: str) -> None:
    """A list of one group is no list in which groups are equal."""
    browsing = {"browsing": "none", "engine": engine}
    assert small("ExposureRatio", **browsing) == [1.0, None]
    assert small("ExposureGap", **browsing) == [0.0, None]
    assert small("ExposureGap(spread='mad')", **browsing) == [0.0, None]
    relevant = pl.DataFrame({"query_id": [1, 2], "doc_id": ["b", "b"], "relevance": [1, 1]})
    # x has no utility.
    assert small("TreatmentRatio", relevant=relevant, **browsing) == [None, None]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_without_groups_nothing_is_fair(engine: str) -> None:
    empty = SMALL["groups"].clear()
    for distance in ("js", "l1", "l2"):
        assert small(f"AWRF(distance='{distance}')", groups=empty, target="equal", engine=engine) == [None, None]


def test_targets_that_fit_little() -> None:
    with pytest.warns(OverlapWarning, match="1 of 2 groups of the target have no document, such as 'z'"):
        small("AWRF", target={"x": 0.5, "z": 0.5})
    with pytest.raises(NothingInCommon, match="No group of the target table is in the groups table"):
        small("AWRF", target={"X": 0.5, "Y": 0.5})
    by_query = pl.DataFrame({"query_id": [1, 1], "group": ["x", "y"], "share": [0.5, 0.5]})
    with pytest.warns(OverlapWarning, match="1 of 2 queries of the run have no target, such as 2"):
        small("AWRF", target=by_query)
    with pytest.raises(NothingInCommon, match="No query of the run table is in the target table"):
        small("AWRF", target=by_query.with_columns(query_id=pl.lit(9)))
    small("AWRF", target={"X": 0.5, "Y": 0.5}, policy="overlap=allow")


def test_a_target_that_is_no_word() -> None:
    with pytest.raises(UnknownName, match=r"'list', which is neither a file nor one of(.|\n)*Did you mean lists"):
        small("AWRF", target="list")
    with pytest.raises(FileError, match=r"shares.csv"):
        small("AWRF", target="shares.csv")


def test_browsing_that_is_none() -> None:
    with pytest.raises(UnknownName, match=r"browsing is 'recip'(.|\n)*reciprocal"):
        ir.FairExposure(RUN, GROUPS, browsing="recip")
