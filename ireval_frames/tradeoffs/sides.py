"""One side of a tradeoff: an evaluation of systems, its values and its replicates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.errors import (
    Argument,
    Hint,
    InvalidParameter,
    IrevalWarning,
    MismatchedTables,
    NotDefined,
    UnknownName,
    listed,
    nearest,
    warn,
)
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.resampling.bootstrapping import bootstrap
from ireval_frames.resampling.result import Bootstrap
from ireval_frames.tradeoffs.dominance import Values

RUN = "run_id"


class Side:
    """The values of one side by system, and their replicates."""

    def __init__(self, evaluation: Evaluation, measure: Measure, n: int, seed: int) -> None:
        one = type(evaluation)(evaluation._request.of([measure]))  # noqa: SLF001 - of one of its measures
        summary = one.summary()
        groups = [c for c in summary.columns if c not in ("measure", "value", "n_units", "n_undefined")]
        if groups != [RUN]:
            what = f"is grouped by {', '.join(g for g in groups if g != RUN)}" if RUN in groups else "has no run_id"
            raise NotDefined(
                f"The evaluation of {measure} {what}, and a front is of the systems of one table.",
                "Name the systems in a column run_id, and evaluate without by=.",
            )
        self.systems: list[Any] = summary[RUN].to_list()
        self._values = dict(zip(self.systems, summary["value"].to_list(), strict=True))
        self._evaluation, self._n, self._seed = one, max(2, n), seed

    @cached_property
    def bootstrap(self) -> Bootstrap:
        """The replicates, of which none is computed yet."""
        return bootstrap(self._evaluation, n_resamples=self._n, seed=self._seed)

    def of(self, systems: Sequence[Any]) -> Values:
        """The values of these systems; NaN is undefined."""
        return np.array([np.nan if self._values[s] is None else self._values[s] for s in systems], dtype=np.float64)

    def draws(self, systems: Sequence[Any]) -> Values:
        """The values of these systems in each replicate."""
        place = {s: i for i, s in enumerate(self.bootstrap.population.groups[RUN].to_list())}
        return self.bootstrap.draws[:, [place[s] for s in systems], 0]


def evaluated(evaluation: Evaluation, measure: str | Measure | None, argument: str) -> tuple[Evaluation, Measure]:
    """The evaluation, and the one measure of it that counts."""
    names = {str(m): m for m in evaluation.measures}
    if measure is None:
        if len(names) > 1:
            raise InvalidParameter(
                f"The evaluation has {len(names)} measures: {listed(names)}.",
                Hint("Name one: ", Argument(argument, next(iter(names))), "."),
            )
        return evaluation, next(iter(names.values()))
    wanted = str(catalog.parse(measure, evaluation.family) if isinstance(measure, str) else measure)
    if wanted not in names:
        raise UnknownName(f"The evaluation has no measure {wanted!r}.", nearest(wanted, names))
    return evaluation, names[wanted]


def systems_of_both(first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
    """The systems of both sides, in the order of the first."""
    both = [s for s in first if s in second]
    if not both:
        raise MismatchedTables(
            f"No system has a quality and a cost: qualities are of {listed(map(repr, first), 5)}, costs of "
            f"{listed(map(repr, second), 5)}.",
            "Name the systems alike in the column run_id of both tables.",
        )
    for own, other, lacks in ((first, second, "cost"), (second, first, "quality")):
        if alone := [s for s in own if s not in other]:
            one = len(alone) == 1
            verbs = ("system has", "is") if one else ("systems have", "are")
            named = listed(map(repr, alone), 5)
            warn(f"{len(alone)} {verbs[0]} no {lacks} and {verbs[1]} left out: {named}.", IrevalWarning)
    return both
