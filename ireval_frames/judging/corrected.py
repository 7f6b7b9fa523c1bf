"""Shares by a judge that errs, corrected with items that people judged too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.columns.user_names import columns_named
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, WrongType, listed, nearest
from ireval_frames.parameters import CONFIDENCE, BaseOptions, choice, option
from ireval_frames.stats.means.prediction_powered import prediction_powered

METHODS = ("rogan-gladen", "predictive-values", "ppi++")
NUMBERS = ("value", "se", "ci_low", "ci_high", "share_of_judge", "sensitivity", "specificity")
NAN = float("nan")


@dataclass(frozen=True)
class CorrectedOptions(BaseOptions):
    """How a share is corrected.

    Attributes:
        method: the estimator.
        errors: whose errors a group's share is corrected for: those in the group, or in all groups together.
        confidence: of intervals.
    """

    method: str = option(choice(*METHODS, what="how the share is corrected"))
    errors: str = option(choice("group", "all", what="whose errors are corrected for"))
    confidence: float = option(CONFIDENCE)


def corrected(
    verdicts: pl.DataFrame,
    *,
    human: str = "human",
    judge: str = "judge",
    positive: Any = 1,
    by: str | Sequence[str] = (),
    method: str = "rogan-gladen",
    errors: str = "group",
    confidence: float = 0.95,
) -> pl.DataFrame:
    """The share of positive items, from verdicts of a judge on all items and of people on some of them.

    With p the judge's share on items that people did not judge, and sensitivity and specificity from those that they
    did:

    - "rogan-gladen": (p + specificity − 1)/(sensitivity + specificity − 1), which holds for any sample of items judged
      by people on which the judge errs as often as elsewhere, also one with as many positive items as negative ones;
      the interval is Lang and Reiczigel's.
    - "predictive-values": Σ over the judge's verdicts of their share on all items · the share of positive items among
      them; for a random sample of items, of which it makes more.
    - "ppi++": the prediction-powered mean; also for a random sample.

    Args:
        verdicts: a frame with a row per item; the verdict of people is null where they did not judge it.
        human: the column of people's verdicts.
        judge: the column of the judge's.
        positive: the verdict that counts: an accuracy is the share of answers that are right.
        by: columns that group results, such as systems.
        method: the estimator.
        errors: whether a group is corrected for the judge's errors in the "group" itself, or in "all" of them, which
            needs fewer items of people, and a judge that favours no group.
        confidence: of intervals, for independent items.

    Returns:
        [by …] value se ci_low ci_high share_of_judge sensitivity specificity n n_human status: shares from 0 to 1;
        `n` items have a verdict of the judge, `n_human` of them one of people.  `status` is "ok", "no_errors" (no
        positive, or no negative item was judged by people, so its rate is unknown), "useless" (sensitivity and
        specificity add to 1 or less: the judge knows nothing), "clipped" (the value would lie outside of 0 and 1) or
        "inconsistent" (so would the interval: the judge errs otherwise on the other items).

    Raises:
        MissingColumn: there is no such column.
        UnknownName, InvalidParameter: an option is not allowed, or no verdict is `positive`, a word.
        WrongType: the verdicts are no frame.

    Source: Rogan and Gladen, American Journal of Epidemiology 1978; Lang and Reiczigel, Preventive Veterinary Medicine
    2014 (the interval); Angelopoulos, Duchi and Zrnic, PPI++, 2023.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> judge = [1] * 60 + [0] * 40 + [1] * 30 + [0] * 20
        >>> human = [None] * 100 + [1] * 27 + [0] * 3 + [1] * 2 + [0] * 18
        >>> table = ir.judging.corrected(pl.DataFrame({"judge": judge, "human": human}))
        >>> table.select(pl.col("value", "ci_low", "ci_high").round(3)).row(0)
        (0.58, 0.394, 0.749)
    """
    options = CorrectedOptions(method, errors, confidence)
    if not isinstance(verdicts, pl.DataFrame):
        raise WrongType(f"The verdicts are of type {type(verdicts).__name__}; they must be a frame.", "Read it first.")
    groups = columns_named(by)
    for name in (human, judge, *groups):
        if name not in verdicts.columns:
            raise MissingColumn(
                f"The table of verdicts has no column {name!r} (it has: {listed(verdicts.columns, 20)}).",
                nearest(name, verdicts.columns)
                if name in groups
                else Hint("Name it: ", Argument("human" if name == human else "judge", _other(verdicts, human, judge))),
            )
    rows = verdicts.drop_nulls(judge)
    _refuse_other_verdict(verdicts, (human, judge), positive)
    try:
        rows = rows.select(*groups, h=(pl.col(human) == positive), j=(pl.col(judge) == positive))
    except pl.exceptions.PolarsError:
        raise InvalidParameter(
            f"positive is {positive!r}, which no verdict of type {verdicts.schema[judge]} can be.",
            Hint("Write ", Argument("positive", _likely(verdicts[judge].drop_nulls().unique().sort().to_list()))),
        ) from None
    cells = rows.group_by(*groups, maintain_order=True).agg(*_COUNTS) if groups else rows.select(*_COUNTS)
    if options.errors == "all" and groups:
        totals = rows.select(*_COUNTS)
        cells = cells.with_columns(pl.lit(totals[c].item()).alias(f"of_all_{c}") for c in _OF_PEOPLE)
    out = [_row(c, options) for c in cells.iter_rows(named=True)]
    schema: dict[str, Any] = dict.fromkeys(NUMBERS, pl.Float64) | {
        "n": pl.Int64, "n_human": pl.Int64, "status": pl.String,
    }  # fmt: skip
    table = pl.concat([cells.select(groups), pl.DataFrame(out, schema=schema, orient="row")], how="horizontal")
    return (
        table.with_columns(pl.selectors.float().fill_nan(None)).sort(groups)
        if groups
        else table.with_columns(pl.selectors.float().fill_nan(None))
    )


_H, _J = pl.col("h"), pl.col("j")
_CELLS = {
    "tp": (_H & _J).sum(), "fn": (_H & ~_J).sum(), "fp": (~_H & _J).sum(), "tn": (~_H & ~_J).sum(),
    "alone": _H.is_null().sum(), "hits": (_H.is_null() & _J).sum(),
}  # fmt: skip
_OF_PEOPLE = ("tp", "fn", "fp", "tn")
_COUNTS = [expression.cast(pl.Float64).alias(name) for name, expression in _CELLS.items()]


def _refuse_other_verdict(verdicts: pl.DataFrame, columns: Sequence[str], positive: Any) -> None:
    """Refuse a word as the positive verdict that no verdict is: it may be misspelt.

    Raises:
        InvalidParameter: no verdict of people or of the judge is this word.
    """
    words = all(verdicts.schema[name] in (pl.String, pl.Null) for name in columns)
    if not isinstance(positive, str) and not (words and isinstance(positive, bool)):
        return
    known = {str(value): value for name in columns for value in verdicts[name].drop_nulls().unique().sort()}
    text = any(verdicts.schema[name] in (pl.String, pl.Categorical, pl.Enum) for name in columns)
    if known and (str(positive) not in known or not text or isinstance(positive, bool)):
        raise InvalidParameter(
            f"positive is {positive!r}, and no verdict is: they are {listed(list(known.values()), 5)}.",
            Hint("Name the verdict that counts: ", Argument("positive", _likely(list(known.values()), str(positive)))),
        )


# What a verdict that counts is often called.
_POSITIVE = ("yes", "true", "1", "correct", "right", "support", "supported", "pass", "positive", "good")


def _likely(known: Sequence[Any], written: str = "") -> Any:
    """The verdict that is meant: that of another spelling, or one that usually counts, else the first."""
    folded = {str(value).lower(): value for value in reversed(known)}
    return next((folded[word] for word in (written.lower(), *_POSITIVE) if word in folded), known[0])


def _other(verdicts: pl.DataFrame, human: str, judge: str) -> str:
    """A column that may hold verdicts: the only one that has no name of another."""
    known = {human, judge}
    signs = [c for c in verdicts.columns if c not in known and re.search(_OF_VERDICTS, c, re.IGNORECASE)]
    return signs[0] if len(signs) == 1 else "their_name"


# Parts of names of columns of verdicts.
_OF_VERDICTS = r"judge|llm|model|human|person|people|gold|label|verdict|annot|rating"


def _row(cells: dict[str, float], options: CorrectedOptions) -> tuple[Any, ...]:
    """The numbers of a group."""
    own = [cells[c] for c in _OF_PEOPLE]
    tp, fn, fp, tn = (cells.get(f"of_all_{c}", cells[c]) for c in _OF_PEOPLE)
    alone, hits, judged = cells["alone"], cells["hits"], sum(own)
    n = alone + judged
    share = (hits + own[0] + own[2]) / n if n else NAN
    sensitivity, specificity = (x / (x + y) if x + y else NAN for x, y in ((tp, fn), (tn, fp)))
    if alone == 0:
        hits, alone = own[0] + own[2], judged
    status = "ok"
    if options.method == "rogan-gladen":
        estimate, status = _rogan_gladen(hits, alone, tp, fn, fp, tn, options.confidence)
    elif options.method == "predictive-values":
        estimate = _predictive(share, n, tp, fn, fp, tn, options.confidence)
        status = "ok" if not np.isnan(estimate[0]) else "no_errors"
    else:
        y = np.repeat([1.0, 1.0, 0.0, 0.0], [int(c) for c in own])
        f = np.repeat([1.0, 0.0, 1.0, 0.0], [int(c) for c in own])
        rest = np.repeat([1.0, 0.0], [int(cells["hits"]), int(cells["alone"] - cells["hits"])])
        powered = prediction_powered(y, f, rest, options.confidence)
        estimate = (powered.value, powered.se, powered.low, powered.high)
        status = "ok" if not np.isnan(powered.value) else "no_errors"
    return (*estimate, share, sensitivity, specificity, int(n), int(judged), status)


Estimate = tuple[float, float, float, float]
UNDEFINED: Estimate = (NAN, NAN, NAN, NAN)


def _rogan_gladen(
    hits: float, n: float, tp: float, fn: float, fp: float, tn: float, confidence: float
) -> tuple[Estimate, str]:
    """The estimate of Rogan and Gladen with the interval of Lang and Reiczigel, and its status."""
    from scipy.special import ndtri

    positive, negative = tp + fn, tn + fp
    if not (n and positive and negative):
        return UNDEFINED, "no_errors"
    sensitivity, specificity = tp / positive, tn / negative
    youden = sensitivity + specificity - 1
    if youden <= 0:
        return UNDEFINED, "useless"
    p = hits / n
    value = (p + specificity - 1) / youden
    variance = p * (1 - p) / n + value**2 * sensitivity * (1 - sensitivity) / positive
    variance += (1 - value) ** 2 * specificity * (1 - specificity) / negative
    z = float(ndtri((1 + confidence) / 2))
    # Shares with a few items more of each kind, so that a rate of 1 has an error too.
    shrunk = (hits + z * z / 2) / (n + z * z)
    se_, sp_ = (tp + 1) / (positive + 2), (tn + 1) / (negative + 2)
    youden_ = se_ + sp_ - 1
    if youden_ <= 0:
        return UNDEFINED, "useless"
    at = (shrunk + sp_ - 1) / youden_
    of_se, of_sp = se_ * (1 - se_) / (positive + 2), sp_ * (1 - sp_) / (negative + 2)
    middle = at + 2 * z * z * (at * of_se - (1 - at) * of_sp)
    half = z * np.sqrt(shrunk * (1 - shrunk) / (n + z * z) + at**2 * of_se + (1 - at) ** 2 * of_sp) / youden_
    low, high, clipped = middle - half, middle + half, min(1.0, max(0.0, value))
    if high < 0 or low > 1:
        return UNDEFINED, "inconsistent"
    ends = min(clipped, max(0.0, low)), max(clipped, min(1.0, high))
    estimate = (clipped, float(np.sqrt(variance) / youden), float(ends[0]), float(ends[1]))
    return estimate, "ok" if clipped == value else "clipped"


def _predictive(share: float, n: float, tp: float, fn: float, fp: float, tn: float, confidence: float) -> Estimate:
    """Σ share of a verdict · share of positive items among it, with the delta method."""
    from scipy.special import ndtri

    yes, no = tp + fp, fn + tn
    if not n or (share > 0 and not yes) or (share < 1 and not no):
        return UNDEFINED
    good, missed = tp / yes if yes else 0.0, fn / no if no else 0.0
    value = share * good + (1 - share) * missed
    variance = share**2 * good * (1 - good) / max(yes, 1) + (1 - share) ** 2 * missed * (1 - missed) / max(no, 1)
    variance += share * (1 - share) * (good - missed) ** 2 / n
    se = float(np.sqrt(variance))
    away = float(ndtri((1 + confidence) / 2)) * se
    return value, se, max(0.0, value - away), min(1.0, value + away)
