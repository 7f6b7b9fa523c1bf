"""Battles in both orders, their ties, topics, and lengths: against loops over rows."""

from __future__ import annotations

import collections
import math

import numpy as np
import polars as pl
import pytest
from scipy.special import expit, ndtr

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, MissingColumn, NotDefined, UnknownName, WrongType
from tests.oracles import arenas

NAMES = ["item_a", "item_b", "winner", "prompt_id"]


def frame(rows: list[tuple], names: list[str] = NAMES) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=names, orient="row")


BOTH = [
    ("x", "y", "x", 1), ("y", "x", "x", 1),  # consistent
    ("x", "y", "x", 2), ("y", "x", "y", 2),  # the first of both
    ("x", "y", "tie", 3), ("y", "x", "x", 3),  # a tie and a win
    ("y", "x", "y", 4),  # one order only
    ("x", "z", "tie", 5), ("z", "x", "both_bad", 5),
]  # fmt: skip


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_both_orders_become_one(engine: str) -> None:
    pairs = ir.ratings.PairedComparisons(frame(BOTH), engine=engine)
    merged = pairs.merged()
    assert merged.outcomes().select("item_id", "wins", "losses", "good_ties").rows() == [
        ("x", 1, 1, 3), ("y", 1, 1, 2), ("z", 0, 0, 1),
    ]  # fmt: skip
    left = pairs.merged(inconsistent="left-out")
    assert left.outcomes().select("item_id", "n").rows() == [("x", 3), ("y", 2), ("z", 1)]
    assert merged.bias().is_empty()
    assert merged.strengths(cluster="prompt_id", prior=1.0, n_resamples=10)["status"].to_list() == ["converged"] * 3
    with pytest.raises(NotDefined, match="no units"):
        ir.ratings.PairedComparisons(frame(BOTH).drop("prompt_id")).merged()


def test_lengths_stay_with_their_items() -> None:
    rows = frame([("y", "x", "x", 1, 10, 30), ("x", "y", "x", 1, 30, 10)], [*NAMES, "length_a", "length_b"])
    merged = ir.ratings.PairedComparisons(rows).merged()
    assert merged.bias().filter(bias="longer").select("share", "n").row(0) == (1.0, 1)


def test_kinds_of_ties() -> None:
    rows = [
        ("x", "y", w, i) for i, w in enumerate(["x", "x", "y", "tie", "tie (bothbad)", "both_bad", None, "neither"])
    ]
    pairs = ir.ratings.PairedComparisons(frame(rows))
    assert pairs.outcomes().row(0)[:7] == ("x", 8, 2, 1, 2, 3, 0.375)
    for ties, won in (("all", 4.5 / 8), ("good", 3 / 5), ("none", 2 / 3)):
        value = pairs.strengths(ties=ties).filter(item_id="x")["value"].item()
        assert value == pytest.approx(math.log(won / (1 - won)) / 2)
    with pytest.raises(UnknownName, match="ties is 'bad'"):
        pairs.strengths(ties="bad")


def test_topics_as_two_fits() -> None:
    rng = np.random.default_rng(6)
    items, rows = np.array(["a", "b", "c", "d"]), []
    theta = {"code": [1.0, 0.0, -0.5, -0.5], "prose": [0.0, 0.2, 0.0, -0.2], "maths": [0.1, 0.2, 0.0, 0.0]}
    for topic, strength in theta.items():
        for _ in range(250):
            i, j = rng.choice(3 if topic == "maths" else 4, 2, replace=False)
            won = rng.random() < expit(strength[i] - strength[j])
            rows.append((items[i], items[j], items[i] if won else items[j], 0, topic))
    table = frame(rows, [*NAMES, "topic"])
    actual = ir.ratings.PairedComparisons(table).topics("topic")
    assert actual["topic"].unique().sort().to_list() == ["code", "maths", "prose"]
    for topic, n in (("code", 4), ("maths", 3)):
        ours = actual.filter(topic=topic)
        # In maths there are three items, so that the others are compared among these.
        rest = table.filter(pl.col("topic") != topic, *(pl.col(c).is_in(items[:n]) for c in ("item_a", "item_b")))
        one = ir.ratings.PairedComparisons(table.filter(topic=topic)).strengths()
        other = ir.ratings.PairedComparisons(rest).strengths()
        both = one.join(other, on="item_id", suffix="_o").sort("item_id")
        difference = both["value"] - both["value_o"]
        se = (both["se"] ** 2 + both["se_o"] ** 2).sqrt()
        ours = ours.sort("item_id")
        assert ours["difference"].to_list() == pytest.approx(difference.to_list())
        assert ours["p_value"].to_list() == pytest.approx((2 * ndtr(-np.abs((difference / se).to_numpy()))).tolist())
    assert actual.sort("p_corrected").select("topic", "item_id").row(0) == ("code", "a")
    with pytest.raises(MissingColumn, match="topics"):
        ir.ratings.PairedComparisons(table).topics("topics")
    with pytest.raises(InvalidValue, match="have no topic"):
        ir.ratings.PairedComparisons(table.with_columns(topic=None)).topics("topic")


