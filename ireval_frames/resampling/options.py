"""The options of a bootstrap, and the statuses of its rows."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.parameters import CONFIDENCE, SEED, BaseOptions, choice, option, whole
from ireval_frames.resampling.intervals import METHODS, Method

# With fewer, intervals are too short: they contain the true value less often than their confidence.
FEW_CLUSTERS = 20
# Replicates that show whether draws change a value whose slopes are all 0.
TRIED = 20
# Aggregations for which resampling is unreliable.
EXTREMES = ("min", "max")
STATUS = {
    "ok": "no remarks",
    "undefined": "the value is undefined, or too few replicates are",
    "one_unit": "there is one unit: an estimate without interval",
    "few_clusters": f"fewer than {FEW_CLUSTERS} clusters are resampled, so that intervals are too short",
    "extreme": "the value is a largest or a smallest one, for which resampling is unreliable",
    "biased": "replicates differ from the value by more than half a standard error, or the interval excludes it: "
    "draw larger units (cluster=), or use bca or basic",
    "degenerate": "replicates do not vary, or no unit changes the value, so that the interval has no width; or all lie "
    "on one side of the value, so that it is percentile",
    "not_smooth": "draws change the value, and small changes of weights do not, so that there is no interval by the "
    "delta method: use percentile",
    "identical": "both systems have one value in all replicates: p is 1, the interval [0, 0]",
    "infinite": "the value or a replicate is infinite: the ends are replicates, and there is no standard error",
    "no_share": "the measure is no share of items, so that there is no Wilson interval",
    "no_area": "the measure is no area under a ROC curve, or a class has fewer than two items",
}
N_RESAMPLES = whole(1000, "replicates", 2)


@dataclass(frozen=True)
class ResamplingOptions(BaseOptions):
    """Options of resampling.

    Attributes:
        method: of intervals.
        confidence: of intervals.
        n_resamples: the number of replicates.
        seed: of the draws.
    """

    method: Method = option(choice("percentile", *METHODS, what="the method of intervals"))
    confidence: float = option(CONFIDENCE)
    n_resamples: int = option(N_RESAMPLES)
    seed: int = option(SEED)
