"""The values trec_eval prints: per query in byte order of the ids, then summarized, added as a plain loop adds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from ireval_frames.cli.trec_lines import line
from ireval_frames.cli.trec_names import Printed
from ireval_frames.errors import MismatchedTables
from ireval_frames.evaluation import GEOMETRIC_FLOOR, Evaluation
from ireval_frames.measure import Measure
from ireval_frames.policy import Policy
from ireval_frames.ranking import Rankings


@dataclass(frozen=True)
class Options:
    """What the options of trec_eval other than `-m` say."""

    per_query: bool = False
    summary: bool = True
    complete: bool = False
    judged_only: bool = False
    depth: int | None = None
    version: str = "10"


def lines(qrels: pl.DataFrame, run: pl.LazyFrame, run_tag: str, printed: Sequence[Printed], options: Options) -> Iterator[str]:
    """The lines of the output.

    Args:
        qrels: the judgments.
        run: the run, without run_id.
        run_tag: what `runid` says.
        printed: the values to print, in order.
        options: the other options.

    Raises:
        MismatchedTables: no query is both judged and in the run.
    """
    queries, values = _values(qrels, run, printed, options)
    if not queries and not options.complete:
        raise MismatchedTables("No query stands in both files.", "Look at the query ids of both; with -c such queries count 0.")
    if options.per_query:
        rows = [(p, column) for p, column in zip(printed, values, strict=True) if not p.summary_only]
        for i, query in enumerate(queries):
            yield "".join(line(p.name, query, column[i], whole=p.whole) for p, column in rows)
    if not options.summary:
        return
    n = qrels["query_id"].n_unique() if options.complete else len(queries)
    for p, column in zip(printed, values, strict=True):
        if not p.parts:
            yield line(p.name, "all", run_tag)
        elif p.name == "num_q":
            yield line(p.name, "all", n, whole=True)
        elif p.name == "num_rel" and options.complete:
            # Counted in the judgments themselves: there every positive grade is relevant.
            yield line(p.name, "all", qrels.filter(pl.col("relevance") > 0).height, whole=True)
        else:
            yield line(p.name, "all", _summary(column, p.parts[0].aggregation, n), whole=p.whole)


def _values(qrels: pl.DataFrame, run: pl.LazyFrame, printed: Sequence[Printed], options: Options) -> tuple[list[str], list[list[float]]]:
    """The queries in byte order, and for each thing to print its values."""
    measures = list(dict.fromkeys(m for p in printed for m in p.parts))
    evaluation = _evaluation(qrels, run, measures or ["NumQ"], options)
    frame = evaluation.per_unit_in_order()
    columns = {m: frame[str(m)].to_list() for m in evaluation.measures}
    values = []
    for p in printed:
        rows = zip(*(columns[m] for m in p.parts), strict=True)
        values.append([p.combine(*row) if p.combine else row[0] for row in rows])
    return frame["query_id"].to_list(), values


def _evaluation(qrels: pl.DataFrame, run: pl.LazyFrame, measures: Sequence[str | Measure], options: Options) -> Evaluation:
    # Version 9 counts missing queries in the means only, version 10 as queries that retrieved nothing relevant.
    changes = {
        "missing": "zero" if options.complete and options.version == "10" else "skip",
        "unjudged": "removed" if options.judged_only else "nonrelevant",
        "depth": "None" if options.depth is None else str(options.depth),
    }
    policy = Policy.of(f"trec_eval-{options.version}," + ",".join(f"{k}={v}" for k, v in changes.items()))
    return Rankings(qrels, run, policy=policy).evaluate(measures)


def _summary(values: Sequence[float], aggregation: str, n: int) -> float:
    """One number of the queries' values, added one after another; `n` queries, missing ones included."""
    total = 0.0
    if aggregation == "geometric":
        for value in values:
            total += math.log(max(value, GEOMETRIC_FLOOR))
        total += (n - len(values)) * math.log(GEOMETRIC_FLOOR)
        return math.exp(total / n)
    for value in values:
        total += value
    return total if aggregation == "sum" else total / n
