"""How long requests take, how many are answered, and what they cost.

The family's measures are attributes of this module: `ir.timings.Latency(p=95)`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.timings import TimingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.timings.sample_sizes import requests_needed
from ireval_frames.timings.subject import Timings

__all__ = ["TimingPolicy", "Timings", "requests_needed"]


def __getattr__(name: str) -> Measure:
    """The measure of timings of that name."""
    return _catalog.attribute(name, "timings", __name__)
