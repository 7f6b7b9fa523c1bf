"""Verdicts on what generated answers were made from and what they say, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames.columns.user_names import named_columns
from ireval_frames.conventions.verdicts import VerdictPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.subject import RESULT_COLUMNS, Subject
from ireval_frames.verdicts.request import VerdictRequest


class Verdicts(Subject[VerdictPolicy, Evaluation]):
    """A table of verdicts of a model or a person, as suites for generated answers ask for them.

    Args:
        verdicts: a row per verdict: run_id if there are systems, query_id, kind, verdict, and rank of contexts.  kind
        is
            what the verdict is about, and decides which measures read it: `context`, a retrieved passage;
            `context_statement`, a statement of one; `reference_claim`, a claim of the reference answer; `answer_claim`
            and `answer_statement`, of the answer; `context_agreement`, a passage that the answer agrees with.  Without
            the column all rows are of the kind that the measures read.  A verdict is a number from 0 to 1, a boolean,
            or yes, no, idk.
        query, kind, verdict, rank: the names of the columns where they differ from query_id, kind, verdict, rank (and
            the names other tools use).
        by: columns that group queries.
        policy: the conventions (see `VerdictPolicy`).
        engine: "polars", "duckdb" or "spark"; by default where the table is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    A query of which a system has no row is no unit of it: the suites' means are over the records in their files.

    Raises:
        MissingColumn, WrongType: the table lacks columns, or has other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.verdicts.Verdicts(ir.examples.verdicts()).evaluate("ContextPrecision Faithfulness")
        >>> ev.summary()["value"].round(4).to_list()
        [0.9167, 0.5833]
    """

    family = "verdicts"
    _conventions = VerdictPolicy
    _requests = VerdictRequest
    _evaluations = Evaluation
    _result_columns = (*RESULT_COLUMNS, "n_verdicts")

    def __init__(
        self,
        verdicts: Any,
        *,
        query: str | None = None,
        kind: str | None = None,
        verdict: str | None = None,
        rank: str | None = None,
        by: str | Sequence[str] = (),
        policy: VerdictPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        named = {"query_id": query, "kind": kind, "verdict": verdict, "rank": rank}
        self.columns = named_columns(columns, named)
        super().__init__(
            {"verdicts": verdicts},
            first="verdicts",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )
