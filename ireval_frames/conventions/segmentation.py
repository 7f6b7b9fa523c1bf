"""The conventions of segmentations, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import Choice, one_of
from ireval_frames.conventions.documents import DocumentPolicy, of_ratios


@dataclass(frozen=True)
class SegmentationPolicy(DocumentPolicy):
    """The conventions in force for one evaluation of segmentations.

    Fields:
        undefined: a ratio without a denominator is undefined and left out of averages (None), 0, or 1.
        overlap: tables without a document in common are an `error`, tables with few give a warning; or both are
            evaluated without one (`allow`).
        window: the width of windows without `k`: half the mean length of the gold's `segments`, at least 2; or half the
            number of gaps between positions per gold boundary (`boundaries`).
        padding: what the errors in padded windows are divided by: the number of `windows`, or `one-more`.

    Example:
        >>> from ireval_frames.segmentation import SegmentationPolicy
        >>> SegmentationPolicy.named("nltk").window
        'boundaries'
    """

    undefined: int | None = of_ratios()
    window: str = one_of(
        Choice(
            "segments",
            "Without k a window is half the mean length of the gold's segments, halves to the even number, and at "
            "least 2.",
            "segeval",
        ),
        Choice(
            "boundaries",
            "Without k a window is half the number of gaps between positions per gold boundary, halves to the even "
            "number; a document without a boundary counts as one with one.",
            "NLTK",
        ),
    )
    padding: str = one_of(
        Choice("windows", "The errors in padded windows are divided by their number, n + k.", "Lamprier et al., 2007"),
        Choice("one-more", "The errors in padded windows are divided by their number and 1, n + k + 1.", "segeval"),
    )


SegmentationPolicy.presets = {
    "segeval": SegmentationPolicy(padding="one-more"),
    "nltk": SegmentationPolicy(window="boundaries"),
}
