"""Click logs: result pages with what was shown and clicked.

The family's measures are attributes of this module: `ir.clicks.COEC(shrinkage=1)`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.clicks.reading import read_clicks
from ireval_frames.clicks.subject import Impressions
from ireval_frames.clicks.ubi import from_ubi
from ireval_frames.declaration import Measure

__all__ = ["Impressions", "from_ubi", "read_clicks"]


def __getattr__(name: str) -> Measure:
    """The measure of click logs of that name."""
    return _catalog.attribute(name, "clicks", __name__)
