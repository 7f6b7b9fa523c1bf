"""The plan of an evaluation is freed with it, whichever results were computed.

Frames of an engine can hold Python functions, which Python's garbage collector does not traverse: a function that
refers to the plan, which refers to the frames, would never be freed.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import ireval_frames as ir
from ireval_frames import catalog

ENGINES = ("polars", "duckdb")
FEATURES = ("x", "y")
SUBJECTS: dict[str, Callable[[str], Any]] = {
    "clusters": lambda engine: ir.Clusters(ir.examples.clusters(), engine=engine),
    "coreference": lambda engine: ir.Coreference(*ir.examples.coreference(), engine=engine),
    "points": lambda engine: ir.Points(ir.examples.points(), FEATURES, cluster="k3", engine=engine),
    "ratings": lambda engine: ir.Ratings(ir.examples.ratings(), level="ratio", engine=engine),
    "clicks": lambda engine: ir.Impressions(ir.examples.click_log(), engine=engine),
    "segmentation": lambda engine: ir.Segmentation(ir.examples.segments(), engine=engine),
    "organization": lambda engine: ir.Organization(*ir.examples.ranking(), engine=engine),
    "similarity": lambda engine: ir.Similarity(*ir.examples.ranking()[1:], itself=True, engine=engine),
}


@pytest.fixture(autouse=True)
def no_automatic_collection() -> Iterator[None]:
    """Garbage is collected explicitly."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("family", SUBJECTS)
def test_plans_are_freed(family: str, engine: str) -> None:
    names = [d.name for d in catalog.definitions(family)]
    evaluation = SUBJECTS[family](engine).evaluate(names)
    evaluation.summary()
    evaluation.per_unit(counts=True)
    plan = weakref.ref(evaluation._planned.plan)
    del evaluation
    gc.collect()
    assert plan() is None
