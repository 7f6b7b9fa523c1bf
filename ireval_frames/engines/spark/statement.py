"""A statement for Spark: the steps of a plan as named common table expressions, in Spark's quotes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ireval_frames.engines.spark.values import name
from ireval_frames.engines.sql.statement import Step, needed, statement

# Of so many queries one that several read is kept.
LARGE = 8
# Strings and quoted names.
_QUOTED = re.compile(r"""'[^']*'|`[^`]*`|"((?:[^"]|"")*)\"""")


Keep = Callable[[Any], Any]


@dataclass(eq=False)
class MadeStep(Step):
    """What a function makes of the frames of other steps, once they are there.

    Attributes:
        of: those steps.
        run: the function of their frames, and of what keeps rows until the result has been read; where it gives None,
            the body says what the step is.
    """

    of: tuple[Step, ...] = ()
    run: Callable[[Sequence[Any], Keep], Any] = lambda *_: None

    @property
    def parents(self) -> list[Step]:
        """The steps that it reads."""
        return list(self.of)


@dataclass(frozen=True)
class Cut:
    """A step that is a frame of its own, which others read.

    Attributes:
        step: the step.
        kept: its rows are kept while what reads them runs.
    """

    step: Step
    kept: bool


def cuts(final: Step) -> list[Cut]:
    """Where a statement is cut, each after those that it reads; the last one is the step itself.

    Spark writes a query into each of its readers: what several read is planned, and may be made, once for each of them,
    and what those read again as often.  So the rows of what several read are kept, if they take some queries to make.
    """
    order = needed(final)
    readers = Counter(id(parent) for step in order for parent in step.parents)
    size: dict[int, int] = {}
    out = []
    for step in order:
        size[id(step)] = 1 + sum(size[id(parent)] for parent in step.parents)
        made = isinstance(step, MadeStep)
        kept = readers[id(step)] > 1 and not step.external and (made or step.shared or size[id(step)] >= LARGE)
        if kept or made or step is final:
            out.append(Cut(step, kept))
            size[id(step)] = 1
    return out


def spark_statement(final: Step, given: Mapping[int, str]) -> str:
    """The statement of a step, in which the tables of some steps are fields to be filled in."""
    made: dict[int, Step] = {}

    def visit(step: Step) -> Step:
        if id(step) not in made:
            if id(step) in given and step is not final:
                made[id(step)] = Step((), step.columns, given[id(step)], external=True)
            else:
                body = tuple(part if isinstance(part, str) else visit(part) for part in step.body)
                made[id(step)] = step if step.external else Step(body, step.columns, step.name, reserved=step.reserved)
        return made[id(step)]

    text = _QUOTED.sub(_in_spark, statement(visit(final))).replace("{", "{{").replace("}", "}}")
    for table in given.values():
        text = re.sub(rf"\b{table}\b", f"{{{table}}}", text)
    return text


def _in_spark(found: re.Match[str]) -> str:
    return found[0] if found[1] is None else name(found[1].replace('""', '"'))
