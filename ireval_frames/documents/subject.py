"""The base of subjects that compare what gold and predictions have in documents."""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import Any, ClassVar, TypeVar

import polars as pl

from ireval_frames.columns.user_names import named_columns
from ireval_frames.conventions.documents import DocumentPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.subject import Subject

P = TypeVar("P", bound=DocumentPolicy)


class DocumentSubject(Subject[P, Evaluation]):
    """Gold and predictions of what is in documents.

    Subclasses name their family, conventions, requests, and columns of results, and give their arguments for columns.
    """

    _evaluations = Evaluation
    # The column that identifies documents.
    _document: ClassVar[str] = "doc_id"

    def __init__(
        self,
        gold: Any,
        predicted: Any,
        *,
        named: Mapping[str, str | None],
        documents: Any = None,
        more: Mapping[str, Any] | None = None,
        by: str | Sequence[str] = (),
        policy: P | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        """`named` has the arguments that name one column each, `more` further tables by name."""
        self._columns = named_columns(columns, named)
        documents = ids_as_table(documents, self._columns.get(self._document, self._document), "documents")
        super().__init__(
            {"gold": gold, "predicted": predicted, "documents": documents, **(more or {})},
            first="gold",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )


def ids_as_table(ids: Any, name: str, argument: str) -> Any:
    """The table of these ids, each once; anything else as it is.

    Args:
        ids: what was passed.
        name: the column that the ids become.
        argument: the argument that it was passed as.

    Raises:
        InvalidParameter: they are of several types.
    """
    if ids is None or isinstance(ids, str) or not is_of_ids(ids):
        return ids
    ids = ids.to_list() if isinstance(ids, pl.Series) else ids.tolist() if hasattr(ids, "tolist") else ids
    try:
        return pl.DataFrame({name: list(dict.fromkeys(ids))})
    except TypeError as error:
        raise InvalidParameter(
            f"{argument}= are ids of several types, or no ids: {str(error).splitlines()[0]}.",
            Hint("Name them all as text, or all as numbers: ", Argument(argument, ["d1", "d2"]), "."),
        ) from error


def is_of_ids(documents: Any) -> bool:
    """Whether these are the ids of documents, not a table."""
    several = isinstance(documents, list | tuple | set | frozenset | range | Iterator | KeysView | ValuesView)
    # Arrays and series have one dimension, tables have two.
    return several or isinstance(documents, pl.Series) or getattr(documents, "ndim", 0) == 1
