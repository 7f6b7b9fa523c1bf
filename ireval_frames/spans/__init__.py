"""Spans of text that are marked and typed: entities and whatever else is marked in documents.

The family's measures are attributes of this module: `ir.spans.F1(match="partial")`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.spans import SpanPolicy
from ireval_frames.declaration import Measure
from ireval_frames.spans.subject import Spans

__all__ = ["SpanPolicy", "Spans"]


def __getattr__(name: str) -> Measure:
    """The measure of spans of that name."""
    return _catalog.attribute(name, "spans", __name__)
