"""Raters against plain loops; what changes without them; judgments of ratings."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, NotDefined, NothingInCommon, WrongType
from tests.contract.kit.suite import ENGINES

on_engines = pytest.mark.parametrize("engine", ENGINES)


def crowd() -> pl.DataFrame:
    """Five who look, one who gives one label, one who draws."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, 60)
    rows = []
    for u, t in enumerate(truth):
        for r in range(7):
            if rng.random() < 0.8:
                near = t if rng.random() < 0.85 else rng.integers(0, 3)
                label = 1 if r == 5 else rng.integers(0, 3) if r == 6 else near
                rows.append((f"u{u:02d}", f"r{r}", int(label), int(t), float(rng.integers(1, 9) + 20 * (r < 5))))
    schema = ["item_id", "rater_id", "rating", "truth", "seconds"]
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(at=pl.int_range(pl.len()))


CROWD = crowd()
GOLD = CROWD.select("item_id", label="truth").unique().sort("item_id").head(40)


def tail(hits: int, n: int, p: float) -> float:
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(hits, n + 1))


@on_engines
@pytest.mark.parametrize("gold", [None, GOLD])
def test_raters(engine: str, gold: Any) -> None:
    actual = ir.Ratings(CROWD, engine=engine).raters(gold=gold, order="at", time="seconds", correction="bonferroni")
    assert actual["rater_id"].to_list() == sorted(CROWD["rater_id"].unique())
    status = dict(actual.select("rater_id", "status").iter_rows())
    assert status == {f"r{r}": "ok" if r < 5 else "constant" if r == 5 else "at_chance" for r in range(7)}
    units: dict[str, dict[str, int]] = {}
    for u, r, x in CROWD.select("item_id", "rater_id", "rating").iter_rows():
        units.setdefault(u, {})[r] = x
    known = dict(GOLD.iter_rows())
    for row in actual.iter_rows(named=True):
        rater = row["rater_id"]
        own = [u[rater] for u in units.values() if rater in u]
        shares = {c: n / len(own) for c, n in Counter(own).items()}
        hits, chance, others = [], [], []
        for name, source in units.items():
            if rater not in source:
                continue
            rest = [x for r, x in source.items() if r != rater]
            others += [sum(x == source[rater] for x in rest) / len(rest)] if rest else []
            best = Counter(rest).most_common()
            truth = known.get(name) if gold is not None else None
            if gold is None and best and (len(best) == 1 or best[0][1] > best[1][1]):
                truth = best[0][0]
            if truth is not None:
                hits.append(source[rater] == truth)
                chance.append(shares.get(truth, 0.0))
        p = tail(sum(hits), len(hits), sum(chance) / len(chance))
        assert row["accuracy"] == pytest.approx(sum(hits) / len(hits))
        assert row["p_value"] == pytest.approx(p, rel=1e-9)
        assert row["p_corrected"] == pytest.approx(min(1.0, 7 * p), rel=1e-9)
        assert row["agreement"] == pytest.approx(sum(others) / len(others))
        assert row["entropy"] == pytest.approx(-sum(s * math.log2(s) for s in shares.values()))
        runs, longest = [1], 1
        for one, other in itertools.pairwise(own):
            runs.append(runs[-1] + 1 if one == other else 1)
        longest = max(runs)
        assert row["longest_run"] == longest
        assert row["median_time"] == np.median(CROWD.filter(rater_id=rater)["seconds"].to_numpy())


@on_engines
@pytest.mark.parametrize("options", [{}, {"chance": "even"}, {"gold": GOLD, "order": "at", "time": "seconds"}])
def test_raters_of_groups_are_those_of_each_alone(engine: str, options: dict[str, Any]) -> None:
    """Groups of other units, raters and labels, and one that has no name."""
    number = pl.col("item_id").str.slice(1).cast(pl.Int64)
    rows = CROWD.with_columns(task=pl.when(number < 20).then(pl.lit("x")).when(number < 45).then(pl.lit("y")))
    rows = rows.filter((pl.col("task").ne_missing("y")) | (pl.col("rating") + pl.col("truth") < 3))
    rows = rows.filter((pl.col("task").is_not_null()) | (pl.col("rater_id") != "r2"))
    if "gold" in options:
        options = options | {"gold": GOLD.filter(pl.col("label") < 2)}
    actual = ir.Ratings(rows, by="task", engine=engine).raters(**options)
    assert actual["task"].unique(maintain_order=True).to_list() == [None, "x", "y"]
    for task in (None, "x", "y"):
        part, here = rows.filter(pl.col("task").eq_missing(task)), actual.filter(pl.col("task").eq_missing(task))
        own = options
        if "gold" in options:
            own = options | {"gold": options["gold"].join(part, on="item_id", how="semi")}
            if not own["gold"].height:
                # Nothing of gold is in this group alone, where others have some.
                assert here["n_tested"].sum() == 0
                with pytest.raises(NothingInCommon):
                    ir.Ratings(part, engine=engine).raters(**options)
                continue
        assert_frame_equal(here.drop("task"), ir.Ratings(part, engine=engine).raters(**own))


