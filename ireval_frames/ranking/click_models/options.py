"""Parameters of measures of click models, and the gain of a click."""

from __future__ import annotations

from typing import Any

from ireval_frames.expr import Expr
from ireval_frames.parameters import Parameter, choice, number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.cwl.scales import require_scale
from ireval_frames.ranking.inputs.model_parameters import READS
from ireval_frames.ranking.measures.cascade import satisfied

CHUKLIN = "Chuklin, Serdyukov and de Rijke, SIGIR 2013"
_probability = number(low=0.0, high=1.0).convert


def _unseen(value: object) -> float | str:
    if value in ("prior", "error"):
        return str(value)
    try:
        return float(_probability(value))
    except ValueError:
        raise ValueError('a number in [0, 1], "prior" or "error"') from None


UNSEEN = Parameter(
    0.0,
    "the parameters of documents that have none: a number, 'prior' for the mean of the fitted model's prior, or "
    "'error'",
    _unseen,
)
GAIN = choice("exp", "linear", what="(2^g − 1) / 2^max_rel as in ERR, or g / max_rel")
CONTINUATION = number(
    None, "the probability of continuing where nothing satisfied; None takes the model's", low=0.0, high=1.0
)
SATISFACTION = number(
    None, "the probability of stopping after any click; None takes the model's for each document", low=0.0, high=1.0
)
# Declared by all of them: subtopics and assessors have no parameters of their own.
SHARED: dict[str, Any] = {"reads": (READS,), "without": ("subtopics", "assessors"), "source": CHUKLIN}


def click_gain(q: Query, gain: str, max_rel: int) -> Expr:
    """The gain of a click on a document by its grade, from 0 to 1."""
    if gain == "exp":
        return satisfied(q, max_rel)
    require_scale(q, max_rel)
    return q.grade / float(max_rel)
