"""The kinds of constraints: which measures they are for, their cases, and the texts of these."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ireval_frames.constraints import clustering, diversity, filtering, ordinal, retrieval
from ireval_frames.constraints.cases import Case, Compared, Kind, Verdict
from ireval_frames.declaration import Measure

# The cases of each constraint in each setting.
Groups = dict[tuple[str, str | None], list[Case]]
SUBTOPIC = "subtopic_id"


@dataclass(frozen=True)
class Constraints:
    """The constraints of one kind.

    Attributes:
        family: the measures that they are for, besides those of organization.
        verdicts: each constraint, with the rule that makes a verdict of its cases.
        cases: makes the cases of a constraint: of its name, their number, and random numbers.
        text: an output as text.
        gold_text: the gold standard of a case as text.
        settings: the settings in which each constraint is checked.
        outcomes: where all constraints have the same cases, the outcome of each for one of them, from all values.
    """

    family: str
    verdicts: Mapping[str, Verdict]
    cases: Callable[..., list[Case]]
    text: Callable[[Mapping[str, Any]], str]
    gold_text: Callable[[Case], str]
    settings: Sequence[str | None] = (None,)
    outcomes: Callable[[str, Sequence[Compared], float], list[tuple[str, Compared]]] | None = None

    def groups(self, constraints: Sequence[str], n: int, seed: int) -> Groups:
        """The cases of every constraint; each has random numbers of its own."""
        if self.outcomes is not None:
            return {("", None): self.cases()}
        return {
            (c, s): self.cases(c, n, _random(seed, c, s), *([s] if s else []))
            for c in constraints
            for s in self.settings
        }


CONSTRAINTS: dict[Kind, Constraints] = {
    "retrieval": Constraints(
        "ranking", retrieval.VERDICTS, retrieval.cases, retrieval.text, lambda case: retrieval.gold_text(case.gold)
    ),
    "clustering": Constraints(
        "clusters",
        clustering.VERDICTS,
        clustering.cases,
        clustering.text,
        lambda case: clustering.text(case.gold),
        clustering.SETTINGS,
    ),
    "filtering": Constraints(
        "labels",
        filtering.VERDICTS,
        filtering.cases,
        filtering.text,
        lambda case: filtering.gold_text(case.gold),
        outcomes=filtering.outcomes,
    ),
    "ordinal": Constraints("labels", ordinal.VERDICTS, ordinal.cases, ordinal.text, ordinal.gold_text),
    "diversity": Constraints("ranking", diversity.VERDICTS, diversity.cases, diversity.text, diversity.gold_text),
}
OF_ORGANIZATION: tuple[Kind, ...] = ("retrieval", "clustering", "filtering")


def kinds_of(family: str) -> tuple[Kind, ...]:
    """The kinds of constraints for measures of a family."""
    if family == "organization":
        return OF_ORGANIZATION
    return tuple(kind for kind, of in CONSTRAINTS.items() if of.family == family)


def usual_kinds(measure: Measure) -> tuple[Kind, ...]:
    """The kinds that are checked where none is requested: of measures of subtopics diversity, else the first one."""
    family = measure.definition.family
    if family == "ranking" and (
        SUBTOPIC in measure.definition.reads or dict(measure.values).get("subtopics") == "mean"
    ):
        return ("diversity",)
    return kinds_of(family) if family == "organization" else kinds_of(family)[:1]


def _random(*of: object) -> random.Random:
    """Random numbers that are the same on every machine."""
    return random.Random(" ".join(str(o) for o in of if o is not None))  # noqa: S311 - not for cryptography
