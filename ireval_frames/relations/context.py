"""The context of measures of relations and events: what their functions compute with."""

from __future__ import annotations

from collections.abc import Callable

from ireval_frames import per
from ireval_frames.documents import compared as comparing
from ireval_frames.documents.compared import Compared, Counts
from ireval_frames.documents.context import DocumentContext
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr
from ireval_frames.relations.tables import RelationTables


class RelationContext(DocumentContext[RelationTables]):
    """What a measure of relations or events computes with."""

    def compared(self, match: str, *, attached: bool = False) -> Compared:
        """The relations, triggers or arguments of both sides, and their counts."""
        return self.tables.compared(match, attached=attached)

    def counts(self, match: str, *, attached: bool = False) -> Counts:
        """The numbers of the gold, of the predictions, and of what both have."""
        return comparing.summed(self, self.compared(match, attached=attached))

    def averaged(
        self, value: Callable[[Counts], Expr], match: str, average: str, *, attached: bool = False
    ) -> per.Unit:
        """A value of the counts of all types, or the mean over types.

        Raises:
            NotDefined: a mean over types of what has no type.
        """
        table = self.compared(match, attached=attached)
        if average != "micro" and table.kind is None:
            raise NotDefined(
                f"{self.measure} is a mean over types, and {match!r} compares no types.",
                "Write match='trigger-classification', or average='micro'.",
            )
        return comparing.averaged(self, table, value, average)

    def f_value(self, counts: Counts, beta: float) -> per.Same:
        """The F of counts."""
        return comparing.f_value(self, counts, beta)

    def equal_sets(self, match: str, *, attached: bool = False) -> per.Unit:
        """The share of documents in which gold and predictions are equal."""
        return comparing.equal_sets(self, self.compared(match, attached=attached))
