"""Folds: the same on both engines and in every order, of the sizes they promise, groups whole, classes even."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import DuplicateRows, InvalidParameter, InvalidValue, MissingColumn, WrongType

N = 1000
FRAME = pl.DataFrame(
    {
        "item_id": [f"x{i}" for i in range(N)],
        "y": ["abc"[i % 3 if i % 5 else 0] for i in range(N)],
        "g": [f"g{i // 7}" for i in range(N)],
        "day": [i // 10 for i in range(N)],
    }
)
WAYS: dict[str, dict[str, Any]] = {
    "hash": {},
    "exact": {"exact": True},
    "stratified": {"stratify": "y"},
    "grouped": {"group": "g"},
    "grouped exact": {"group": "g", "exact": True},
    "stratified grouped": {"group": "g", "stratify": "y"},
    "repeated": {"repeats": 3, "exact": True, "seed": 9},
}
ways = pytest.mark.parametrize("way", WAYS)


def portable(seed: int, value: Any) -> int:
    return int.from_bytes(hashlib.md5(f"{seed}:{value}".encode()).digest()[8:], "little") >> 1


def relation(frame: pl.DataFrame) -> Any:
    return duckdb.connect().from_arrow(frame.to_arrow())


def test_the_hash_is_md5() -> None:
    assert ir.splits.kfold(FRAME, 7, seed=3)["fold"].to_list() == [portable(3, i) % 7 for i in FRAME["item_id"]]


def test_integers_hash_as_their_text() -> None:
    numbers = pl.DataFrame({"item_id": range(50)})
    texts = numbers.with_columns(pl.col("item_id").cast(pl.String))
    assert ir.splits.kfold(numbers)["fold"].equals(ir.splits.kfold(texts)["fold"])
    assert ir.splits.kfold(relation(numbers)).pl().sort("item_id")["fold"].equals(ir.splits.kfold(numbers)["fold"])


@ways
def test_engines_and_orders_agree(way: str) -> None:
    by = ["repeat", "item_id"] if way == "repeated" else ["item_id"]
    actual = ir.splits.kfold(FRAME, 5, **WAYS[way]).sort(by)
    inside = ir.splits.kfold(relation(FRAME), 5, **WAYS[way]).pl().sort(by)
    assert actual.equals(inside.select(actual.columns))
    shuffled = ir.splits.kfold(FRAME.sample(fraction=1, shuffle=True, seed=1), 5, **WAYS[way])
    assert actual.equals(shuffled.sort(by))
    lazy = ir.splits.kfold(FRAME.lazy(), 5, **WAYS[way])
    assert isinstance(lazy, pl.LazyFrame)
    assert actual.equals(lazy.collect().sort(by))


def test_a_fold_column_of_another_name_is_named() -> None:
    frame = ir.examples.labels().with_columns(part=pl.col("item_id") % 2)
    with pytest.raises(MissingColumn, match='Name the column of folds: column="their_name"'):
        ir.splits.scores(ir.Labels(frame), "Accuracy")
    assert ir.splits.scores(ir.Labels(frame), "Accuracy", column="part")["n_folds"].item() == 2


@pytest.mark.parametrize("way", ["hash", "grouped"])
def test_later_rows_move_nothing(way: str) -> None:
    some = FRAME.head(600)
    before = ir.splits.kfold(some, 5, **WAYS[way])
    after = ir.splits.kfold(FRAME, 5, **WAYS[way])
    assert before.equals(after.head(600))


def test_sizes() -> None:
    odd = FRAME.head(998)
    assert sorted(Counter(ir.splits.kfold(odd, 5, exact=True)["fold"]).values()) == [199, 199, 200, 200, 200]
    assert max(abs(n - 200) for n in Counter(ir.splits.kfold(FRAME, 5)["fold"]).values()) < 60
    sizes = Counter(ir.splits.kfold(FRAME, 5, group="g", exact=True)["fold"]).values()
    assert max(sizes) - min(sizes) <= 7


def test_classes_are_even() -> None:
    stratified = ir.splits.kfold(FRAME, 5, stratify="y")
    for _, part in stratified.group_by("y"):
        counts = Counter(part["fold"]).values()
        assert max(counts) - min(counts) <= 1
    assert set(Counter(stratified["fold"]).values()) == {200}
    grouped = ir.splits.kfold(FRAME, 5, group="g", stratify="y")
    shares = grouped.group_by("fold", "y").len().group_by("y").agg(pl.col("len").max() - pl.col("len").min())
    assert shares["len"].max() <= 12


def test_classes_of_any_name() -> None:
    odd = FRAME.with_columns(pl.col("y").replace({"a": "spread", "b": "ireval_group", "c": ""}))
    assert ir.splits.kfold(odd, 5, group="g", stratify="y")["fold"].n_unique() == 5


@pytest.mark.parametrize("way", ["grouped", "grouped exact", "stratified grouped"])
def test_groups_stay_together(way: str) -> None:
    folds = ir.splits.kfold(FRAME, 5, **WAYS[way])
    assert folds.group_by("g").agg(pl.col("fold").n_unique())["fold"].max() == 1
    assert folds["fold"].n_unique() == 5


@pytest.mark.parametrize(
    "column, options", [("item_id", {}), ("g", {"group": "g"}), ("g", {"group": "g", "exact": True})]
)
def test_no_row_is_lost_for_a_null(column: str, options: dict[str, Any]) -> None:
    """Rows without an id or a group are one group."""
    gaps = FRAME.with_columns(pl.when(pl.int_range(pl.len()) % 9 > 0).then(column))
    for result in (ir.splits.kfold(gaps, 5, **options), ir.splits.kfold(relation(gaps), 5, **options).pl()):
        assert result["fold"].null_count() == 0
        assert result.filter(pl.col(column).is_null())["fold"].n_unique() == 1
    if not options:
        marks = [f(gaps) for f in (ir.splits.holdout, lambda g: ir.splits.holdout(relation(g)).pl())]
        assert len({m.filter(pl.col(column).is_null())["split"].unique().item() for m in marks}) == 1


def test_nothing_to_split() -> None:
    for options in (
        {},
        {"exact": True},
        {"group": "g", "exact": True},
        {"stratify": "y"},
        {"group": "g", "stratify": "y"},
    ):
        assert ir.splits.kfold(FRAME.clear(), 3, **options).columns == [*FRAME.columns, "fold"]


def test_repeats_differ() -> None:
    actual = ir.splits.kfold(FRAME, 5, exact=True, repeats=3)
    assert actual.height == 3 * N
    first, second = (actual.filter(pl.col("repeat") == i).sort("item_id")["fold"] for i in (0, 1))
    assert 0.1 < (first == second).mean() < 0.3
    assert first.equals(ir.splits.kfold(FRAME, 5, exact=True).sort("item_id")["fold"])


def test_leave_one_out() -> None:
    assert sorted(ir.splits.leave_one_out(FRAME)["fold"]) == list(range(N))
    inside = ir.splits.leave_one_out(relation(FRAME)).pl().sort("item_id")
    assert inside.equals(ir.splits.leave_one_out(FRAME).sort("item_id"))


def test_leave_one_group_out() -> None:
    actual = ir.splits.leave_one_group_out(FRAME, "g")
    assert actual.select("g", "fold").unique().height == FRAME["g"].n_unique() == actual["fold"].max() + 1


def test_leave_p_out() -> None:
    actual = ir.splits.leave_p_out(FRAME.head(6), 3)
    sets = [tuple(part["item_id"]) for _, part in actual.group_by("fold", maintain_order=True)]
    assert sets == list(itertools.combinations([f"x{i}" for i in range(6)], 3))


def test_by_query() -> None:
    run = pl.DataFrame({"query_id": [f"q{i // 4}" for i in range(200)], "doc_id": [str(i) for i in range(200)]})
    for exact in (False, True):
        actual = ir.splits.by_query(run, 5, exact=exact)
        assert actual.group_by("query_id").agg(pl.col("fold").n_unique())["fold"].max() == 1


def test_time() -> None:
    actual = ir.splits.by_time(FRAME, "day", 4)
    assert dict(Counter(actual["fold"])) == dict.fromkeys(range(-1, 4), 200)
    for fold in range(4):
        train, test = ir.splits.rows_to_train(actual, fold, time="day"), ir.splits.rows_to_test(actual, fold)
        assert train["day"].max() < test["day"].min()
        gapped = ir.splits.rows_to_train(actual, fold, time="day", gap=25)
        assert gapped["day"].max() == train["day"].max() - 3
    one_day = FRAME.with_columns(day=pl.lit(1))
    assert ir.splits.by_time(one_day, "day", 4)["fold"].unique().to_list() == [-1]


def test_time_on_duckdb() -> None:
    actual = ir.splits.by_time(FRAME, "day", 4).sort("item_id")
    assert actual.equals(ir.splits.by_time(relation(FRAME), "day", 4).pl().sort("item_id").select(actual.columns))


def test_a_gap_may_leave_nothing_to_train_on() -> None:
    frame = ir.splits.by_time(pl.DataFrame({"day": range(6)}), "day", 2)
    rows = [ir.splits.rows_to_train(frame, 1, time="day", gap=gap)["day"].to_list() for gap in (1, 4, 9)]
    assert rows == [[0, 1, 2], [], []]


def test_rows_to_train_without_time() -> None:
    folds = ir.splits.kfold(FRAME, 5)
    assert ir.splits.rows_to_train(folds, 2).height + ir.splits.rows_to_test(folds, 2).height == N
    assert 2 not in ir.splits.rows_to_train(folds, 2)["fold"]


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: ir.splits.kfold(FRAME, 1), InvalidParameter),
        (lambda: ir.splits.kfold(FRAME, k=True), InvalidParameter),
        (lambda: ir.splits.kfold(FRAME, item="nothing"), MissingColumn),
        (lambda: ir.splits.kfold(pl.concat([FRAME, FRAME]), exact=True), DuplicateRows),
        (lambda: ir.splits.kfold(pl.DataFrame({"item_id": [1, None]}), 2, exact=True), InvalidValue),
        (lambda: ir.splits.kfold(FRAME.with_columns(fold=1)), InvalidParameter),
        (lambda: ir.splits.kfold(FRAME.head(20), 5, group="g", exact=True), InvalidParameter),
        (lambda: ir.splits.leave_p_out(FRAME, 5), InvalidParameter),
        (lambda: ir.splits.holdout(FRAME, 1.5), InvalidParameter),
        (lambda: ir.splits.holdout(FRAME, 0.6, valid=0.4), InvalidParameter),
        (lambda: ir.splits.holdout(FRAME, group="g", exact=True), InvalidParameter),
        (lambda: ir.splits.rows_to_train(ir.splits.kfold(FRAME), 0, gap=3), InvalidParameter),
        (lambda: ir.splits.kfold(FRAME, 2, seed="x"), InvalidParameter),
        (lambda: ir.splits.kfold(FRAME, 10**20), InvalidParameter),
        (lambda: ir.splits.kfold(FRAME, 2, group=["g", "y"]), InvalidParameter),
        (lambda: ir.splits.kfold(FRAME.with_columns(item_id=pl.concat_list("g"))), WrongType),
        (lambda: ir.splits.kfold(relation(FRAME.with_columns(Fold=1))), InvalidParameter),
        (lambda: ir.splits.kfold(FRAME.with_columns(repeat=1), repeats=2), InvalidParameter),
        (lambda: ir.splits.kfold(FRAME.with_columns(g=1), 2, group="g", stratify="y"), InvalidParameter),
    ],
)
def test_errors(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error) as raised:
        call()
    assert len(str(raised.value).splitlines()) == 2
