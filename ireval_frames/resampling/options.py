"""The options of a bootstrap, and what its rows may say of themselves."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.parameters import CONFIDENCE, SEED, BaseOptions, choice, option, whole
from ireval_frames.resampling.intervals import METHODS, Method

# With fewer, intervals are too short: they hold the true value less often than they say.
FEW_CLUSTERS = 20
# Aggregations that resampling says little of.
EXTREMES = ("min", "max")
STATUS = {
    "ok": "nothing is special",
    "undefined": "the value is undefined, or too few replicates are",
    "one_unit": "there is one unit: an estimate, no interval",
    "few_clusters": f"fewer than {FEW_CLUSTERS} clusters are resampled, so that intervals are too short",
    "extreme": "the value is a largest or a smallest one, which resampling says little of",
    "biased": "replicates lie beside the value, by more than half a standard error, or the interval does not hold it: "
    "draw larger units (cluster=), or take bca or basic",
    "degenerate": "replicates do not vary, or no unit changes the value, so that the interval has no width; or all lie "
    "on one side of the value, so that it is percentile",
    "identical": "both systems have one value in all replicates: p is 1, the interval [0, 0]",
    "no_share": "the measure is no share of items, so that there is no Wilson interval",
    "no_area": "the measure is no area under a ROC curve, or a class has fewer than two items",
}


N_RESAMPLES = whole(1000, "how often is resampled", 2)


@dataclass(frozen=True)
class ResamplingOptions(BaseOptions):
    """How to resample.

    Attributes:
        method: of intervals.
        confidence: of intervals.
        n_resamples: how many.
        seed: of the draws.
    """

    method: Method = option(choice("percentile", *METHODS, what="of intervals"))
    confidence: float = option(CONFIDENCE)
    n_resamples: int = option(N_RESAMPLES)
    seed: int = option(SEED)
