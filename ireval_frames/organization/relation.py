"""The number of a document's relations in a task, and how many of them the other side has."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.expr import Expr
from ireval_frames.plan import Table


@dataclass(frozen=True)
class Relation:
    """The relations of documents, in a table with a row per group of equal documents.

    A document of weight w has `related` + `only_itself`·u relations, of which the other side has `agreed` +
    `with_itself`·u, where u is the weight of the document as its own partner: 1, or w.
    """

    table: Table
    agreed: Expr
    related: Expr
    weight: Expr
    """The sum of w over the documents of the row."""
    with_itself: Expr | None = None
    weight_with_itself: Expr | None = None
    """The sum of w·u over the documents of the row."""
    only_itself: Expr | None = None
    """1 for documents that are related to themselves alone, on both sides."""
