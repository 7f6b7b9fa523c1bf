"""How long requests take, how many are answered, and what they cost.

The family's measures are attributes of this module: `ir.timings.Latency(p=95)`.
"""

from ireval_frames import catalog as _catalog
from ireval_frames.conventions.timings import TimingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.timings.formats.ann_benchmarks import read_ann_benchmarks, read_ann_benchmarks_table
from ireval_frames.timings.formats.hdr_histogram import read_hdr_histogram
from ireval_frames.timings.formats.k6 import read_k6
from ireval_frames.timings.formats.prometheus import read_prometheus
from ireval_frames.timings.formats.summaries import read_locust, read_wrk
from ireval_frames.timings.histogram import Histogram
from ireval_frames.timings.sample_sizes import requests_needed
from ireval_frames.timings.subject import Timings

__all__ = [
    "Histogram",
    "TimingPolicy",
    "Timings",
    "read_ann_benchmarks",
    "read_ann_benchmarks_table",
    "read_hdr_histogram",
    "read_k6",
    "read_locust",
    "read_prometheus",
    "read_wrk",
    "requests_needed",
]


def __getattr__(name: str) -> Measure:
    """The measure of timings of that name."""
    return _catalog.attribute(name, "timings", __name__)
