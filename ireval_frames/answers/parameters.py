"""The parameters that measures of answers share."""

from __future__ import annotations

from collections.abc import Mapping

from ireval_frames.parameters import Parameter, choice

NORMALIZE = choice(
    "squad", "none", "triviaqa", "multilingual", "rouge-score", what="how texts are normalised before they are compared"
)
OF_ROUGE = choice(
    "rouge-score", "squad", "none", "triviaqa", "multilingual", what="how texts are normalised before they are compared"
)
QUERIES = choice(
    "all", "answerable", "unanswerable", what="which queries have a value: all, or those with or without a gold answer"
)
STEMMING = choice("none", "porter", what="compare words, or their stems by Porter's algorithm as NLTK has it")
SCORE = choice("F", "P", "R", what="F, precision, or recall")


def with_queries(**parameters: Parameter) -> Mapping[str, Parameter]:
    """The parameters of a measure, and which queries have a value."""
    return {**parameters, "queries": QUERIES}