@on_engines
def test_without_them(engine: str) -> None:
    ratings = ir.Ratings(CROWD, engine=engine)
    left = CROWD.filter(~pl.col("rater_id").is_in(["r5", "r6"]))
    without = ratings.without(["r5", "r6"])
    assert without.aggregate("majority").consensus().equals(ir.Ratings(left).aggregate("majority").consensus())
    actual, expected = (r.evaluate("FleissKappa").summary()["value"].item() for r in (without, ir.Ratings(left)))
    assert actual == pytest.approx(expected, abs=1e-13)
    changes = ratings.changes(["r5", "r6"])
    assert 0 < changes.height < 20
    assert (changes["label"] != changes["label_without"]).all()
    with pytest.raises(NotDefined, match="none can be left out"):
        ir.Ratings(CROWD.drop("rater_id")).without("r5").evaluate("FleissKappa").summary()


@on_engines
def test_judgments(engine: str) -> None:
    frame = CROWD.with_columns(
        query_id=pl.col("item_id").str.slice(1, 1), doc_id=pl.lit("d") + pl.col("item_id").str.slice(2)
    )
    ratings = ir.Ratings(frame, item="doc_id", columns={"item_id": "doc_id"}, policy="duplicates=trust", engine=engine)
    qrels = ratings.judgments(method="dawid-skene")
    assert qrels.columns == ["query_id", "doc_id", "relevance"]
    whole = ir.Ratings(CROWD).aggregate("dawid-skene").consensus()
    assert qrels["relevance"].to_list() == whole["label"].to_list()
    run = qrels.select("query_id", "doc_id", score="relevance")
    assert ir.evaluate(qrels, run, "nDCG@10").summary()["value"].item() == pytest.approx(1.0)
    words = frame.with_columns(pl.col("rating").replace_strict({0: "bad", 1: "fair", 2: "good"}))
    texts = ir.Ratings(words, item="doc_id", policy="duplicates=trust", engine=engine)
    grades = {"bad": 0, "fair": 1, "good": 2}
    assert texts.judgments(method="dawid-skene", grades=grades).equals(qrels)
    with pytest.raises(WrongType, match="text are no grades"):
        texts.judgments()
    with pytest.raises(InvalidValue, match="'good' has no grade"):
        texts.judgments(grades={"bad": 0, "fair": 1})


@on_engines
def test_what_cannot_be_reported_of_raters(engine: str) -> None:
    nobody = ir.Ratings(CROWD.clear(), engine=engine).raters(order="at", time="seconds")
    assert (nobody.height, nobody.columns[0], nobody.columns[-2:]) == (0, "rater_id", ["longest_run", "median_time"])
    unnamed = ir.Ratings(CROWD.drop("rater_id").with_columns(query_id=pl.lit("q")), engine=engine)
    with pytest.raises(NotDefined, match="needs to know who rated"):
        unnamed.raters()
    with pytest.raises(InvalidValue, match="ratings have no place in the order"):
        ir.Ratings(CROWD.with_columns(at=pl.when(pl.col("at") > 3).then("at")), engine=engine).raters(order="at")
    with pytest.raises(WrongType, match="is String; it must be a number"):
        ir.Ratings(CROWD.with_columns(seconds=pl.lit("2 s")), engine=engine).raters(time="seconds")
    with pytest.raises(InvalidParameter, match="raters is None"):
        unnamed.without(None)  # type: ignore[arg-type]
    for source in (None, CROWD):
        with pytest.raises(WrongType, match=r"they must be ir\.Ratings"):
            ir.judging.rater_effect(source, None)  # type: ignore[arg-type]
