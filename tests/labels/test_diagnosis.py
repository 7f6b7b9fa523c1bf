"""Why two classifiers differ: confusions and items against plain loops, on both engines."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import DuplicateRows, InvalidValue, MissingColumn, NotDefined, UnknownName
from ireval_frames.labels.diagnosis import LabelDiagnosis

CLASSES = ("cat", "cow", "dog", None)


def items(seed: int = 1, n: int = 60) -> list[dict[str, Any]]:
    """Items of two groups by three systems, which lack some of them."""
    rng, out = random.Random(seed), []
    for i in range(n):
        label = rng.choice(CLASSES[:3])
        for run, skill in (("a", 0.5), ("b", 0.7), ("other", 0.1)):
            guess = label if rng.random() < skill else rng.choice(CLASSES)
            row = {"run_id": run, "item_id": i, "day": i % 2, "label": label, "prediction": guess}
            if rng.random() < 0.9:
                out.append(row | {"weight": rng.choice([1.0, 2.5])})
    rng.shuffle(out)
    return out


ROWS = items()
FRAME = pl.DataFrame(ROWS)


def diagnosed(engine: str = "polars", **options: Any) -> LabelDiagnosis:
    frame = options.pop("frame", FRAME.drop("weight"))
    return ir.Labels(frame, engine=engine, **options).evaluate("Accuracy").diagnose("b", "a")


def of(run: str, day: int | None = None) -> dict[int, dict[str, Any]]:
    return {r["item_id"]: r for r in ROWS if r["run_id"] == run and day in (None, r["day"])}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("by", [(), ("day",)])
def test_confusions(engine: str, *, weighted: bool, by: tuple[str, ...]) -> None:
    frame = FRAME if weighted else FRAME.drop("weight")
    expected = []
    for day in (0, 1) if by else (None,):
        counts: dict[str, Counter[tuple[Any, Any]]] = {"a": Counter(), "b": Counter()}
        for run, counter in counts.items():
            for row in of(run, day).values():
                counter[row["label"], row["prediction"]] += row["weight"] if weighted else 1.0
        for label, guess in counts["a"].keys() | counts["b"].keys():
            before, after = counts["a"][label, guess], counts["b"][label, guess]
            better = None if before == after else (after > before) == (label == guess)
            expected.append(
                (*((day,) if by else ()), label, guess, before, after, after - before, label != guess, better)
            )
    expected.sort(key=lambda row: (-abs(row[-3]), *(x or "" if isinstance(x, str | None) else x for x in row[:-5])))
    table = diagnosed(engine, frame=frame, by=by).confusions
    assert table().rows() == expected
    native = table.to_native()
    assert {*(native.collect() if engine == "polars" else native.pl()).rows()} == {*expected}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("by", [(), ("day",)])
@pytest.mark.parametrize("unit", [(), ("day",)])
def test_items_that_changed(engine: str, by: tuple[str, ...], unit: tuple[str, ...]) -> None:
    if by and unit:
        return
    d = diagnosed(engine, by=by, unit=unit)
    expected, counted = [], []
    for day in (0, 1) if by else (None,):
        a, b = of("a", day), of("b", day)
        both = sorted(a.keys() & b.keys(), key=lambda i: (a[i]["day"] if unit else 0, i))
        right = {i: tuple(r["label"] == r["prediction"] for r in (a[i], b[i])) for i in both}
        for i in both:
            if right[i][0] != right[i][1]:
                change = "right to wrong" if right[i][0] else "wrong to right"
                keys = (a[i]["day"], i) if by or unit else (i,)
                expected.append((*keys, a[i]["label"], a[i]["prediction"], b[i]["prediction"], change))
        n = Counter(right.values())
        cells = (n[True, True], n[True, False], n[False, True], n[False, False])
        keys = (day,) if by else ()
        counted.append((*keys, len(both), *cells, len(a.keys() - b.keys()), len(b.keys() - a.keys())))
    assert len(expected) > 10
    assert d.changed().rows() == expected
    assert d.changes().rows() == counted


def test_topics_and_segments() -> None:
    d = diagnosed(unit="item_id", policy="undefined=0")
    right = {run: {i: float(r["label"] == r["prediction"]) for i, r in of(run).items()} for run in ("a", "b")}
    both = right["a"].keys() & right["b"].keys()
    row = d.summary().row(0, named=True)
    assert row["n"] == len(both)
    assert row["difference"] == pytest.approx(sum(right["b"][i] - right["a"][i] for i in both) / len(both))
    days = d.segments("day")
    assert sorted(days["day"]) == [0, 1]
    assert days["n"].sum() == len(both)
    assert days["n_better"].sum() == d.changes()["wrong_to_right"].item()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("by", [(), ("day",)])
def test_labels_and_predictions_in_two_tables(engine: str, by: tuple[str, ...]) -> None:
    """As one table of items that all classifiers have, and with lists of one class."""
    runs = FRAME.select("run_id").unique()
    items = FRAME.select("item_id", "day", "label", weight=1.0 + pl.col("item_id") % 3).unique()
    whole = runs.join(items, how="cross").join(
        FRAME.select("run_id", "item_id", "prediction"), on=["run_id", "item_id"], how="left"
    )
    expected = diagnosed(frame=whole.sort("item_id", "run_id"), by=by)
    predictions = whole.select("run_id", *by, "item_id", "prediction").drop_nulls().sample(fraction=1, seed=1)
    two = ir.Labels(items, predictions, by=by, engine=engine).evaluate("Accuracy").diagnose("b", "a")
    listed = whole.with_columns(pl.concat_list("label"), pl.col("prediction").map_elements(
        lambda c: [c, c], return_dtype=pl.List(pl.String)))  # fmt: skip
    for actual in (two, diagnosed(engine, frame=listed, by=by)):
        for says in ("confusions", "changed", "changes"):
            assert getattr(actual, says)().rows() == getattr(expected, says)().rows()
    assert two.changed().height > 20
    assert two.confusions()["n"].sum() == sum(1.0 + i % 3 for i in range(60))


@pytest.mark.parametrize("kind", ["number", "enum", "boolean"])
def test_classes_of_other_kinds(kind: str) -> None:
    as_ = {
        "number": lambda c: c.replace_strict({"cat": 1, "cow": 2, "dog": 3}, return_dtype=pl.Int64),
        "enum": lambda c: c.cast(pl.Enum(["dog", "cow", "cat"])),
        "boolean": lambda c: c == "cat",
    }[kind]
    frame = FRAME.drop("weight").with_columns(as_(pl.col("label")), as_(pl.col("prediction")))
    plain = FRAME.drop("weight")
    if kind == "boolean":
        plain = plain.with_columns((pl.col("label", "prediction") == "cat").cast(pl.String))
    d, expected = diagnosed(frame=frame), diagnosed(frame=plain)
    assert d.changes().equals(expected.changes())
    assert d.changed()["item_id"].to_list() == expected.changed()["item_id"].to_list()
    assert d.confusions()["difference"].abs().to_list() == expected.confusions()["difference"].abs().to_list()


def test_refused() -> None:
    plain = FRAME.drop("weight")
    with pytest.raises(UnknownName, match="'a'"):
        diagnosed(frame=plain.filter(pl.col("run_id") != "a")).confusions()
    with pytest.raises(NotDefined, match="of one system") as caught:
        diagnosed(frame=plain.filter(pl.col("run_id") == "a").drop("run_id"))
    assert 'run_id=pl.lit("b")' in str(caught.value).replace("'", '"')
    with pytest.raises(MissingColumn, match="item_id"):
        diagnosed(frame=plain.drop("item_id")).changed()
    with pytest.raises(DuplicateRows, match="is in 2 rows"):
        diagnosed(frame=pl.concat([plain, plain.filter(pl.col("run_id") == "b").head(1)])).changes()
    turned = plain.with_columns(label=pl.when(pl.col("run_id") == "a").then(pl.lit("cat")).otherwise("label"))
    with pytest.raises(InvalidValue, match="different labels"):
        diagnosed(frame=turned).changed()
    sets = plain.with_columns(pl.concat_list("label", pl.lit("ox")), pl.concat_list(pl.col("prediction")))
    for says in ("confusions", "changed", "changes"):
        with pytest.raises(NotDefined, match="sets of labels"):
            getattr(diagnosed(frame=sets), says)()
    with pytest.raises(MissingColumn, match="prediction"):
        diagnosed(frame=sets.drop("prediction")).confusions()
