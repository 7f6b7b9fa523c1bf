"""Splits of columns of any name and of any type: the same as under plain names, and the same on every engine."""

from __future__ import annotations

import datetime as dt
import functools
import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, WrongType

N = 60
PLAIN = pl.DataFrame(
    {
        "item_id": [f"x{i}" for i in range(N)],
        "y": ["abc"[i % 3 if i % 5 else 0] for i in range(N)],
        "g": [f"g{i // 4}" for i in range(N)],
        "day": [i // 5 for i in range(N)],
        "other": list(range(N)),
    }
)
COLUMNS = ("item_id", "y", "g", "day", "other")
# Each way names the columns it reads by `c`, which gives the name under which a column stands.
WAYS: dict[str, Callable[[Any, dict[str, str]], Any]] = {
    "kfold": lambda f, c: ir.splits.kfold(f, 4, item=c["item_id"]),
    "exact": lambda f, c: ir.splits.kfold(f, 4, item=c["item_id"], exact=True),
    "stratified": lambda f, c: ir.splits.kfold(f, 4, item=c["item_id"], stratify=c["y"]),
    "groups": lambda f, c: ir.splits.kfold(f, 4, group=c["g"]),
    "exact groups": lambda f, c: ir.splits.kfold(f, 4, group=c["g"], exact=True),
    "stratified groups": lambda f, c: ir.splits.kfold(f, 4, item=c["item_id"], group=c["g"], stratify=c["y"]),
    "repeated": lambda f, c: ir.splits.kfold(f, 4, item=c["item_id"], exact=True, repeats=2),
    "leave one out": lambda f, c: ir.splits.leave_one_out(f, item=c["item_id"]),
    "leave a group out": lambda f, c: ir.splits.leave_one_group_out(f, c["g"]),
    "time": lambda f, c: ir.splits.by_time(f, c["day"], 3),
    "last rows": lambda f, c: ir.splits.leave_last_out(f, c["other"], user=c["g"], item=c["y"], leave_out="seen"),
    "windows": lambda f, c: ir.splits.sliding_windows(
        f, c["day"], 2, 2, window="ireval_window", user=c["g"], item=c["y"], leave_out="cold_items"
    ),
    "holdout": lambda f, c: ir.splits.holdout(f, 0.25, item=c["item_id"]),
    "exact holdout": lambda f, c: ir.splits.holdout(f, 0.25, valid=0.2, item=c["item_id"], exact=True),
    "stratified holdout": lambda f, c: ir.splits.holdout(f, 0.25, valid=0.2, item=c["item_id"], stratify=c["y"]),
    "holdout of groups": lambda f, c: ir.splits.holdout(f, 0.25, group=c["g"]),
}
NAMES = [
    *("n", "N", "i", "h", "k", "r", "count", "len", "spread", "rank", "key", "class", "select", "index", "literal"),
    *("ireval_hash", "ireval_row", "ireval_place", "ireval_n", "ireval_group", "IREVAL_ROW", "_row", "item", "fold_2"),
    *("k0", "k_0", "c0", "by_0", "column_0", "*", "^.*$", "^n$", 'q"q', "q'q", "a.b", "a, b", "line\nend", "tab\tin"),
    *(" ", "é", "__duckdb_s0", ' AS "unnamed_relation_1"', "rowid", "--", "/*", ";", "\\", "{}", "%s", "1", "-1"),
]
ways = pytest.mark.parametrize("way", WAYS)


def rows(case: Any, c: dict[str, str]) -> pl.DataFrame:
    """The rows under plain names, in one order."""
    frame = case if isinstance(case, pl.DataFrame) else case.pl()
    back = frame.rename({reference: ours for ours, reference in c.items()}, strict=False)
    return back.sort(*(n for n in back.columns if n not in COLUMNS), "item_id")


@functools.cache
def database() -> duckdb.DuckDBPyConnection:
    """One that stays empty; to make one takes longer than a split."""
    return duckdb.connect()


def relation(frame: pl.DataFrame) -> Any:
    return database().cursor().from_arrow(frame.to_arrow())


@ways
def test_names_of_columns_change_nothing(way: str) -> None:
    """Five columns at a time have hostile names, each name in a role that the way decides."""
    plain = {c: c for c in COLUMNS}
    expected = rows(WAYS[way](PLAIN, plain), plain)
    shuffled = random.Random(way).sample(NAMES, len(NAMES))
    wrong = []
    while len(shuffled) >= len(COLUMNS):
        names = [shuffled.pop() for _ in COLUMNS]
        if len({n.lower() for n in names}) < len(names):
            continue
        c = dict(zip(COLUMNS, names, strict=True))
        frame = PLAIN.rename(c)
        for kind, source in (("polars", frame), ("duckdb", relation(frame))):
            try:
                same = rows(WAYS[way](source, c), c).equals(expected)
            except Exception as error:  # noqa: BLE001 - collected, so that all are seen
                wrong.append((kind, c, repr(error)[:200]))
            else:
                if not same:
                    wrong.append((kind, c, "other rows"))
    assert not wrong, f"{len(wrong)}, such as {wrong[:3]}"


@pytest.mark.parametrize("new", ["n", "ireval_hash", "ireval_row", "*", "^a$", 'q"q', "a.b", "line\nend", "c0", "k0"])
def test_names_of_the_new_column(new: str) -> None:
    for source in (PLAIN, relation(PLAIN)):
        for result in (
            ir.splits.kfold(source, 4, into=new),
            ir.splits.kfold(source, 4, group="g", exact=True, into=new),
            ir.splits.leave_one_group_out(source, "g", into=new),
            ir.splits.by_time(source, "day", into=new),
        ):
            frame = result if isinstance(result, pl.DataFrame) else result.pl()
            assert frame.columns == [*COLUMNS, new]
    if new != "*":
        checked = ir.splits.check_split(ir.splits.kfold(PLAIN, 4, into=new), disjoint="item_id", label="y", column=new)
        assert checked.equals(ir.splits.check_split(ir.splits.kfold(PLAIN, 4), disjoint="item_id", label="y"))


@functools.cache
def checked() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows with folds, and what a check says of them."""
    result = ir.splits.kfold(PLAIN, 4)
    return result, ir.splits.check_split(result, disjoint=["g", "item_id"], label="y")


@pytest.mark.parametrize("first", range(len(NAMES)))
def test_checking_any_names(first: int) -> None:
    """Three columns at a time have such names, and every name stands for each of them in turn."""
    # Far from each other, as two that differ only by case stand together.
    c = {role: NAMES[(first + 17 * i) % len(NAMES)] for i, role in enumerate(("g", "y", "item_id"))}
    result, expected = checked()
    frame = result.rename(c)
    for source in (frame, relation(frame)):
        actual = ir.splits.check_split(source, disjoint=[c["g"], c["item_id"]], label=c["y"])
        assert actual.with_columns(pl.col("column").replace({v: k for k, v in c.items()})).equals(expected)


@pytest.mark.parametrize("name", ["n", "ireval_n", "*", "^day$", 'q"q'])
def test_times_of_any_name(name: str) -> None:
    expected = ir.splits.rows_to_train(ir.splits.by_time(PLAIN, "day", 3), 2, time="day", gap=3)
    frame = ir.splits.by_time(PLAIN.rename({"day": name}), name, 3)
    for source in (frame, relation(frame)):
        actual = ir.splits.rows_to_train(source, 2, time=name, gap=3)
        assert rows(actual, {"day": name}).equals(expected.sort("fold", "item_id"))
        assert rows(ir.splits.rows_to_test(source, 2), {}).height == 15


def test_ids_named_fold_cannot_stand_beside_the_folds() -> None:
    with pytest.raises(InvalidParameter, match="'fold'"):
        ir.splits.leave_p_out(pl.DataFrame({"fold": [1, 2, 3]}), 2, item="fold")
    assert ir.splits.leave_p_out(pl.DataFrame({"n": [1, 2, 3]}), 2, item="n").columns == ["fold", "n"]


NOON, OLD = dt.datetime.fromisoformat("2024-01-01T12:00"), dt.datetime.fromisoformat("1960-01-01")
VALUES: dict[str, pl.Series] = {
    "enum": pl.Series(["zebra", "ant", "Bee", "cat"], dtype=pl.Enum(["zebra", "cat", "ant", "Bee"])),
    "categorical": pl.Series(["zebra", "ant", "Bee", "cat"], dtype=pl.Categorical),
    "text": pl.Series(["zebra", "ant", "Bee", "é"]),
    "boolean": pl.Series([True, False]),
    "small": pl.Series([3, 1, 200], dtype=pl.UInt8),
    "unsigned": pl.Series([2**64 - 1, 2**63, 5, 2**63 - 1], dtype=pl.UInt64),
    "float": pl.Series([0.0, -0.0, 1.5, float("inf"), 1e300, 1e-7]),
    "single": pl.Series([0.1, -2.5, 3.0], dtype=pl.Float32),
    "nan": pl.Series([float("nan"), 1.0, -float("nan"), 2.0]),
    "decimal": pl.Series([Decimal("1.50"), Decimal("-2.25"), Decimal("10.00")]),
    "date": pl.Series([dt.date(2024, 2, 29), dt.date(1960, 1, 1), dt.date(2024, 1, 1)]),
    "datetime": pl.Series([NOON + dt.timedelta(microseconds=5), OLD]),
    "milliseconds": pl.Series([NOON, OLD], dtype=pl.Datetime("ms")),
    "zoned": pl.Series([NOON, OLD], dtype=pl.Datetime("us", "Asia/Tokyo")),
    "time": pl.Series([dt.time(12, 30), dt.time(0, 0, 1)]),
}
KEYED: dict[str, Callable[[Any], Any]] = {
    "stratified": lambda f: ir.splits.kfold(f, 3, stratify="v"),
    "groups": lambda f: ir.splits.kfold(f, 2, group="v"),
    "exact groups": lambda f: ir.splits.kfold(f, 2, group="v", exact=True),
    "classes of groups": lambda f: ir.splits.kfold(f, 2, group="g", stratify="v"),
    "groups of classes": lambda f: ir.splits.kfold(f, 2, group="v", stratify="y"),
    "leave a group out": lambda f: ir.splits.leave_one_group_out(f, "v"),
    "time": lambda f: ir.splits.by_time(f, "v", 2),
    "holdout": lambda f: ir.splits.holdout(f, 0.3, stratify="v"),
    "holdout of groups": lambda f: ir.splits.holdout(f, 0.5, group="v"),
}


def kinds(frame: pl.DataFrame) -> dict[str, Any]:
    return {"lazy": frame.lazy(), "duckdb": relation(frame), "arrow": frame.to_arrow()}


def marks(case: Any) -> list[tuple[Any, ...]]:
    """The ids and marks, in the order of the ids."""
    frame = case.collect() if isinstance(case, pl.LazyFrame) else case.pl() if hasattr(case, "pl") else case
    frame = frame if isinstance(frame, pl.DataFrame) else pl.DataFrame(pl.from_arrow(frame))
    return frame.select("item_id", "fold" if "fold" in frame.columns else "split").sort("item_id").rows()


@pytest.mark.filterwarnings("ignore:Column 'v' holds text")
@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("way", KEYED)
def test_values_of_any_type(kind: str, way: str) -> None:
    values = VALUES[kind]
    frame = PLAIN.with_columns(v=values.gather([(i * i) % len(values) for i in range(N)]))
    frame = frame.with_columns(v=pl.when(pl.col("other") % 7 > 0).then("v"))
    split = KEYED[way]
    expected = split(frame)
    assert expected.schema["v"] == values.dtype
    assert expected["v"].equals(frame["v"])
    for engine, source in kinds(frame).items():
        # Tables of Arrow are read as frames of Polars are.
        if engine != "arrow" or way == "stratified":
            assert marks(split(source)) == marks(expected), engine
    if way in ("groups", "exact groups", "groups of classes", "holdout of groups"):
        # Zero has one sign, and there is one NaN.
        seen = expected.select(pl.col("v").cast(pl.String).str.replace("^-(0.0|NaN)$", "$1"), mark=expected.columns[-1])
        assert seen.group_by("v").agg(pl.col("mark").n_unique())["mark"].max() == 1


REFUSED: dict[str, pl.Series] = {
    "duration": pl.Series([dt.timedelta(days=3), dt.timedelta(seconds=1)]),
    "binary": pl.Series([b"\x00\xff", b"abc"]),
    "wide": pl.Series([2**100, -5], dtype=pl.Int128),
    "list": pl.Series([[1], [2]]),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_types_that_engines_see_differently_are_refused(kind: str) -> None:
    frame = pl.DataFrame({"item_id": REFUSED[kind], "v": [1, 2]})
    with pytest.raises(WrongType, match=r"(?s)Column 'item_id' is .*\n  "):
        ir.splits.kfold(frame, 2)
    with pytest.raises(WrongType, match="Column 'x' is Int128"):
        ir.splits.kfold(duckdb.connect().sql("SELECT 5::HUGEINT AS x"), 2, item="x")
    if kind != "list":
        assert ir.splits.kfold(frame, 2, item="v")["item_id"].equals(frame["item_id"])


def test_a_connection_in_another_time_zone() -> None:
    """DuckDB writes such times in the zone of the connection; their hashes must not follow it."""
    actual = []
    for zone in ("UTC", "America/New_York"):
        con = duckdb.connect()
        con.execute(f"SET TimeZone='{zone}'")
        result = con.sql(
            "SELECT '2024-01-01 12:00+00'::TIMESTAMPTZ + INTERVAL 1 HOUR * i AS moment FROM range(50) t(i)"
        )
        actual.append(ir.splits.kfold(result, 5, item="moment").order("moment").fetchnumpy()["fold"].tolist())
    assert actual[0] == actual[1]


@pytest.mark.parametrize("kind", [k for k in VALUES if k != "nan"])
@pytest.mark.parametrize("way", ["kfold", "exact", "leave one out", "exact holdout"])
def test_ids_of_any_type(kind: str, way: str) -> None:
    ids = VALUES[kind].unique(maintain_order=True)
    frame = pl.DataFrame({"item_id": ids, "row": range(len(ids))})
    ways: dict[str, Callable[[Any], Any]] = {
        "kfold": lambda f: ir.splits.kfold(f, 2),
        "exact": lambda f: ir.splits.kfold(f, 2, exact=True),
        "leave one out": ir.splits.leave_one_out,
        "exact holdout": lambda f: ir.splits.holdout(f, 0.5, exact=True),
    }
    column = "split" if "holdout" in way else "fold"
    expected = ways[way](frame)[column].to_list()
    for engine, source in kinds(frame).items():
        result = ways[way](source)
        frame_ = (
            result.collect() if isinstance(result, pl.LazyFrame) else result.pl() if hasattr(result, "pl") else result
        )
        actual = frame_ if isinstance(frame_, pl.DataFrame) else pl.DataFrame(pl.from_arrow(frame_))
        assert actual.sort("row")[column].to_list() == expected, engine


@pytest.mark.filterwarnings("ignore:Column 'v' holds text")
def test_enums_and_texts_are_split_alike() -> None:
    """Kinds of text are one: the order of an enum's categories is that of one table, not of the ids."""
    for way in KEYED.values():
        texts = PLAIN.with_columns(v=pl.col("y"))
        for dtype in (pl.Enum(["c", "a", "b"]), pl.Categorical):
            assert marks(way(texts.with_columns(pl.col("v").cast(dtype)))) == marks(way(texts))
    ids = pl.Series("item_id", ["b", "c", "a"])
    for dtype in (pl.String, pl.Enum(["c", "b", "a"]), pl.Categorical):
        assert ir.splits.leave_one_out(pl.DataFrame({"item_id": ids.cast(dtype)}))["fold"].to_list() == [1, 2, 0]
    pandas = pytest.importorskip("pandas")
    source = pandas.DataFrame({"item_id": pandas.Categorical(["b", "c", "a"], categories=["c", "b", "a"])})
    assert list(ir.splits.leave_one_out(source)["fold"]) == [1, 2, 0]


@pytest.mark.parametrize("name", [None, "row"])
def test_an_index_of_pandas_is_a_column_if_it_has_a_name(name: str | None) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"item_id": range(6), "y": list("ababab")})
    some = frame.loc[[1, 3, 4]].rename_axis(name)
    assert ir.splits.kfold(some, 2).columns == ["item_id", "y", *filter(None, [name]), "fold"]
    # A range, too, which Arrow keeps apart.
    assert ir.splits.kfold(frame.rename_axis(name), 2).columns == ["item_id", "y", *filter(None, [name]), "fold"]


