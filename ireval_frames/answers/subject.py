"""Text answers to queries, ready to be compared with gold answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames.answers.request import AnswerRequest
from ireval_frames.conventions.answers import AnswerPolicy
from ireval_frames.documents.subject import DocumentSubject
from ireval_frames.engines.base import Engine
from ireval_frames.subject import RESULT_COLUMNS


class Answers(DocumentSubject[AnswerPolicy]):
    """Predicted answers of queries, and their gold answers, of which the best one counts.

    Args:
        gold: a row per query and gold answer, or per query with a list of them.  A query whose only answer is null or
            empty, or whose list is empty, has no answer, as in SQuAD 2.0.
        predicted: a row per query, with the text that a system answers; null or empty for no answer.  With a run_id
            column, many systems at once.
        query, answer: the names of the columns where they differ from query_id, answer (and the names other tools
            use); `prediction` that of the predicted table, where it differs from the gold table's.
        documents: the queries: a list of ids, or a table of them, which may have a `weight` and the columns of `by`;
            by default the queries of the gold table.
        by: columns of the gold table that group queries.
        policy: the conventions (see `AnswerPolicy`), such as `policy="squad-1.1"`, or `policy="missing=skip"` for
            queries without a predicted answer.
        engine: "polars", "duckdb" or "spark"; by default where the gold table is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import ireval_frames as ir
        >>> gold, predicted = ir.examples.answers()
        >>> ir.Answers(gold, predicted).evaluate("ExactMatch TokenF1").summary()["value"].round(4).to_list()
        [0.6, 0.7]
    """

    family = "answers"
    _document = "query_id"
    _conventions = AnswerPolicy
    _requests = AnswerRequest
    _result_columns = (*RESULT_COLUMNS, "query_id", "n_answers")

    def __init__(
        self,
        gold: Any,
        predicted: Any,
        *,
        query: str | None = None,
        answer: str | None = None,
        prediction: str | None = None,
        documents: Any = None,
        by: str | Sequence[str] = (),
        policy: AnswerPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            gold,
            predicted,
            named={"query_id": query, "answer": answer, "prediction": prediction},
            documents=documents,
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            columns=columns,
            storage_options=storage_options,
        )
