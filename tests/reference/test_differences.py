"""Each difference that the pages show is one: our number, and the tool's where it can run beside the tests."""

from __future__ import annotations

import math
import warnings

import bcubed
import ir_measures
import pyndeval
import pytest
import pytrec_eval
import sacrebleu
import segeval
from cwl.ruler import cwl_ruler as cwl
from cwl.ruler.ranking import Ranking
from nervaluate import Evaluator
from nltk.metrics import segmentation as nltk_segmentation
from rouge_score import rouge_scorer
from scorch import scores as scorch
from seqeval import metrics as seqeval
from seqeval import scheme as seqeval_scheme
from sklearn import metrics

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import ReadingWarning
from tests.reference.agreement import TREC_EVAL, versions
from tests.reference.difference import Difference, Value
from tests.reference.differences import DIFFERENCES

TOOLS = {
    "bcubed": bcubed,
    "ir_measures": ir_measures,
    "pyndeval": pyndeval,
    "pytrec_eval": pytrec_eval,
    "cwl": cwl,
    "Ranking": Ranking,
    "metrics": metrics,
    "Evaluator": Evaluator,
    "nltk_segmentation": nltk_segmentation,
    "rouge_scorer": rouge_scorer,
    "sacrebleu": sacrebleu,
    "segeval": segeval,
    "scorch": scorch,
    "seqeval": seqeval,
    "seqeval_scheme": seqeval_scheme,
}
every = pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda d: f"{d.measure}-{d.tool}")


def number(result: object) -> Value:
    """The one number that an evaluation, a tool's dictionary or a tool's function gave."""
    if isinstance(result, ir.Evaluation):
        return result.summary()["value"].item()
    if isinstance(result, dict):
        (result,) = result.values()
    return float(result)  # type: ignore[arg-type]


def same(actual: Value, shown: Value) -> bool:
    """Equal, or both undefined or not a number; names of errors are compared as they are."""
    if shown == "nan":
        return isinstance(actual, float) and math.isnan(actual)
    return (
        actual == shown
        if not isinstance(shown, float) or not isinstance(actual, float)
        else math.isclose(actual, shown, rel_tol=1e-12, abs_tol=1e-12)
    )


@every
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_our_number(difference: Difference, engine: str) -> None:
    head, of_subject, tail = difference.ours.partition(").evaluate(")
    # The engine is an argument of the subject, or of `ir.evaluate`.
    call = f'{head}, engine="{engine}"{of_subject}{tail}' if of_subject else f'{head[:-1]}, engine="{engine}")'
    with warnings.catch_warnings():
        # Tags that are repaired are told.
        warnings.simplefilter("ignore", ReadingWarning)
        assert same(number(eval(call, {"ir": ir}, difference.names())), difference.our_value)


@pytest.mark.parametrize("difference", [d for d in DIFFERENCES if not d.stored], ids=lambda d: f"{d.measure}-{d.tool}")
def test_their_number(difference: Difference) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            actual = number(eval(difference.theirs, dict(TOOLS), difference.names()))
    except (ZeroDivisionError, ValueError) as error:
        actual = type(error).__name__
    assert same(actual, difference.their_value)


@every
def test_it_is_a_difference(difference: Difference) -> None:
    assert len(difference.rows) <= 3
    assert catalog.parse(difference.measure, difference.family).definition.name == difference.measure
    assert not same(difference.our_value, difference.their_value)
    assert difference.why.endswith(".")
    assert (
        difference.tool in versions() or difference.tool.rpartition(" ")[2][0].isdigit() or difference.tool == TREC_EVAL
    )
