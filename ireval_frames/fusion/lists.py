"""The runs to fuse: one table of them, several tables, or files."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import polars as pl

from ireval_frames.engines.base import Aggregate, Engine, Rule
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.inputs.frames import names_files
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue, NotDefined, listed
from ireval_frames.expr import col, lit, when
from ireval_frames.fusion.options import AVERAGE, FusionOptions
from ireval_frames.interleaving.rankings import LETTERS
from ireval_frames.items.inputs import same_kinds
from ireval_frames.judgments import KEYS
from ireval_frames.runs import Runs


def tables_of(runs: Any) -> Mapping[str, Any] | list[Any]:
    """The tables of runs: by name where the user names them."""
    if isinstance(runs, Mapping):
        if not runs or not all(isinstance(name, str) and name for name in runs):
            raise InvalidParameter(f"The runs are called {listed(runs)}; names are text.", "Write {'bm25': frame, …}.")
        return runs
    return list(runs) if isinstance(runs, (list, tuple)) and not names_files(runs) else [runs]


class Lists:
    """The ranked lists of all runs, on an engine.

    Args:
        runs: as `tables_of` gives them.
        engine: where they are read.
        options: how they are ranked, and how deep.
        columns: the user's names of columns.
        names: the names of the runs in their order, which sums follow.
        left_out: the name of a run that is not read.

    Attributes:
        rows: run_id, query_id, doc_id, value.
        ranked: the same with their ranks, down to the depth.
    """

    def __init__(
        self,
        runs: Mapping[str, Any] | list[Any],
        engine: Engine,
        options: FusionOptions,
        columns: Mapping[str, str] | None = None,
        names: Sequence[str] = (),
        left_out: str | None = None,
    ) -> None:
        self.engine, self._options, self.names = engine, options, list(names)
        ties = "trec_eval" if options.ties == AVERAGE else options.ties
        opened = list(_opened(runs, engine, columns, ties))
        if options.reads_scores and not all(one.scored for one in opened):
            raise NotDefined(
                f"{options.method} with {options.normalization} reads scores, and "
                + ("ties='rank' reads ranks." if options.ties == "rank" else "a run has none."),
                Hint("Normalise ranks: ", Argument("normalize", "rank"), ", or fuse them: ", Argument("method", "rrf")),
            )
        frames = [opened[0].frame]
        for one in opened[1:]:
            frames.append(same_kinds({"first run": frames[0], "other run": one.frame}, {c: c for c in KEYS})[1])
        text = {"run_id": col("run_id").cast(pl.String)}
        self.rows = concat([frame.with_columns(**text) for frame in frames])
        if left_out is not None:
            self.rows = self.rows.filter(col("run_id") != left_out)
        rules = (*(rule for one in opened for rule in one.rules), *([_finite()] if options.reads_scores else []))
        self.ranked: RankedRows = opened[0].ranked(self.rows, options.depth, rules)
        self._rules, self._checked = rules, False
        self._suspected: Frame | None = None

    @cached_property
    def sizes(self) -> pl.DataFrame:
        """run_id, query_id, n: a row per list, read now."""
        return self.engine.collect(self.rows.count_by("run_id", "query_id"))

    def beside_each_other(self, values: Sequence[Aggregate]) -> Frame:
        """A row per document with its value in each list; scores of whole lists need no ranks."""
        if not self._options.reads_scores or self._options.depth is not None:
            return self.grouped(values)
        if not self.engine.in_process:
            return self.engine.group(self.rows, KEYS, values)
        # Rows are checked as they are grouped: a document that a list has twice has more rows than values.
        is_bad = functools.reduce(operator.or_, (rule.bad.fill_null(value=False) for rule in self._rules))
        flags = [Aggregate("n_rows", "count", lit(1)), Aggregate("is_bad", "max", when(is_bad).then(1).otherwise(0))]
        rows = self.engine.compute_once(self.engine.group(self.rows, KEYS, [*values, *flags]), in_parts=True)
        n_values = functools.reduce(
            operator.add, (when(col(one.name).is_null()).then(0).otherwise(1) for one in values)
        )
        suspected = rows.filter((col("is_bad") == 1) | (col("n_rows") > n_values))
        self._suspected = self.engine.group(suspected, (), [Aggregate("n", "count", lit(1))])
        return rows

    def grouped(self, aggregates: Sequence[Aggregate]) -> Frame:
        """A row per document; in this process rows are grouped as they are ranked, in the memory of the groups."""
        if self.engine.in_process and self._options.ties != AVERAGE:
            self._checked = True
            return self.ranked.grouped(KEYS, aggregates)
        rows = self.with_ranks() if self._options.ties == AVERAGE else self.ranked.rows()
        return self.engine.group(rows, KEYS, aggregates)

    def check(self) -> None:
        """Raise the errors of the rows, where reading them does not."""
        if self._suspected is not None:
            if not self.engine.numbers(self._suspected)["n"]:
                return
        elif self._checked:
            return
        self.ranked.check()

    def with_ranks(self) -> Frame:
        """The rows with `rank` as a number."""
        rows = self.ranked.rows()
        rank = col("rank").cast(pl.Float64)
        if self._options.ties == AVERAGE:
            rank = rank.mean().over("run_id", "query_id", "value")
        return rows.with_columns(rank=rank)


def _opened(
    runs: Mapping[str, Any] | list[Any], engine: Engine, columns: Mapping[str, str] | None, ties: str
) -> Iterator[Runs]:
    """The tables, each run with its name."""
    if isinstance(runs, Mapping):
        for name, table in runs.items():
            yield Runs(table, engine, columns, ties, run_id=name, name=name)
        return
    for i, table in enumerate(runs):
        if len(runs) == 1:
            yield Runs(table, engine, columns, ties)
            continue
        letter = LETTERS[i] if i < len(LETTERS) else f"r{i}"
        one = Runs(table, engine, columns, ties, name=f"run_{letter}")
        yield one if one.several else Runs(table, engine, columns, ties, run_id=letter, name=f"run_{letter}")


def _finite() -> Rule:
    """Scores that are combined are finite."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        row = rows.row(0, named=True)
        return InvalidValue(
            f"The score of document {row['doc_id']!r} for query {row['query_id']!r} is infinite ({count} such rows), "
            "and scores are added.",
            Hint("Fuse ranks: ", Argument("method", "rrf"), "."),
        )

    return Rule(~col("value").is_finite(), error)
