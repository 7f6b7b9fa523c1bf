"""Log loss, Brier score and calibration equal plain loops on both engines: of one class, and of several."""

from __future__ import annotations

import functools
import random
from fractions import Fraction

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import InvalidValue
from tests.contract.asked import nothing_differs
from tests.labels.asked import ENGINES, Values, by_measure, values
from tests.labels.test_probabilities import frame as frame_of_classes
from tests.labels.test_probabilities import scored
from tests.oracles import labels_calibration as oracle
from tests.oracles.labels_scores import Item

engines = pytest.mark.parametrize("engine", ENGINES)
SHAPES = ("mixed", "edges", "sure", "equal", "only_positive", "only_negative", "one_item", "no_weight", "gaps")
TRIED = {"eps": (0.01, 1e-90), "bins": (2, 10, 100), "kind": ("mass", "width"), "closed": ("right",)}


def variants(name: str) -> list:
    definition = catalog.find(name, "labels")
    made = [definition(), *(definition(**{n: v}) for n in definition.parameters for v in TRIED[n])]
    if "bins" in definition.parameters:
        made += [definition(bins=7, kind=kind, closed="right") for kind in ("width", "mass")]
    return list(dict.fromkeys(made))


ASKED = [m for name in oracle.ORACLES for m in variants(name)]
SOME = [catalog.find(name, "labels")() for name in oracle.ORACLES]


@functools.cache
def world() -> dict[str, list[tuple[int | None, float, float]]]:
    rng, out = random.Random(4), {}
    for shape in SHAPES:
        rows = []
        for _ in range(1 if shape == "one_item" else 40):
            label = {"only_positive": 1, "only_negative": 0}.get(shape, rng.randint(0, 1))
            # The edges of ten and of a hundred bins, as they are written.
            score = {
                "edges": rng.choice((rng.randint(0, 10) / 10, rng.randint(0, 100) / 100)),
                "sure": rng.choice((0.0, 1.0)),
                "equal": 0.3,
            }.get(shape)
            score = min(1.0, max(0.0, rng.gauss(0.3 + 0.4 * label, 0.25))) if score is None else score
            weight = 0.0 if shape == "no_weight" else rng.choice((0.1, 0.7, 1.0, 3.0))
            rows.append((None if shape == "gaps" and rng.random() < 0.3 else label, score, weight))
        out[shape] = rows
    return out


def frame() -> pl.DataFrame:
    rows = [(shape, *row) for shape, unit in world().items() for row in unit]
    return pl.DataFrame(
        rows, schema={"part": pl.String, "label": pl.Int64, "score": pl.Float64, "weight": pl.Float64}, orient="row"
    )


@functools.cache
def looped(measure, shape: str, *, weighted: bool) -> float | None:
    """What the oracle says, once for all tests."""
    items = [Item(y == 1, p, Fraction(w) if weighted else Fraction(1)) for y, p, w in world()[shape]]
    return oracle.value(measure.name, items, **dict(measure.values))


def expected(measures: list, *, weighted: bool = True) -> Values:
    return {(str(m), shape): looped(m, shape, weighted=weighted) for m in measures for shape in world()}


@functools.cache
def found(engine: str) -> dict[str, Values]:
    return by_measure(values(ir.Labels(frame(), unit="part", engine=engine).evaluate(ASKED)))


@engines
@pytest.mark.parametrize("measure", ASKED, ids=str)
def test_equals_the_oracle(measure, engine: str) -> None:
    wanted = expected([measure])
    got = found(engine)[str(measure)]
    infinite = {k for k, v in wanted.items() if v == float("inf")}
    assert all(got[k] == float("inf") for k in infinite)
    nothing_differs(
        {k: v for k, v in got.items() if k not in infinite},
        {k: v for k, v in wanted.items() if k not in infinite},
        1e-12,
    )
    low, high = measure.range
    assert all(v is None or low - 1e-12 <= v <= high + 1e-12 for v in got.values())