def lengths(n: int, seed: int, *, effect: float) -> pl.DataFrame:
    """Battles against a baseline, where each prompt has a difficulty; the true rate at equal lengths is about 0.6."""
    rng = np.random.default_rng(seed)
    gap = rng.normal(80, 100, n)
    hard = rng.normal(size=n)
    d = 0.4 + effect * np.tanh(gap / gap.std(ddof=1)) + 0.5 * hard
    won = rng.random(n) < expit(d)
    swapped = rng.random(n) < 0.5
    base, own = np.full(n, 500.0), 500 + gap
    return pl.DataFrame(
        {"item_a": np.where(swapped, "m", "base"), "item_b": np.where(swapped, "base", "m"),
         "winner": np.where(won, "m", "base"), "unit_id": np.arange(n), "hard": hard,
         "length_a": np.where(swapped, own, base), "length_b": np.where(swapped, base, own)}
    )  # fmt: skip


def test_length_controlled_win_rates_as_by_loops() -> None:
    table = lengths(200, 3, effect=1.0)
    row = ir.ratings.PairedComparisons(table).length_controlled("base", difficulty="hard").row(0, named=True)
    own = [b if a == "base" else a for a, b in table.select("length_a", "length_b").rows()]
    first = table["item_a"] == "m"
    gaps = [(x - y) * (1 if f else -1) for x, y, f in zip(table["length_a"], table["length_b"], first, strict=True)]
    spread = np.std(gaps, ddof=1)
    rows: list[arenas.Battle] = [
        (0, 1, float(w == "m"), [math.tanh(g / spread), h], i)
        for i, (w, g, h) in enumerate(zip(table["winner"], gaps, table["hard"], strict=True))
    ]
    found = arenas.logistic(rows, 2, 2)
    expected = sum(expit(found[0] - found[1] + found[3] * h) for h in table["hard"]) / 200
    assert len(own) == 200
    assert row["controlled"] == pytest.approx(expected, abs=1e-8)
    assert (row["length_effect"], row["difficulty_effect"]) == pytest.approx((found[2], found[3]), abs=1e-7)
    assert row["win_rate"] == pytest.approx((table["winner"] == "m").mean())
    # The error by changing each parameter, with the sandwich of single prompts.
    information, meat = map(np.array, arenas.matrices(rows, found, 2, 2))
    inverse = np.linalg.pinv(information)
    covariance = inverse @ meat @ inverse

    def rate(x: np.ndarray) -> float:
        return float(np.mean(expit(x[0] - x[1] + x[3] * table["hard"].to_numpy())))

    at, h = np.array(found), 1e-5
    gradient = np.array([(rate(at + h * e) - rate(at - h * e)) / (2 * h) for e in np.eye(4)])
    assert row["se"] == pytest.approx(math.sqrt(gradient @ covariance @ gradient), rel=1e-6)


def test_what_has_no_length_controlled_rate() -> None:
    table = lengths(30, 4, effect=0.0)
    pairs = ir.ratings.PairedComparisons(table)
    with pytest.raises(UnknownName, match="'gpt'"):
        pairs.length_controlled("gpt")
    with pytest.raises(NotDefined, match="no lengths"):
        ir.ratings.PairedComparisons(table.drop("length_a")).length_controlled("base")
    statuses = {
        "unbounded": table.with_columns(winner=pl.lit("m")),
        "one_length": table.with_columns(length_a=1, length_b=1),
        "alone": pl.concat(
            [table, table.head(3).with_columns(item_a=pl.lit("n"), item_b=pl.lit("m"), winner=pl.lit("n"))]
        ),
    }
    for status, changed in statuses.items():
        found = ir.ratings.PairedComparisons(changed).length_controlled("base")
        assert status in found["status"].to_list()
    assert pairs.length_controlled("base", prior=2.0)["status"].item() == "converged"


