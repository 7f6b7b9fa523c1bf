"""Arguments that are nothing a function takes, and classes of whatever names: an error of ours, or the same again."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given, settings

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import InvalidParameter, IrevalError

QRELS, RUN = ir.examples.ranking()
RUNS = pl.concat([RUN.with_columns(run_id=pl.lit(name)) for name in "ab"])
LABELS = pl.DataFrame({"id": range(4), "label": [0, 1, 0, 1], "prediction": [0, 1, 1, 1]})
POINTS = pl.DataFrame({"id": range(4), "cluster": [1, 1, 2, 2], "x": [1.0, 2.0, 3.0, 5.0]})
RATINGS = pl.DataFrame({"item_id": [1, 1, 2, 2], "rater_id": ["a", "b"] * 2, "rating": [1, 1, 2, 1]})
LISTS = pl.DataFrame({"ranking": ["A", "A", "B", "B"], "item": ["x", "y"] * 2, "score": [1.0, 2.0, 4.0, 3.0]})
CLICKS = pl.DataFrame({"serp_id": ["s"] * 2, "doc_id": ["x", "y"], "position": [1, 2], "click": [1, 0]})
EVALUATED = ir.evaluate(QRELS, RUNS, "AP P@5")
NASTY: tuple[Any, ...] = ([], {}, 5, b"x", object(), ["a", 5], {5: 5}, {None: 1}, [[]], float("nan"), -1, "")

CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any], Callable[[Any], Any]]] = {
    "evaluate": (ir.evaluate, {"qrels": QRELS, "run": RUN, "measures": "AP"}, lambda e: e.summary()),
    "compare": (ir.compare, {"values": EVALUATED}, str),
    "Labels": (ir.Labels, {"labels": LABELS}, lambda s: s.evaluate("Accuracy").summary()),
    "Points": (ir.Points, {"points": POINTS, "features": "x"}, lambda s: s.evaluate("SSE").summary()),
    "Ratings": (ir.Ratings, {"ratings": RATINGS}, lambda s: s.evaluate("Agreement").summary()),
    "Similarity": (ir.Similarity, {"runs": LISTS}, lambda s: s.evaluate("RBO").summary()),
    "Impressions": (ir.Impressions, {"impressions": CLICKS}, lambda s: s.evaluate("CTR").summary()),
    "bootstrap": (ir.resampling.bootstrap, {"subject": EVALUATED, "n_resamples": 20}, str),
    "summary": (EVALUATED.summary, {}, str),
    "sql": (EVALUATED.per_unit.sql, {}, str),
    "to_native": (EVALUATED.per_unit.to_native, {}, lambda _: ""),
    "measures": (ir.measures, {}, str),
    "policies": (ir.policies, {}, str),
}


VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@pytest.mark.parametrize("name", CALLS)
def test_errors_are_ours(name: str) -> None:
    function, usual, used = CALLS[name]
    parameters = [p.name for p in inspect.signature(function).parameters.values() if p.kind not in VARIADIC]
    wrong = []
    for parameter in parameters:
        for value in NASTY:
            try:
                used(function(**{**usual, parameter: value}))
            except IrevalError as error:
                if not str(error):
                    wrong.append((parameter, value, "says nothing"))
            except Exception as error:  # noqa: BLE001 - whatever is raised
                wrong.append((parameter, value, repr(error)))
    assert not wrong, wrong[:5]


def test_errors_of_readers_are_ours(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("q Q0 a 1 1.0 t\n")
    for value in NASTY:
        with pytest.raises(IrevalError, match="columns"):
            ir.read_run(path, columns=[5] if value in ({}, []) else value)


@settings(max_examples=40)
@given(st.lists(st.text("ab()[]{}'\"\\@,; =é\n", min_size=1, max_size=6), min_size=1, max_size=3, unique=True))
def test_classes_of_any_name_are_read_again(names: list[str]) -> None:
    measure = ir.labels.F1(average="macro", classes=names)
    assert catalog.parse(str(measure), "labels") == measure
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert ir.Measure.from_dict(measure.to_dict()) == measure
    assert catalog.parse_all(f"Accuracy {measure}, MCC", "labels")[1] == measure


def test_nothing_is_computed_to_be_looked_at() -> None:
    """`repr` says what was asked; printing it computes, and fails where that does."""
    bad = ir.evaluate(QRELS, RUN.with_columns(score=None), "AP P@5")
    looked = repr(bad), repr(bad.summary.result())
    assert "'AP P@5', engine='polars'" in looked[0]
    assert all("print()" in text for text in looked)
    for show in (str, lambda e: e._repr_mimebundle_()):
        with pytest.raises(IrevalError):
            show(bad)
    good = ir.evaluate(QRELS, RUN, "AP")
    assert good._repr_mimebundle_()["text/plain"] == str(good) != repr(good)


@pytest.mark.parametrize(
    "text, hint",
    [
        ("GroupExposure(group=new)", "Write group='new'."),
        ("EEL(grouped=true)", "Write grouped=True."),
    ],
)
def test_words_without_quotes(text: str, hint: str) -> None:
    """A shell takes quotes away."""
    with pytest.raises(InvalidParameter, match="is no value, and text has quotes") as error:
        catalog.parse(text, "exposure")
    assert error.value.hint == hint
    argument = hint.removeprefix("Write ").removesuffix(".")
    assert catalog.parse(f"{text.partition('(')[0]}({argument})", "exposure").arguments()
