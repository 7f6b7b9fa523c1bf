"""Spans of tags, and precision, recall and F1, equal seqeval's in both of its modes, and nervaluate's spans of tags.

Its strict mode reads four of the six schemes as they are defined; for IOB1 and IOE1 `differences.py` has what it drops.
"""

from __future__ import annotations

import itertools
import random
import warnings
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from nervaluate import utils as nervaluate
from seqeval import metrics, scheme
from seqeval.metrics.sequence_labeling import get_entities

import ireval_frames as ir
from ireval_frames.errors import ReadingWarning
from ireval_frames.spans.tags import SCHEMES, reading
from ireval_frames.spans.tags_table import TagsAs, TagTable
from tests.planner.engines import ENGINES, Opened

Tagged = list[list[str]]
Spans = list[tuple[int, int, str]]
STRICT = ("IOB2", "IOE2", "IOBES", "BILOU")
AVERAGES = ("micro", "macro", "weighted")
NAMES = {"Precision": metrics.precision_score, "Recall": metrics.recall_score, "F1": metrics.f1_score}


def table(gold: Tagged, predicted: Tagged) -> pl.DataFrame:
    rows = [
        (sentence, at, *tags)
        for sentence, both in enumerate(zip(gold, predicted, strict=True))
        for at, tags in enumerate(zip(*both, strict=True))
    ]
    return pl.DataFrame(rows, schema=["sentence_id", "position", "gold", "predicted"], orient="row")


def every_sequence(letters: str) -> Tagged:
    tags = ["O", *(f"{letter}-{kind}" for letter in letters for kind in "PQ")]
    return [list(tags) for tags in itertools.product(tags, repeat=3)]


def random_sentences(letters: str, number: int) -> tuple[Tagged, Tagged]:
    """Tags of which three of four predictions are right; a type is only predicted."""
    rng = random.Random(letters)
    tags = ["O", *(f"{letter}-{kind}" for letter in letters for kind in ("P", "Q", "R-S"))]
    gold = [[rng.choice(tags) for _ in range(rng.randrange(1, 12))] for _ in range(number)]
    predicted = [[t if rng.random() < 0.75 else rng.choice([*tags, f"{letters[0]}-X"]) for t in s] for s in gold]
    return gold, predicted


def spans_of(tagged: Tagged, **how: Any) -> list[Spans]:
    engine = Opened("polars").engine
    read = reading(how.get("scheme"), how.get("repair"), how.get("convention"))
    tags = TagTable(table(tagged, tagged), {"doc_id": "sentence_id"}, (), (), read)
    out: list[Spans] = [[] for _ in tagged]
    for sentence, *span in engine.collect(TagsAs(tags, "gold").on(engine)).sort("sentence_id", "start").rows():
        out[sentence].append(tuple(span))
    return out


@pytest.mark.parametrize("name", SCHEMES)
def test_spans_of_every_short_sequence(name: str) -> None:
    tagged = every_sequence(SCHEMES[name].letters)
    if name != "BILOU":
        default = [[(start, end + 1, kind) for kind, start, end in get_entities(tags)] for tags in tagged]
        assert spans_of(tagged, scheme=name) == spans_of(tagged, convention="seqeval") == default
    if name in STRICT:
        of = getattr(scheme, name)
        strict = [[(e.start, e.end, e.tag) for e in scheme.Tokens(tags, of).entities] for tags in tagged]
        assert spans_of(tagged, scheme=name, convention="seqeval-strict") == strict
    if name in ("IOB1", "IOB2"):
        others = [
            [(e["start"], e["end"] + 1, e["label"]) for e in nervaluate.collect_named_entities(tags)] for tags in tagged
        ]
        assert spans_of(tagged, scheme=name, convention="nervaluate") == others


def expected(score: Callable[..., float], gold: Tagged, predicted: Tagged, **how: Any) -> float:
    with warnings.catch_warnings():
        # No gold span has the type that is only predicted.
        warnings.simplefilter("ignore")
        return score(gold, predicted, **how)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", SCHEMES)
def test_precision_recall_and_f1(name: str, engine: str, agrees: Any) -> None:
    gold, predicted = random_sentences(SCHEMES[name].letters, 60)
    measures = [f"{measure}(average={average!r})" for measure in NAMES for average in AVERAGES]
    modes = {"seqeval": {}, "seqeval-strict": {"mode": "strict", "scheme": getattr(scheme, name)}}
    for convention, mode in modes.items():
        if (name not in STRICT and mode) or (name == "BILOU" and not mode):
            continue
        frame = table(gold, predicted)
        subject = ir.Spans.from_tags(frame, doc="sentence_id", scheme=name, convention=convention, engine=engine)
        with pytest.warns(ReadingWarning, match="repair"):
            ours = dict(subject.evaluate(measures).summary().select("measure", "value").rows())
        theirs = [
            expected(score, gold, predicted, average=average, **mode)
            for score in NAMES.values()
            for average in AVERAGES
        ]
        assert list(ours.values()) == pytest.approx(theirs, rel=1e-12)
    agrees("seqeval", *NAMES, family="spans")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("gold, predicted", [("O", "O"), ("O", "B-P"), ("B-P", "O")])
def test_nothing_to_divide_by(gold: str, predicted: str, engine: str) -> None:
    frame = table([[gold]], [[predicted]])
    subject = ir.Spans.from_tags(frame, doc="sentence_id", convention="seqeval", engine=engine)
    theirs = [expected(score, [[gold]], [[predicted]]) for score in NAMES.values()]
    assert subject.evaluate(list(NAMES)).summary()["value"].to_list() == theirs == [0.0] * 3