def test_battles_of_values() -> None:
    rng = np.random.default_rng(1)
    rows = [(r, u, m, float(rng.integers(0, 3))) for r in "xyz" for u in range(20) for m in ("acc", "f1")]
    values = frame(rows, ["run_id", "query_id", "measure", "value"])
    table = ir.ratings.battles(values, by="measure")
    given = {(m, u, r): v for r, u, m, v in rows}
    counts: collections.Counter[str] = collections.Counter()
    for m, u, a, b, winner in table.iter_rows():
        x, y = given[m, u, a], given[m, u, b]
        assert winner == (a if x > y else b if x < y else "tie")
        counts[winner] += 1
    assert table.height == 120
    assert min(counts.values()) > 10
    lower = ir.ratings.battles(values, by="measure", lower_is_better=True, margin=1.0)
    firsts = lower.filter(pl.col("winner") == pl.col("item_a"))
    both = firsts.join(table, on=["measure", "query_id", "item_a", "item_b"])
    assert both.height
    assert both.filter(pl.col("winner_right") != pl.col("item_b")).is_empty()
    with pytest.raises(InvalidValue, match="several values"):
        ir.ratings.battles(values)
    with pytest.raises(NotDefined, match="only one system"):
        ir.ratings.battles(values.filter(pl.col("run_id") == "x"), by="measure")
    with pytest.raises(MissingColumn, match="'doc_id'"):
        ir.ratings.battles(values, unit="doc_id")


def test_values_of_systems_that_are_called_as_places() -> None:
    """The system b loses against c, and "b" is no place."""
    rows = [("b", 1, 0.1), ("c", 1, 0.2), ("b", 2, 0.3), ("c", 2, 0.2), ("a", 2, 0.9)]
    values = frame(rows, ["run_id", "query_id", "value"])
    wins = ir.ratings.PairedComparisons(ir.ratings.battles(values)).outcomes().select("item_id", "wins", "losses")
    assert sorted(wins.rows()) == [("a", 2, 0), ("b", 1, 2), ("c", 1, 2)]
    with pytest.raises(InvalidValue, match="1 value is NaN"):
        ir.ratings.battles(
            values.with_columns(value=pl.when(pl.col("run_id") == "a").then(math.nan).otherwise("value"))
        )


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_two_bad_answers_in_both_orders_stay_bad(engine: str) -> None:
    rows = [("x", "y", "bothbad", 1), ("y", "x", "bothbad", 1), ("x", "y", "tie", 2), ("y", "x", "bothbad", 2),
            ("x", "z", "bothbad", 3), ("x", "z", "x", 4), ("z", "x", "z", 4)]  # fmt: skip
    merged = ir.ratings.PairedComparisons(frame(rows), engine=engine).merged()
    counts = merged.outcomes().select("item_id", "n", "good_ties", "bad_ties").rows()
    assert sorted(counts) == [("x", 4, 2, 2), ("y", 2, 1, 1), ("z", 2, 1, 1)]
    assert merged.strengths(ties="good")["ties"].sum() == 4


def test_models_without_topics() -> None:
    with pytest.raises(InvalidParameter, match="no topics"):
        ir.ratings.PairedComparisons(frame(BOTH), order="prompt_id").topics("prompt_id", "elo")


def test_judges_that_favour_their_family() -> None:
    """By a loop over units; another family without favour, and units that one side did not see."""
    rng = np.random.default_rng(7)
    families = {"x1": "X", "x2": "X", "y": "Y", "jx": "X", "jy": "Y"}
    rows = []
    for unit in range(60):
        for a, b in (("x1", "y"), ("y", "x2")):
            for judge, bonus in (("jx", 0.35), ("jy", 0.0), ("ann", 0.0)):
                if judge == "jx" and unit % 10 == 3:
                    continue
                x_wins = rng.random() < 0.4 + bonus
                rows.append((a, b, (a if a[0] == "x" else b) if x_wins else "y", unit, judge))
    pairs = ir.ratings.PairedComparisons(frame(rows, [*NAMES, "judge"]))
    table = pairs.favours(families)
    assert table["family"].to_list() == ["X", "Y"]
    differences = []
    for unit in range(60):
        own: dict[tuple[str, str], list[float]] = {}
        others: dict[tuple[str, str], list[float]] = {}
        for a, b, w, u, judge in rows:
            if u == unit:
                (own if judge == "jx" else others).setdefault((a, b), []).append(float(w != "y"))
        if own:
            each = [np.mean(own[p]) - np.mean(others[p]) for p in own]
            differences.append(np.mean(each))
    row = table.row(0, named=True)
    assert (row["favour"], row["n_units"]) == (pytest.approx(np.mean(differences)), 54)
    assert row["se"] == pytest.approx(np.std(differences, ddof=1) / math.sqrt(54))
    assert row["p_corrected"] < 0.01 < table["p_corrected"][1]
    with pytest.raises(InvalidParameter, match="'y' has no family"):
        pairs.favours({"x1": "X", "x2": "X"})
    with pytest.raises(NotDefined, match="No family has a judge"):
        pairs.favours({k: v for k, v in families.items() if k[0] != "j"})
    with pytest.raises(NotDefined, match="no units"):
        ir.ratings.PairedComparisons(frame(rows, [*NAMES, "judge"]).drop("prompt_id")).favours(families)


