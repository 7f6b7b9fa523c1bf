"""What a task's relations have in common.

How many of a document's relations there are, and how many the other side has.
"""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.expr import Expr
from ireval_frames.plan import Table


@dataclass(frozen=True)
class Relation:
    """The relations of documents that are alike, in a table with a row per kind of them.

    A document of weight w has `related` + `only_itself`·u relations, of which the other side has
    `found` + `with_itself`·u, where u is how much the document itself counts as a partner: 1, or w.
    """

    table: Table
    found: Expr
    related: Expr
    weight: Expr
    """The sum of w over the documents of the row."""
    with_itself: Expr | None = None
    weighed: Expr | None = None
    """The sum of w·u over the documents of the row."""
    only_itself: Expr | None = None
    """1 for documents whose only relation is that to themselves, which both sides have."""
