"""A/B tests: metrics of units that were shown one of several variants, and whether the variants differ.

`ir.Experiment` has the table; the metrics are values of this module: `ir.experiments.Mean("revenue")`.
"""

from ireval_frames.experiments.aggregates import Aggregates
from ireval_frames.experiments.analysis import Analysis
from ireval_frames.experiments.experiment import Experiment
from ireval_frames.experiments.metrics import Capped, Mean, Metric, Proportion, Quantile, Ratio
from ireval_frames.experiments.parsing import metrics_of
from ireval_frames.experiments.proportions import two_proportions

__all__ = [
    "Aggregates",
    "Analysis",
    "Capped",
    "Experiment",
    "Mean",
    "Metric",
    "Proportion",
    "Quantile",
    "Ratio",
    "metrics_of",
    "two_proportions",
]
