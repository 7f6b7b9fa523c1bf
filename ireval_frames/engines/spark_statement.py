"""A statement for Spark: the steps of a plan as named common table expressions, in Spark's quotes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ireval_frames.engines.duckdb_statement import Step, needed, statement
from ireval_frames.engines.spark_values import name

# Of so many queries one that several read is kept.
LARGE = 8
# Strings and quoted names.
_QUOTED = re.compile(r"""'[^']*'|`[^`]*`|"((?:[^"]|"")*)\"""")


@dataclass(eq=False)
class PythonStep(Step):
    """What a function of Python makes of the rows of another step, which its body is."""

    run: Callable[[Any], Any] = lambda rows: rows


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
        python = isinstance(step, PythonStep)
        kept = readers[id(step)] > 1 and not step.external and (python or step.shared or size[id(step)] >= LARGE)
        if kept or python or step is final:
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
                made[id(step)] = step if step.external else replace(step, body=body, shared=False)
        return made[id(step)]

    text = _QUOTED.sub(_in_spark, statement(visit(final))).replace("{", "{{").replace("}", "}}")
    for table in given.values():
        text = re.sub(rf"\b{table}\b", f"{{{table}}}", text)
    return text


def _in_spark(found: re.Match[str]) -> str:
    return found[0] if found[1] is None else name(found[1].replace('""', '"'))
