"""Tiny tables for trying things out; the examples of the measures' pages run on them."""

from ireval_frames.examples.documents import (
    answers,
    coreference,
    events,
    links,
    relations,
    segments,
    slots,
    spans,
    tags,
)
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
]
