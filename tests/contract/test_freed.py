"""What an evaluation computed with is freed with it, whatever was asked.

Frames of an engine may hold Python functions, and Python's garbage collector does not see into them: a function that
holds the plan, which holds the frames, would keep all of them for good.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ireval_frames as ir
from ireval_frames import catalog

ENGINES = ("polars", "duckdb")
FEATURES = ("x", "y")
SUBJECTS: dict[str, Callable[[str], Any]] = {
    "clusters": lambda engine: ir.Clusters(ir.examples.clusters(), engine=engine),
    "points": lambda engine: ir.Points(ir.examples.points(), FEATURES, cluster="k3", engine=engine),
    "ratings": lambda engine: ir.Ratings(ir.examples.ratings(), level="ratio", engine=engine),
    "clicks": lambda engine: ir.Impressions(ir.examples.click_log(), engine=engine),
    "organization": lambda engine: ir.Organization(*ir.examples.ranking(), engine=engine),
    "similarity": lambda engine: ir.Similarity(*ir.examples.ranking()[1:], itself=True, engine=engine),
}


def resident() -> int:
    """Megabytes of this process that are in memory."""
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("the system does not tell how much memory a process has")
    (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) // 1024


@pytest.fixture(autouse=True)
def by_hand() -> Iterator[None]:
    """Collect garbage when told."""
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
    plan = weakref.ref(evaluation._built.plan)
    del evaluation
    gc.collect()
    assert plan() is None


@pytest.mark.parametrize("engine, times", [("polars", 100), ("duckdb", 20)])
def test_memory_stays_level(engine: str, times: int) -> None:
    """After three times as many evaluations about what it was."""
    points = SUBJECTS["points"](engine)
    seen = []
    for _ in range(3):
        for _ in range(times):
            points.evaluate("SSE Silhouette Dunn PointBiserial").summary()
        gc.collect()
        seen.append((resident(), len(gc.get_objects())))
    assert seen[2][0] - seen[0][0] < 25
    assert seen[2][1] - seen[0][1] < 1000