def test_no_comparisons_at_all() -> None:
    empty = lengths(10, 1, effect=0.0).with_columns(topic=pl.lit("t")).clear()
    pairs = ir.ratings.PairedComparisons(empty)
    assert pairs.strengths(cluster="unit_id").height == 0
    assert pairs.strengths(method="sandwich").height == 0
    assert pairs.topics("topic").columns[:3] == ["topic", "item_id", "value"]
    assert pairs.merged().outcomes().height == 0
    grouped = ir.ratings.PairedComparisons(empty, by="topic")
    with pytest.raises(InvalidParameter, match="grouped by the column 'topic'"):
        grouped.topics("unit_id")
    for function in (ir.ratings.battles, ir.judging.corrected):
        with pytest.raises(WrongType, match="of type str"):
            function("values.csv")


def test_items_that_are_called_as_places() -> None:
    """Items may be called a and b; winners are their names, or places, but not both."""
    names = ["item_a", "item_b", "winner"]
    by_name = frame([("b", "a", "a"), ("a", "b", "a"), ("b", "c", "b"), ("c", "a", "c")], names)
    wins = ir.ratings.PairedComparisons(by_name).outcomes().select("item_id", "wins").rows()
    assert sorted(wins) == [("a", 2), ("b", 1), ("c", 1)]
    by_place = frame([("a", "c", "a"), ("a", "c", "b"), ("a", "d", "b")], names)
    wins = ir.ratings.PairedComparisons(by_place).outcomes().select("item_id", "wins").rows()
    assert sorted(wins) == [("a", 1), ("c", 1), ("d", 1)]
    with pytest.raises(InvalidValue, match=r"'a' of 'b' and 'a' may be either, and 'a' of 'c' and 'd' is a place"):
        ir.ratings.PairedComparisons(frame([("b", "a", "a"), ("c", "d", "a")], names))


def test_lines_to_write_are_in_the_users_names() -> None:
    mine = {"item_a": "left", "item_b": "right", "p": "share"}
    itself = frame([("x", "x", 0.5), ("x", "y", 0.5)], list(mine.values()))
    columns = {"a": "left", "b": "right", "score": "share"}
    with pytest.raises(InvalidValue, match="an item with itself") as error:
        ir.ratings.PairedComparisons(itself, **columns)
    line = str(error.value).split("Leave them out: ")[1]
    assert eval(line, {"pl": pl, "frame": itself}).height == 1
    above = frame([("x", "y", 1.5), ("x", "y", 0.5)], list(mine.values()))
    with pytest.raises(InvalidValue, match="not between 0 and 1") as error:
        ir.ratings.PairedComparisons(above, **columns)
    line = str(error.value).split("leave them out: ")[1]
    assert eval(line, {"pl": pl, "frame": above}).height == 1


def test_bias_of_probabilities_is_that_of_winners() -> None:
    """A probability of 0.7 is a win; the longer item, and the one shown first, won as often as with winners."""
    rng = np.random.default_rng(2)
    rows = []
    for unit in range(40):
        for a, b in (("x", "y"), ("y", "x")):
            rows.append((a, b, float(rng.choice([0.1, 0.3, 0.5, 0.7, 0.9])), unit, *map(int, rng.integers(1, 9, 2))))
    scored = frame(rows, ["item_a", "item_b", "score", "unit_id", "length_a", "length_b"])
    won = pl.when(pl.col("score") > 0.5).then("item_a").when(pl.col("score") < 0.5).then("item_b")
    of_winners = scored.with_columns(winner=won.otherwise(pl.lit("tie"))).drop("score")
    first, second = (ir.ratings.PairedComparisons(table).bias() for table in (scored, of_winners))
    assert first.equals(second)
    assert 0 not in first["n"].to_list()


def test_merged_comparisons_have_no_first_item() -> None:
    merged = ir.ratings.PairedComparisons(frame(BOTH)).merged()
    for estimate in (merged.strengths, merged.effects):
        with pytest.raises(InvalidParameter, match="no item of it was shown first"):
            estimate(first=True)
    assert merged.bias().is_empty()
