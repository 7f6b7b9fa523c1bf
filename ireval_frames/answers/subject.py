"""Text answers to queries, ready to be compared with gold answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import results
from ireval_frames.answers.context import AnswerContext
from ireval_frames.answers.inputs import TEXTS
from ireval_frames.answers.parameters import NORMALIZE
from ireval_frames.answers.request import AnswerRequest
from ireval_frames.answers.tables import AnswerTables, Words
from ireval_frames.conventions.answers import AnswerPolicy
from ireval_frames.documents.subject import DocumentSubject
from ireval_frames.engines.base import Engine
from ireval_frames.expr import Expr, col
from ireval_frames.plan import Table
from ireval_frames.results import Result
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
    _result_columns = (
        *RESULT_COLUMNS,
        "n_answers",
        *TEXTS.values(),
        "normalized_answer",
        "normalized_prediction",
        "exact",
        "common",
        "f1",
    )

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

    @results.table_method
    def pairs(
        self,
        *,
        normalize: str = "squad",
        by: str | Sequence[str] | None = None,
        policy: AnswerPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """Each gold answer beside the predicted answer of its query, as both are compared.

        Args:
            normalize: how texts are normalised, as in the measures.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] query_id answer predicted_answer normalized_answer normalized_prediction exact common f1: a
            row per distinct gold answer; `common` is the number of words in common.  Queries without a gold answer have
            no row.

        Raises:
            InvalidParameter: texts cannot be normalised so.

        Example:
            >>> import ireval_frames as ir
            >>> pairs = ir.Answers(*ir.examples.answers()).pairs()
            >>> pairs.select("normalized_answer", "normalized_prediction", "exact").rows()[:2]
            [('denver broncos', 'denver broncos', 1.0), ('levis stadium', 'at levis stadium in santa clara', 0.0)]
        """
        NORMALIZE.check("normalize", normalize)
        request: AnswerRequest = self._request(by=by, policy=policy, columns=self._result_columns)

        def select(tables: AnswerTables) -> tuple[Table, dict[str, Expr]]:
            q, gold = AnswerContext(tables, "pairs"), tables.gold
            overlap, texts = q.overlap(Words(normalize)), (q.gold_text(normalize), q.predicted_text(normalize))
            return gold, {
                **{k: col(k) for k in tables.keys},
                "answer": col("answer"),
                "predicted_answer": tables.predicted_at(gold, col("predicted_answer")),
                "normalized_answer": texts[0],
                "normalized_prediction": texts[1],
                "exact": gold.column((texts[0] == texts[1]).cast(pl.Float64)),
                "common": overlap.common,
                "f1": gold.column(overlap.f()),
            }

        def order(tables: AnswerTables) -> list[pl.Expr]:
            return [pl.col(tables.inputs.names["item_id"]), pl.col("answer")]

        return request.table(select, "pairs", order)
