"""Measures of calibration: whether a share p of the items with probability p has the class."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.scores.bins import CLOSED, KIND, NUMBER, Bins
from ireval_frames.parameters import UPWARDS, choice, whole
from ireval_frames.ratios import indicator, ratio

READS = ("score",)
PARAMETERS = {"bins": NUMBER, "kind": KIND, "closed": CLOSED}
NAEINI = "Naeini, Cooper and Hauskrecht, AAAI 2015"


@measure(
    "labels",
    "ECE",
    parameters=PARAMETERS,
    aliases=("ExpectedCalibrationError",),
    at="bins",
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="Σ over bins of |Σ p − Σ y| / n",
    source=f"{NAEINI}; Guo et al., ICML 2017, for 15 bins; torchmetrics",
)
def ECE(u: LabelContext, bins: int, kind: str, closed: str) -> Expr:
    """The expected calibration error: the mean difference of probabilities and shares of the positive class.

    ECE = Σ_b n_b/n · |mean p − mean y| over the bins.  Bins of equal mass have about equal numbers of items; equal
    probabilities stay together.  torchmetrics gives p = 1 a bin of its own; here it is in the last one.  With
    `probabilities` of several classes p is the highest of an item, and y whether it is that of the label.

    Columns: label, and score, the probability of the positive class, or `probabilities`.
    Range: 0 to 1, lower is better.  Undefined without items.  Raises InvalidValue for scores outside of 0 to 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("ECE ECE(kind='mass')@2").summary()["value"].round(4).to_list()
        [0.2625, 0.0375]
    """
    b = Bins(u, bins, kind, closed)
    return u.ratio(b.table.sum(b.gap.abs()), b.total)


@measure(
    "labels",
    "MCE",
    parameters=PARAMETERS,
    aliases=("MaximumCalibrationError",),
    at="bins",
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="max over bins of |mean p − mean y|",
    source=f"{NAEINI}; torchmetrics",
)
def MCE(u: LabelContext, bins: int, kind: str, closed: str) -> Expr:
    """The largest difference of a bin's mean probability and its share of the positive class.

    MCE = max_b |mean p − mean y| over the bins with items.

    Columns: label, and score, the probability of the positive class, or `probabilities` (see `ECE`).
    Range: 0 to 1, lower is better.  Undefined without items.  Raises InvalidValue for scores outside of 0 to 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("MCE@2").summary()["value"].round(4).to_list()
        [0.12]
    """
    b = Bins(u, bins, kind, closed)
    largest = b.table.max(when(b.n > 0).then(ratio(b.gap.abs(), b.n)))
    return when(b.total > 0).then(largest).otherwise(u.undefined)


@measure(
    "labels",
    "RMSCE",
    parameters=PARAMETERS,
    aliases=("RootMeanSquaredCalibrationError",),
    at="bins",
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="√(Σ over bins of n_b/n·(mean p − mean y)²)",
    source="Kumar, Liang and Ma, NeurIPS 2019; torchmetrics (norm='l2')",
)
def RMSCE(u: LabelContext, bins: int, kind: str, closed: str) -> Expr:
    """The root of the mean squared difference of the bins' probabilities and shares of the positive class.

    RMSCE = √(Σ_b n_b/n · (mean p − mean y)²).

    Columns: label, and score, the probability of the positive class, or `probabilities` (see `ECE`).
    Range: 0 to 1, lower is better.  Undefined without items.  Raises InvalidValue for scores outside of 0 to 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("RMSCE@2").summary()["value"].round(4).to_list()
        [0.1129]
    """
    b = Bins(u, bins, kind, closed)
    mean = u.ratio(b.table.sum(when(b.n > 0).then(b.gap * (ratio(b.gap, b.n))).otherwise(0.0)), b.total)
    return mean.sqrt()


@measure(
    "labels",
    "HosmerLemeshow",
    parameters={
        **PARAMETERS,
        "bins": whole(10, "the number of bins", low=2),
        "kind": choice("mass", "width", what=KIND.what),
    },
    at="bins",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="Σ over bins of (Σ y − Σ p)² / (Σ p·(1 − mean p))",
    source="Hosmer and Lemeshow, Communications in Statistics A 9, 1980",
)
def HosmerLemeshow(u: LabelContext, bins: int, kind: str, closed: str) -> Expr:
    """The Hosmer-Lemeshow statistic: the deviation of the bins' positives from their expectation.

    C = Σ_b (O_b − E_b)² / (E_b·(1 − E_b/n_b)), with O_b positives and E_b = Σ p.  Under a correct model it is about
    chi-square with (bins − 2) degrees of freedom.  The default are the deciles of risk: ten groups of equal numbers of
    items, with equal probabilities together.

    Columns: label, and score, the probability of the positive class, or `probabilities` (see `ECE`).
    Range: 0 upwards, lower is better; infinite where a bin is certain and wrong.  Undefined without items.  Raises
    InvalidValue for scores outside of 0 to 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("HosmerLemeshow@2").summary()["value"].round(4).to_list()
        [0.062]
    """
    b = Bins(u, bins, kind, closed)
    spread = b.table.column(
        when(b.n > 0).then(b.confidence * (ratio(b.n - b.confidence, b.n))).otherwise(0.0), "spread"
    )
    impossible = b.table.sum(indicator((spread <= 0) & (b.gap.abs() > 0)))
    value = b.table.sum(when(spread > 0).then(b.gap * (ratio(b.gap, spread))).otherwise(0.0))
    return when(b.total > 0).then(when(impossible > 0).then(float("inf")).otherwise(value)).otherwise(u.undefined)
