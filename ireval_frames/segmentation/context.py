"""The context of measures of segmentations: windows, boundaries, and edits."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames import per
from ireval_frames.documents.context import DocumentContext
from ireval_frames.expr import lit
from ireval_frames.segmentation.tables import SegmentationTables


class SegmentationContext(DocumentContext[SegmentationTables]):
    """What a measure of segmentations computes with.

    Values of a unit are sums over its documents, where it is a group of them.
    """

    @property
    def num_positions(self) -> per.Unit:
        """The number of positions.

        Raises:
            MissingColumn: it is not known.
        """
        return self.over_documents(self.tables.length)

    def num_boundaries(self, side: str) -> per.Unit:
        """The number of boundaries of "gold" or "predicted"."""
        table = self.tables.gold if side == "gold" else self.tables.predicted
        return self.sum(table, table.column(lit(1.0)))

    def matches(self, tolerance: int) -> per.Unit:
        """The largest number of matches of gold and predicted boundaries up to this distance."""
        return self.over_documents(self.tables.matches(tolerance))

    def edits(self, transpositions: int) -> Edits:
        """The edits that make one side's boundaries of the other's.

        Boundaries at a distance below `transpositions` positions are near misses.
        """
        tables = self.tables
        moved, distance = tables.near_misses(transpositions)
        added = tables.unmatched.count(into=tables.documents) - 2.0 * moved
        matches = tables.matches(0)
        return Edits(*(self.over_documents(tables.documents.column(e)) for e in (matches, moved, distance, added)))

    def windows(self, k: int | None, *, padded: bool = False) -> Windows:
        """Windows of k positions, by the policy `window` without k.

        Args:
            k: the distance of the first and last position of a window.
            padded: with k more positions before and behind the document.

        Raises:
            MissingColumn: the lengths of documents are not known.
        """
        return Windows(self, k, padded=padded)


@dataclass(frozen=True)
class Edits:
    """The edits that make one side's boundaries of the other's.

    Attributes:
        matches: the number of boundaries of both sides.
        moved: the number of near misses.
        distance: the sum of their distances.
        added: the number of other boundaries of one side only.
    """

    matches: per.Unit
    moved: per.Unit
    distance: per.Unit
    added: per.Unit


class Windows:
    """The windows of documents, counted in stretches of starts that have the same boundaries inside."""

    def __init__(self, context: SegmentationContext, k: int | None, *, padded: bool) -> None:
        self._context, policy = context, context.tables.policy
        self._starts = context.tables.window_starts(k, policy.window, padded=padded)
        self._one_more = padded and policy.padding == "one-more"

    @property
    def gold(self) -> per.Window:
        """The number of gold boundaries in a window."""
        return self._starts.gold

    @property
    def predicted(self) -> per.Window:
        """The number of predicted boundaries in a window."""
        return self._starts.predicted

    @property
    def number(self) -> per.Unit:
        """The number of windows; of padded ones as the policy `padding` says."""
        return self._context.over_documents(self._starts.of_document + (1.0 if self._one_more else 0.0))

    def sum(self, term: per.Window) -> per.Unit:
        """The sum of a term over all windows."""
        table = self._starts.table
        return self._context.sum(table, table.column(term * self._starts.number))
