"""Every ratio of verdicts with many values of its parameters, and what the oracle says of them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from ireval_frames.verdicts.inputs import KINDS
from tests.contract.kit import Frames, Suite, Values, one_at_a_time
from tests.oracles import verdicts as oracle

VALUES: dict[str, tuple[Any, ...]] = {
    "unsure": (0.0, 0.5, 1.0),
    "empty": ("zero", "one"),
    "epsilon": (1e-10, 0.5),
}


@dataclass(frozen=True)
class Case:
    """Answers by run and query."""

    runs: dict[str, dict[str, oracle.Answer]]
    words: bool = True
    """Whether verdicts are words; else numbers."""

    def table(self) -> pl.DataFrame:
        """The table of verdicts, in no order."""
        rows = [
            (run, query, kind, rank, self._written(verdict))
            for run, answers in self.runs.items()
            for query, answer in answers.items()
            for kind, verdicts in answer.items()
            for rank, verdict in enumerate(verdicts, start=1)
        ]
        random.Random(1).shuffle(rows)
        schema = ["run_id", "query_id", "kind", "rank", "verdict"]
        return pl.DataFrame(rows, schema=schema, orient="row")

    def _written(self, verdict: oracle.Maybe) -> Any:
        return ("idk" if verdict is None else "Yes" if verdict else "no") if self.words else verdict


def make_case(seed: int, choices: tuple[oracle.Maybe, ...], *, words: bool) -> Case:
    """Answers with none to six verdicts of each kind; one has verdicts of one kind only."""
    rng = random.Random(seed)

    def answer() -> oracle.Answer:
        return {kind: [rng.choice(choices) for _ in range(rng.randint(kind == "context", 6))] for kind in KINDS}

    runs = {}
    for run in ("one", "two"):
        runs[run] = {f"q{i:02d}": answer() for i in range(12)}
        runs[run] |= {"r0": {"context": [0.0, 0.0]}, "r1": {"answer_claim": [1.0]}}
    return Case(runs, words)


CASES = {
    "words": make_case(1, (0.0, 1.0, None), words=True),
    "numbers": make_case(2, (0.0, 1 / 3, 2 / 3, 1.0), words=False),
}


def variants(definition: Definition, _: Case) -> list[Measure]:
    """The measure with its defaults, and each parameter changed alone."""
    return one_at_a_time(definition, VALUES, "VALUES of tests/verdicts/suite.py")


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    del case
    keywords: dict[str, Any] = {"engine": engine} | options
    return ir.verdicts.Verdicts(frames["verdicts"], **keywords).evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every run and query."""
    return {
        (str(measure), run, query): oracle.ORACLES[measure.name](answer, **measure.arguments())
        for run, answers in case.runs.items()
        for query, answer in answers.items()
    }


VERDICTS = Suite(
    name="verdicts",
    family="verdicts",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/verdicts.py",
    cases=CASES,
    main=("words",),
    unit="query_id",
    tables=lambda case, _: {"verdicts": case.table()},
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    grouped="verdicts",
    skip={"weights": "verdicts have no weights", "names": "verdicts are named by what they mean"},
)
SUITES = (VERDICTS,)
DEFINITIONS = VERDICTS.definitions
