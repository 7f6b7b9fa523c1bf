"""Measures of probabilities given the outcomes: log loss and Brier score, also relative to the base rate."""

from __future__ import annotations

import sys

import polars as pl

from ireval_frames.catalog import measure
from ireval_frames.errors import InvalidValue
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.scores.proper_scores import outcomes
from ireval_frames.labels.scores.thresholds import Scores
from ireval_frames.parameters import number
from ireval_frames.plan import Table

READS = ("score",)
INFINITE = float("inf")
# Any number of items times this is at most 1.
SCALE_OF_COUNTS = 2.0**-64
EPS = number(
    sys.float_info.epsilon,
    "probabilities are clipped to this and 1 minus this",
    low=0.0,
    high=0.5,
    open_ends=True,
)


@measure(
    "labels",
    "LogLoss",
    parameters={"eps": EPS},
    aliases=("CrossEntropy", "KLDivergence"),
    at="",
    range=(0.0, INFINITE),
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="−mean(y·ln p + (1−y)·ln(1−p))",
    source="Good, Journal of the Royal Statistical Society B 14, 1952; scikit-learn, which clips at the same eps",
)
def LogLoss(u: LabelContext, eps: float) -> Expr:
    """The mean negative logarithm of the probability of the outcome, in nats.

    LogLoss = −1/n Σ_i [y_i·ln p_i + (1−y_i)·ln(1−p_i)], with p clipped to eps … 1−eps; with `probabilities` of several
    classes −1/n Σ_i ln p_i(label), over the items whose label has one.  It is also the mean Kullback-Leibler
    divergence of the probabilities from the labels.

    Columns: label, and score, the probability of the positive class, or `probabilities`.
    Range: 0 upwards, lower is better.  Undefined without items.  Raises InvalidValue for scores outside of 0 to 1;
    warns of probabilities of several classes that do not sum to 1 (by more than 0.01), and takes them as they are.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("LogLoss").summary()["value"].round(4).to_list()
        [0.601]
    """
    s = outcomes(u)
    return u.ratio(s.log_losses(eps), s.total)


@measure(
    "labels",
    "Brier",
    aliases=("BrierScore",),
    at="",
    range=(0.0, 2.0),
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="mean((p − y)²)",
    source="Brier, Monthly Weather Review 78, 1950",
)
def Brier(u: LabelContext) -> Expr:
    """The mean squared difference of the probability and the outcome.

    Brier = 1/n Σ_i (p_i − y_i)²; with `probabilities` of several classes 1/n Σ_i Σ_k (p_ik − y_ik)².  For two
    classes the sum is halved, so that both forms agree; Brier did not halve it.

    Columns: label, and score, the probability of the positive class, or `probabilities`.
    Range: 0 to 1 (several classes: to 2), lower is better.  Undefined without items.  Raises InvalidValue for scores
    outside of 0 to 1; warns of probabilities of several classes that do not sum to 1 (by more than 0.01).

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("Brier").summary()["value"].round(4).to_list()
        [0.2112]
    """
    s = outcomes(u)
    return u.ratio(s.squares, s.total)


@measure(
    "labels",
    "D2LogLoss",
    parameters={"eps": EPS},
    at="",
    range=(-INFINITE, 1.0),
    undefined=None,
    reads=READS,
    formula="1 − LogLoss / LogLoss of the base rate",
    source="McFadden 1974; scikit-learn's d2_log_loss_score",
)
def D2LogLoss(u: LabelContext, eps: float) -> Expr:
    """The reduction of log loss relative to that of the base rate.

    D² = 1 − LogLoss(p) / LogLoss(ȳ), where ȳ are the shares of the classes as probabilities.

    Columns: label, and score, the probability of the positive class, or `probabilities`.
    Range: unbounded below, to 1, higher is better; 0 is the base rate.  Undefined where only one class occurs.  Raises
    InvalidValue for scores outside of 0 to 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("D2LogLoss").summary()["value"].round(4).to_list()
        [0.133]
    """
    s = outcomes(u)
    return when(s.mixed).then(1.0 - s.log_losses(eps) / s.total / s.base_log_loss).otherwise(u.undefined)


