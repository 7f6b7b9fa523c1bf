"""The context of measures of links and slots: what their functions compute with."""

from __future__ import annotations

from collections.abc import Callable

from ireval_frames import per
from ireval_frames.documents import compared as comparing
from ireval_frames.documents.compared import Compared, Counts
from ireval_frames.documents.context import DocumentContext
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr
from ireval_frames.links.tables import Judged, LinkTables

On = str | tuple[str, ...] | None


class LinkContext(DocumentContext[LinkTables]):
    """What a measure of links or slots computes with."""

    def judged(self, on: On, where: str | None) -> Judged:
        """The links of both sides that are equal in all columns of `on`, their counts, and why some are not correct."""
        return self.tables.compared(on, where)

    def compared(self, on: On, where: str | None, match: str) -> Compared:
        """The links of both sides, and their counts."""
        return self.judged(on, where) if match == "strong" else self.tables.overlapping(match, on, where)

    def counts(self, on: On, where: str | None) -> Counts:
        """The numbers of the gold, of the predictions, and of what both have."""
        return comparing.summed(self, self.judged(on, where))

    def averaged(
        self, value: Callable[[Counts], Expr], on: On, where: str | None, match: str, average: str
    ) -> per.Unit:
        """A value of the counts of all types, or the mean over types.

        Raises:
            NotDefined: a mean over types, and types are not compared.
        """
        table = self.compared(on, where, match)
        if average != "micro" and table.kind is None:
            raise NotDefined(
                f"{self.measure} is a mean over types, and types are not compared.",
                "Compare them, too: on=['start', 'end', 'type', 'kb_id'], or write average='micro'.",
            )
        return comparing.averaged(self, table, value, average)

    def f_value(self, counts: Counts, beta: float) -> per.Same:
        """The F of counts."""
        return comparing.f_value(self, counts, beta)

    def equal_sets(self, on: On, where: str | None) -> per.Unit:
        """The share of documents in which gold and predictions are equal."""
        return comparing.equal_sets(self, self.judged(on, where))
