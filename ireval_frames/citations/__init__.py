"""Citations in generated answers: whether what a sentence cites supports it.

The family's measures are attributes of this module: `ir.citations.CitationPrecision(first=1)`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.citations.subject import Citations
from ireval_frames.conventions.citations import CitationPolicy
from ireval_frames.declaration import Measure

__all__ = ["CitationPolicy", "Citations"]


def __getattr__(name: str) -> Measure:
    """The measure of citations of that name."""
    return _catalog.attribute(name, "citations", __name__)