@engines
def test_alone_without_weights_in_another_order(engine: str) -> None:
    rows = frame().filter(pl.col("part") == "mixed").drop("part", "weight").sample(fraction=1, shuffle=True, seed=2)
    alone = ir.Labels(rows, engine=engine).evaluate(SOME).summary().select("measure", "value").rows()
    nothing_differs(
        {(m, "mixed"): v for m, v in alone},
        {k: v for k, v in expected(SOME, weighted=False).items() if k[1] == "mixed"},
        1e-12,
    )


@engines
@pytest.mark.parametrize("number", [2, 4])
def test_several_classes(number: int, engine: str) -> None:
    classes = ("a", "b", "c", "d")[:number]
    measures = [m for m in ASKED if not (m.name == "D2LogLoss" and m.values)]
    # DuckDB takes long to plan; the tables differ in size alone.
    units = {
        f"{n} items": scored(seed, n, sets=False, ties=seed == 1, classes=classes) for seed, n in enumerate((1, 30, 60))
    }
    table = pl.concat(
        frame_of_classes(items, sets=False).with_columns(part=pl.lit(part)) for part, items in units.items()
    )
    got = values(
        ir.Labels(table, probabilities=list(classes), unit="part", engine=engine).evaluate(
            measures[:: 1 if engine == "polars" else 2]
        )
    )
    for measure in measures[:: 1 if engine == "polars" else 2]:
        for part, items in units.items():
            wanted = oracle.OF_CLASSES[measure.name](items, **dict(measure.values))
            assert got[str(measure), part] == (
                None if wanted is None else pytest.approx(wanted, rel=1e-11, abs=1e-12)
            ), (measure, part)


@engines
def test_two_classes_are_one(engine: str) -> None:
    """The probability of a class, and those of the class and its opposite."""
    one = frame().filter(pl.col("part") == "mixed").with_columns(item_id=pl.int_range(pl.len()))
    two = one.with_columns(p_0=1 - pl.col("score"), p_1=pl.col("score")).drop("score")
    measures = "LogLoss Brier D2LogLoss D2Brier"
    single = ir.Labels(one, engine=engine).evaluate(measures).summary()["value"].to_list()
    both = (
        ir.Labels(two, probabilities={0: "p_0", 1: "p_1"}, engine=engine)
        .evaluate(measures)
        .summary()["value"]
        .to_list()
    )
    assert both == pytest.approx(single, rel=1e-12)


@engines
def test_refused(engine: str) -> None:
    table = frame().drop("part")

    def refused(labels: pl.DataFrame, error: type[Exception], message: str, measure: str, **options) -> None:
        with pytest.raises(error, match=message):
            ir.Labels(labels, engine=engine, **options).evaluate(measure).summary()

    for measure in ("LogLoss", "ECE(kind='mass')", "MCE"):
        refused(table.with_columns(pl.col("score") + 1), InvalidValue, "takes scores for probabilities", measure)
    classes = pl.DataFrame({"item_id": [1, 2], "label": ["a", "b"], "a": [0.5, 1.5], "b": [0.5, -0.5]})
    refused(classes, InvalidValue, "2 lie outside of 0 to 1", "Brier", probabilities=["a", "b"])


def test_sql_text() -> None:
    evaluation = ir.Labels(frame(), unit="part").evaluate(SOME)
    with duckdb.connect() as con:
        con.from_arrow(frame().to_arrow()).create("labels")
        rows = con.sql(evaluation.sql(wide=True)).pl()
    wanted = {k: v for k, v in values(evaluation).items() if v != float("inf")}
    nothing_differs(
        {
            k: v
            for r in rows.iter_rows(named=True)
            for m in SOME
            if (k := (str(m), r["part"])) in wanted
            for v in [r[str(m)]]
        },
        wanted,
        1e-12,
    )
