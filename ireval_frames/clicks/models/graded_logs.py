"""Models by grade know no documents, and models by document no grades."""

from __future__ import annotations

from typing import Any

from ireval_frames.errors import MismatchedTables, NotDefined


def of_documents(what: str, *, graded: bool) -> None:
    """Refuse a model by grade, which knows no documents.

    Raises:
        NotDefined: it is one.
    """
    if graded:
        raise NotDefined(
            f"The click model is by grade, and has no {what} of documents.", "Fit one to the log itself: log.fit."
        )


def same_documents(log: Any, *, graded: bool) -> None:
    """Refuse a log of documents for a model by grade, and the other way.

    Raises:
        MismatchedTables: they do not go together.
    """
    if graded != getattr(log, "by_grade", False):
        raise MismatchedTables(
            f"The click model is by {'grade' if graded else 'document'}, and the log is not.",
            "Write log.graded(qrels)." if graded else "Hand in the log itself.",
        )
