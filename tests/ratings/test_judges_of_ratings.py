"""Judges in the place of people, alone and as panels."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy.special import stdtr

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName, WrongType
from tests.oracles import annotators


def ratings(items: int = 60, seed: int = 3) -> pl.DataFrame:
    """Four people who err in 30 % of cases, a good judge and a bad one; some people rated not all items."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 5, items)
    rows = []
    for rater, right in (("ann", 0.7), ("bob", 0.7), ("cleo", 0.7), ("dan", 0.7), ("good", 0.9), ("bad", 0.25)):
        for item in range(items):
            if (rater == "dan" and item >= 20) or (rater == "ann" and item % 10 == 9):
                continue
            given = truth[item] if rng.random() < right else rng.integers(1, 5)
            rows.append((item, rater, int(given)))
    return pl.DataFrame(rows, schema=["item_id", "rater_id", "rating"], orient="row")


FRAME = ratings()


def by_rater(frame: pl.DataFrame) -> dict[str, dict[int, int]]:
    out: dict[str, dict[int, int]] = {}
    for item, rater, rating in frame.iter_rows():
        out.setdefault(rater, {})[item] = rating
    return out


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("score", ["equal", "distance"])
def test_the_alternative_annotator_test(score: str, engine: str) -> None:
    subject = ir.Ratings(FRAME, engine=engine)
    options = {"score": score, "epsilon": 0.2}
    table = subject.alternative_annotator(["good", "bad"], per_rater=True, **options)
    summary = subject.alternative_annotator(["good", "bad"], **options)
    people = {k: v for k, v in by_rater(FRAME).items() if k not in ("good", "bad")}
    for judge in ("good", "bad"):
        given = by_rater(FRAME)[judge]
        rows = table.filter(judge=judge)
        p, rho = [], []
        for row in rows.iter_rows(named=True):
            pairs = annotators.advantages(given, people, row["rater_id"], distance=score == "distance")
            assert row["n_items"] == len(pairs)
            assert row["advantage"] == pytest.approx(sum(j for j, _ in pairs) / len(pairs))
            assert row["advantage_of_rater"] == pytest.approx(sum(h for _, h in pairs) / len(pairs))
            if row["rater_id"] == "dan":
                assert (row["status"], row["p_value"]) == ("few", None)
                continue
            p.append(float(stdtr(len(pairs) - 1, annotators.t_of(pairs, 0.2))))
            rho.append(row["advantage"])
            assert row["p_value"] == pytest.approx(p[-1])
        wins = annotators.benjamini_yekutieli(p, 0.05)
        assert rows.filter(status="ok")["wins"].to_list() == wins
        one = summary.filter(judge=judge).row(0, named=True)
        assert one["winning_rate"] == pytest.approx(sum(wins) / 3)
        assert one["advantage"] == pytest.approx(sum(rho) / 3)
        assert (one["n_raters"], one["n_left_out"], one["replaces"]) == (3, 1, judge == "good")


def test_groups_of_the_alternative_annotator_test() -> None:
    both = pl.concat([FRAME.with_columns(topic=pl.lit("x")), ratings(60, 9).with_columns(topic=pl.lit("y"))])
    table = ir.Ratings(both, by="topic").alternative_annotator("good")
    for topic, frame in (("x", FRAME), ("y", ratings(60, 9))):
        alone = ir.Ratings(frame).alternative_annotator("good")
        assert_frame_equal(table.filter(topic=topic).drop("topic"), alone)


def test_equal_differences_are_on_one_side_of_the_margin() -> None:
    rows = [(i, r, 1) for i in range(30) for r in ("ann", "bob", "gpt")]
    same = ir.Ratings(pl.DataFrame(rows, schema=["item_id", "rater_id", "rating"], orient="row"))
    assert same.alternative_annotator("gpt")["winning_rate"].item() == 1.0
    assert same.alternative_annotator("gpt", epsilon=0.0)["winning_rate"].item() == 0.0


def test_who_cannot_be_tested() -> None:
    subject = ir.Ratings(FRAME)
    with pytest.raises(UnknownName, match="no rater 'gpt'"):
        subject.alternative_annotator("gpt")
    with pytest.raises(NotDefined, match="judges and people"):
        subject.alternative_annotator(["ann", "bob", "cleo", "dan", "good", "bad"])
    with pytest.raises(NotDefined, match="and two people"):
        ir.Ratings(FRAME.filter(pl.col("rater_id").is_in(["good", "ann"]))).alternative_annotator("good")
    with pytest.raises(WrongType, match="distances are of numbers"):
        ir.Ratings(FRAME.cast({"rating": pl.String})).alternative_annotator("good", score="distance")


def test_panels() -> None:
    """The rows of judges and of a majority by hand; good judges together are better than one."""
    subject = ir.Ratings(FRAME)
    table = subject.panels(["good", "bad"], measures="PercentAgreement")
    assert table["panel"].to_list() == ["good", "bad", "majority", "wawa", "dawid-skene"]
    people = subject.without(["good", "bad"]).aggregate("majority").consensus()
    truth = dict(people.select("item_id", "label").iter_rows())
    given = by_rater(FRAME)["good"]
    share = sum(given[i] == t for i, t in truth.items()) / len(truth)
    assert table["value"][0] == pytest.approx(share)
    gold = subject.panels(["good"], gold=truth, methods=[], measures="PercentAgreement")
    assert gold["value"].to_list() == pytest.approx([share])
    text = ir.Ratings(FRAME.cast({"rating": pl.String})).panels(["good", "bad"], weights={"good": 1.0, "bad": 0.1})
    weighted = text.filter(panel="weighted", measure="PercentAgreement")["value"].item()
    assert weighted == pytest.approx(share)
    words = {rating: f"{name} one" for rating, name in zip(FRAME["rating"].unique().sort(), "zyxwvu", strict=False)}
    named = FRAME.with_columns(pl.col("rating").replace_strict(words))
    measures = "CohenKappa(weights='quadratic')"
    numbers = ir.Ratings(FRAME, level="ordinal").panels(["good", "bad"], measures=measures)["value"].to_list()
    for frame, scale in ((named, list(words.values())), (named.cast({"rating": pl.Enum(words.values())}), None)):
        by_name = ir.Ratings(frame, level="ordinal", categories=scale).panels(["good", "bad"], measures=measures)
        assert by_name["value"].to_list() == pytest.approx(numbers)
    with pytest.raises(InvalidParameter, match="holds the ids"):
        subject.panels("good")
    with pytest.raises(NotDefined, match="no gold"):
        subject.panels(["ann", "bob", "cleo", "dan", "good", "bad"])
