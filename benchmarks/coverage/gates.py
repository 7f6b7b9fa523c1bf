"""Gates whose candidate has lost nothing, or a known amount: how often they decide as they should."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

import ireval_frames as ir
from benchmarks.coverage.studies import Array, Covered, study
from ireval_frames.stats.power.t_tests import t_detectable, t_power

SUBJECT = "Gates"
SOME = 500
DATA = Path(__file__).resolve().parents[2] / "data" / "stdlib"
LOSS, WITHIN = "AP no significant loss", "AP non-inferior within"
TAIL = "a long tail of gains in few topics: most samples have fewer of these, and a lower mean"


def _differences() -> Array:
    """The AP of tfidf less that of bm25, by topic."""
    runs = [str(DATA / "runs" / f"{name}.txt") for name in ("bm25", "tfidf")]
    wide = ir.evaluate(str(DATA / "qrels.txt"), runs, "AP").per_unit().pivot("run_id", index="query_id", values="value")
    return (wide["tfidf"] - wide["bm25"]).to_numpy()


def _passed(rule: str, samples: Array) -> Array:
    """Per row of differences, whether the gate passes."""
    out = []
    for differences in samples:
        base = pl.DataFrame({"query_id": np.arange(differences.size), "measure": "AP", "value": 0.0})
        baseline, candidate = (
            base.with_columns(run_id=pl.lit("main")),
            base.with_columns(run_id=pl.lit("new"), value=pl.Series(differences)),
        )
        out.append(ir.gate(baseline, candidate, rule).passed)
    return np.array(out, dtype=np.float64)


@study(SUBJECT)
def gates(repetitions: int, seed: int) -> Iterator[Covered]:
    """Topics drawn from real differences; where nothing changed, the systems are swapped at random in each topic."""
    rng = np.random.default_rng([seed, 44])
    differences = _differences()
    for topics in (101, 30, 10):
        size_found = t_detectable(topics)
        least = size_found * float(differences.std(ddof=1))
        drawn = rng.choice(differences, (min(repetitions, SOME), topics))
        none = drawn * rng.choice([-1.0, 1.0], drawn.shape)
        size = f"{topics} topics"
        within, lost = f"{WITHIN} {least:.3f}", f"the gate fails: a loss of {least:.3f}, detectable at 80 %"
        yield Covered(LOSS, "the gate passes: nothing changed", size, _passed(LOSS, none), 0.975)
        skewed = drawn - differences.mean()
        of = "the gate passes: no mean change, skewed"
        yield Covered(LOSS, of, size, _passed(LOSS, skewed), 0.975, TAIL)
        yield Covered(LOSS, lost, size, 1 - _passed(LOSS, none - least), 0.8)
        power = t_power(size_found, topics, alternative="greater")
        yield Covered(within, "the gate passes: nothing changed", size, _passed(within, none), power)
        of = "the gate fails: a loss of the margin"
        yield Covered(within, of, size, 1 - _passed(within, none - least), 0.95)
