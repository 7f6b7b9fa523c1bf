"""The conventions: what stands for undefined values, and items without a label."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MismatchedTables, UnknownName
from tests.contract.kit import ENGINES, by_measure, nothing_differs
from tests.labels.asked import FIRST, LABELS, WORLDS, evaluated, expected
from tests.labels.worlds import World

engines = pytest.mark.parametrize("engine", ENGINES)


@pytest.mark.parametrize("where, undefined", [("text", "1"), ("two", "1"), ("sets", "0")])
def test_undefined_values(where: str, undefined: str) -> None:
    measures = LABELS.asked(where)
    wanted = {m: expected(WORLDS[where], m, float(undefined)) for m in measures}
    for engine in ENGINES:
        found = LABELS.evaluated(where, measures, engine, policy=f"undefined={undefined}")
        for measure in measures:
            nothing_differs(found[str(measure)], wanted[measure], 1e-12)


@engines
def test_items_without_a_label_left_out(engine: str) -> None:
    """Left out is as if they were not there; units with no other item are not there either."""
    made = WORLDS["text"]
    units = {u: [r for r in rows if r[0] is not None] for u, rows in made.units["run0"].items()}
    rest = World({"run0": {u: rows for u, rows in units.items() if rows}}, made.positive)
    found = by_measure(evaluated(made, FIRST, engine, policy="unlabelled=skip"))
    for measure in FIRST:
        nothing_differs(found[str(measure)], expected(rest, measure), 1e-12)


@engines
def test_items_without_a_label_refused(engine: str) -> None:
    frame = pl.DataFrame({"label": ["a", None, None], "prediction": ["a", "b", "c"]})
    with pytest.raises(MismatchedTables, match=r"2 items have no label(.|\n)*unlabelled=skip"):
        ir.Labels(frame, engine=engine).evaluate("Accuracy", policy="scikit-learn").summary()
    assert (
        ir.Labels(frame, engine=engine, policy="scikit-learn,unlabelled=skip")
        .evaluate("Accuracy")
        .summary()["value"]
        .item()
        == 1.0
    )


def test_presets_and_fields() -> None:
    with pytest.raises(UnknownName, match="scikit-learn"):
        ir.LabelPolicy.named("scikit")
    with pytest.raises(InvalidParameter, match="undefined is 'zero'"):
        ir.LabelPolicy.of("undefined=zero")
    with pytest.raises(InvalidParameter, match="LabelPolicy"):
        ir.Labels(ir.examples.labels(), policy=ir.Policy())


@pytest.mark.parametrize("typed, text", [(0, "0"), (0.0, "0"), (1, "1"), (None, "null"), (None, "None")])
def test_undefined_as_a_number(typed: float | None, text: str) -> None:
    assert ir.LabelPolicy(undefined=typed) == ir.LabelPolicy.of(f"undefined={text}")
    # The type says that there may be owls.
    birds = ir.examples.labels().cast({pl.String: pl.Enum(["cat", "cow", "dog", "owl"])})
    found = ir.Labels(birds, positive="owl", policy={"undefined": typed}).evaluate("Recall(average='binary')")
    assert found.summary()["value"].item() == typed
    for bad in (2, 0.5, True, float("nan"), "nan", "0", "null"):
        with pytest.raises(InvalidParameter, match="undefined is"):
            ir.LabelPolicy(undefined=bad)
