"""A statement for Spark: the steps of a plan as named common table expressions, in Spark's quotes; steps in Python."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from ireval_frames.engines.base import Function
from ireval_frames.engines.spark.values import name
from ireval_frames.engines.sql.statement import Step, required_steps, statement

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

# A step that takes this number of queries and has several readers becomes a checkpoint.
LARGE = 8
# Strings and quoted names.
_QUOTED = re.compile(r"""'[^']*'|`[^`]*`|"((?:[^"]|"")*)\"""")


Checkpoint = Callable[[Any], Any]


@dataclass(eq=False)
class PythonStep(Step):
    """A step that a function computes from the frames of other steps.

    Attributes:
        of: those steps.
        run: the function of their frames, and of one that checkpoints a frame; None means the body is the step.
    """

    of: tuple[Step, ...] = ()
    run: Callable[[Sequence[Any], Checkpoint], Any] = lambda *_: None

    @property
    def parents(self) -> list[Step]:
        """The steps that it reads."""
        return list(self.of)


@dataclass(frozen=True)
class Cut:
    """A step that becomes a frame of its own, which others read.

    Attributes:
        step: the step.
        checkpoint: its rows are stored while its readers run.
    """

    step: Step
    checkpoint: bool


def cuts(final: Step) -> list[Cut]:
    """Where a statement is cut, each after those that it reads; the last one is the step itself.

    Spark inlines a query into each of its readers, which plan and may compute it once each, along with all that it
    reads.  So a step with several readers becomes a checkpoint if it takes some queries.
    """
    order = required_steps(final)
    readers = Counter(id(parent) for step in order for parent in step.parents)
    size: dict[int, int] = {}
    out = []
    for step in order:
        size[id(step)] = 1 + sum(size[id(parent)] for parent in step.parents)
        in_python = isinstance(step, PythonStep)
        costly = in_python or step.shared or size[id(step)] >= LARGE
        stored = readers[id(step)] > 1 and not step.external and costly
        if stored or in_python or step is final:
            out.append(Cut(step, stored))
            size[id(step)] = 1
    return out


def spark_statement(final: Step, tables: Mapping[int, str]) -> str:
    """The statement of a step, with a `{field}` for each of the steps that are `tables`."""
    copies: dict[int, Step] = {}

    def visit(step: Step) -> Step:
        if id(step) not in copies:
            if id(step) in tables and step is not final:
                copies[id(step)] = Step((), step.columns, tables[id(step)], external=True)
            elif step.external:
                copies[id(step)] = step
            else:
                body = tuple(part if isinstance(part, str) else visit(part) for part in step.body)
                copies[id(step)] = Step(body, step.columns, step.name, reserved=step.reserved)
        return copies[id(step)]

    text = _QUOTED.sub(_in_spark, statement(visit(final))).replace("{", "{{").replace("}", "}}")
    for table in tables.values():
        text = re.sub(rf"\b{table}\b", f"{{{table}}}", text)
    return text


def _in_spark(match: re.Match[str]) -> str:
    return match[0] if match[1] is None else name(match[1].replace('""', '"'))


def in_groups(rows: DataFrame, function: Function, by: Sequence[str], schema: str) -> DataFrame:
    """The results of a function for each group of `by`, with the columns and types of `schema`."""
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import StructType

    arrow = to_arrow_schema(cast(StructType, StructType.fromDDL(schema)))

    def step(table: pa.Table) -> pa.Table:
        result = function(pl.DataFrame(pl.from_arrow(table))).select(arrow.names)
        return result.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(arrow)

    with warnings.catch_warnings():
        # Spark checks the version of pandas, which steps in Arrow do not use.
        warnings.simplefilter("ignore", FutureWarning)
        results = rows.groupBy(*by).applyInArrow(step, schema)
    if by:
        return results
    # Without keys all rows are one group, even none, for which Spark does not call the step.
    of_no_rows = step(to_arrow_schema(rows.schema).empty_table())
    if not of_no_rows.num_rows:
        return results
    return rows.sparkSession.sql(
        "SELECT * FROM {results} UNION ALL SELECT * FROM {of_none} WHERE NOT EXISTS (SELECT 1 FROM {rows})",
        results=results,
        of_none=rows.sparkSession.createDataFrame(of_no_rows),
        rows=rows,
    )
