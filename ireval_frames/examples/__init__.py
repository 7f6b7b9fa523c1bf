"""Tiny tables for trying things out; the examples of the measures' pages run on them."""

from ireval_frames.examples.documents import (
    answers,
    coreference,
    events,
    links,
    nuggets,
    relations,
    segments,
    slots,
    spans,
    tags,
)
from ireval_frames.examples.generated import citations, verdicts
from ireval_frames.examples.items import (
    clusters,
    diversity,
    expected_exposure,
    exposure,
    labels,
    points,
    pooled,
    ranking,
    sampled,
    scores,
)
from ireval_frames.examples.users import click_log, click_model, experiment, ratings, recommendations, timings

__all__ = [
    "answers",
    "citations",
    "click_log",
    "click_model",
    "clusters",
    "coreference",
    "diversity",
    "events",
    "expected_exposure",
    "experiment",
    "exposure",
    "labels",
    "links",
    "nuggets",
    "points",
    "pooled",
    "ranking",
    "ratings",
    "recommendations",
    "relations",
    "sampled",
    "scores",
    "segments",
    "slots",
    "spans",
    "tags",
    "timings",
    "verdicts",
]
