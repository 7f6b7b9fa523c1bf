"""The conventions of timings, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import OURS, Choice, Conventions, known_units, one_of

HDR, ANN, K6 = "HdrHistogram", "ann-benchmarks", "k6"


@dataclass(frozen=True)
class TimingPolicy(Conventions):
    """The conventions in force for one evaluation of timings.

    Fields:
        failures: the latency of a request that failed: `infinite`; its own seconds, such as those of a timeout
            (`recorded`); or it has none and is left out (`skip`).
        repetitions: which requests of a query count for latencies: `all`; one latency of each query, which is the
            smallest (`min`), the `median` or the `mean` of its repetitions; or the repetition with the smallest mean
            of all (`best`).
        since: latencies are counted from the `scheduled` start, where there is one; or from when requests were `sent`.
        units: rows whose unit is null, which would be one unit together: an `error`, or left out (`drop-null`).

    Example:
        >>> from ireval_frames.timings import TimingPolicy
        >>> TimingPolicy(failures="skip").since
        'scheduled'
    """

    failures: str = one_of(
        Choice("infinite", "A request that failed has an infinite latency.", OURS),
        Choice("recorded", "A request that failed has its own seconds, such as those of a timeout.", K6),
        Choice("skip", "A request that failed has no latency and is left out; ErrorRate counts it.", ANN),
    )
    repetitions: str = one_of(
        Choice("all", "Every repetition of a query is a request.", OURS),
        Choice("min", "A query has one latency, the smallest of its repetitions.", "timeit"),
        Choice("median", "A query has one latency, the median of its repetitions.", OURS),
        Choice("mean", "A query has one latency, the mean of its repetitions.", OURS),
        Choice("best", "Latencies are those of the repetition whose mean latency is the smallest.", ANN),
    )
    since: str = one_of(
        Choice("scheduled", "Latencies are counted from the scheduled start, where the table has one.", HDR),
        Choice("sent", "Latencies are counted from when the request was sent.", K6),
    )
    units: str = known_units()