@measure(
    "labels",
    "D2Brier",
    aliases=("BrierSkill",),
    at="",
    range=(-INFINITE, 1.0),
    undefined=None,
    reads=READS,
    formula="1 − Brier / (ȳ(1−ȳ))",
    source="Murphy, Monthly Weather Review 101, 1973; scikit-learn's d2_brier_score",
)
def D2Brier(u: LabelContext) -> Expr:
    """The Brier skill score: the reduction of the Brier score relative to that of the base rate.

    D² = 1 − Brier(p) / (ȳ(1−ȳ)), where ȳ is the share of the positive class; for several classes
    1 − Brier(p) / Σ_k ȳ_k(1−ȳ_k).

    Columns: label, and score, the probability of the positive class, or `probabilities`.
    Range: unbounded below, to 1, higher is better; 0 is the base rate.  Undefined where only one class occurs.  Raises
    InvalidValue for scores outside of 0 to 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("D2Brier").summary()["value"].round(4).to_list()
        [0.155]
    """
    s = outcomes(u)
    return when(s.mixed).then(1.0 - s.squares / s.total / s.base_square).otherwise(u.undefined)


@measure(
    "labels",
    "Hinge",
    aliases=("HingeLoss",),
    at="",
    range=(0.0, INFINITE),
    higher_is_better=False,
    undefined=None,
    reads=READS,
    formula="mean(max(0, 1 − y·s))",
    source="Crammer and Singer, Journal of Machine Learning Research 2, 2001, for several classes; scikit-learn",
)
def Hinge(u: LabelContext) -> Expr:
    """The mean hinge loss, the loss of support vector machines: how far margins are below 1.

    Hinge = 1/n Σ_i max(0, 1 − y_i·s_i) with y = 1 for the positive class and −1 for the rest; scores are decision
    values, with the boundary 0.  With values of several classes, passed as `probabilities`,
    1/n Σ_i max(0, 1 − (s_i(label) − max_{k≠label} s_i(k))), over the items whose label has one.  If all items have
    the positive class, scikit-learn treats it as the negative one.

    Columns: label, and score, or `probabilities`.
    Range: 0 upwards, lower is better.  Undefined without items.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Labels(ir.examples.scores()).evaluate("Hinge").summary()["value"].round(4).to_list()
        [0.8875]
    """
    if u.tables.inputs.probabilities is None:
        s = Scores(u)
        margin = when(s.has_class).then(s.score).otherwise(-s.score)
        return _mean_loss(u, s.items, s.items.column(1.0 - margin, "lacks"))
    u.single_only()
    rows, items, value, gold = u.tables.scored, u.tables.item_scores, col("probability"), u.tables.gold_at_scored()
    own = rows.max(when(gold > 0).then(value), into=items)
    other = rows.max(when(gold == 0).then(value), into=items)
    return _mean_loss(u, items, items.column(1.0 - own + other, "lacks"))


def _mean_loss(u: LabelContext, table: Table, loss: Expr) -> Expr:
    """The weighted mean of positive losses, scaled so that the sum does not overflow."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del rows
        return InvalidValue(
            f"{count} items have decision values whose difference exceeds the largest float, 1.8e308.",
            "Divide all values by one number.",
        )

    u.tables.plan.require(table, ~loss.is_finite(), error)
    rows = u.tables.plan.selected(f"margins_of_{table.name}", table.keys, table)
    scale = u.tables.scale(rows)
    share = lit(SCALE_OF_COUNTS) if scale is None else u.tables.weight_at(rows) * scale
    known = ~loss.is_null()
    return u.ratio(
        rows.sum(when(loss > 0).then(loss * share).otherwise(0.0)),
        rows.sum(when(known).then(share).otherwise(0.0)),
    )