def test_ids_may_be_the_index_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"y": list("ababab")}).rename_axis("item_id")
    assert ir.splits.kfold(frame, 2)["item_id"].to_list() == list(range(6))
    wide = pandas.DataFrame({"ann": [1, 2, 1], "bob": [1, 2, 2]}).rename_axis("item_id")
    assert ir.Ratings(wide, raters=["ann", "bob"]).aggregate().consensus()["item_id"].to_list() == [0, 1, 2]


@pytest.mark.parametrize("seed", range(20))
def test_shares_of_classes(seed: int) -> None:
    """Per class: of test to within one row, of validation and training to within two."""
    dice = random.Random(seed)
    test, valid = dice.choice([0.1, 0.2, 0.25, 1 / 3]), dice.choice([0.0, 0.1, 0.25, 0.4])
    classes = [dice.choice("aaabbcdefgh") for _ in range(dice.randint(5, 400))]
    frame = pl.DataFrame({"item_id": range(len(classes)), "y": classes})
    actual = ir.splits.holdout(frame, test, valid=valid, stratify="y", seed=seed)
    for part in (actual, *(p for _, p in actual.group_by("y"))):
        count = {s: (part["split"] == s).sum() for s in ("test", "valid", "train")}
        assert abs(count["test"] - test * part.height) <= 1 + 1e-6
        assert abs(count["valid"] - valid * part.height) <= 1 + valid / (1 - test) + 1e-6 <= 2 + 1e-6
        assert abs(count["train"] - (1 - test - valid) * part.height) < 2
