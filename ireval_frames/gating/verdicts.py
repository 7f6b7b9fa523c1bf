"""What each rule says of each cell: pass, fail, undecided or incomparable."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ireval_frames.comparison.text.written import p_value
from ireval_frames.errors import listed
from ireval_frames.gating.cells import NAMED, Cell, largest_first
from ireval_frames.gating.rules import (
    CEILING,
    DROP,
    EVERYWHERE,
    FLOOR,
    NO_HARM,
    NOT_WORSE,
    OVERALL,
    SAME,
    SEGMENTS,
    Rule,
)
from ireval_frames.gating.tested import EXACT, Found, GateOptions, fewest, tested
from ireval_frames.gating.usual import Held, Look, held
from ireval_frames.stats.corrections import corrected
from ireval_frames.stats.sample import Array

NOTHING = Found()
PASS, FAIL, UNDECIDED, INCOMPARABLE = "pass", "fail", "undecided", "incomparable"


@dataclass(frozen=True, eq=False)
class Verdict:
    """A rule and a cell, and what came of it.

    Attributes:
        rule, cell: which.
        verdict: pass, fail, undecided or incomparable.
        reason: in words.
        observed: the number that is held against the rule's limit.
        limit: that limit, in units of the measure (of "worst" a number of units, of "no harm" a p-value).
        found: of a test; its interval is that which decides, or two-sided for rules without a test.
        p_adjusted: of "no harm", by Holm.
        past: of rules about history, what the mean is held against.
    """

    rule: Rule
    cell: Cell
    verdict: str
    reason: str
    observed: float = math.nan
    limit: float = math.nan
    found: Found = NOTHING
    p_adjusted: float = math.nan
    past: Held | None = None

    @property
    def passed(self) -> bool:
        """Whether the gate stays open."""
        return self.verdict == PASS or (self.verdict == UNDECIDED and self.rule.undecided == "passes")


def judged(
    rules: Sequence[tuple[Rule, Sequence[str]]],
    cells: Sequence[Cell],
    options: GateOptions,
    whole: Sequence[str],
    look: Look | None = None,
) -> list[Verdict]:
    """A verdict per rule and cell that it is about.

    Args:
        rules: each with the measures that it is about.
        cells: what they look at.
        options: how tests are done.
        whole: why the two sides cannot be compared at all; empty if they can.
        look: what a store has of a cell, for rules about history.
    """
    pairs = [
        (rule, i)
        for rule, measures in rules
        for i, cell in enumerate(cells)
        if cell.measure in measures and _about(rule, cell)
    ]
    used = {i: cells[i] for _, i in pairs}
    compared = {i: cell for i, cell in used.items() if not (np.isnan(cell.before).any() or not len(cell.before))}
    both = tested(compared, options, "two-sided")
    margins = {i for rule, i in pairs if rule.kind == NOT_WORSE and i in compared}
    better, worse = (tested({i: cells[i] for i in margins}, options, side) for side in ("greater", "less"))
    alarms = [i for rule, i in pairs if rule.kind == NO_HARM and i in compared and not (whole or cells[i].reasons)]
    adjusted = _holm(list(dict.fromkeys(alarms)), both)
    out = []
    for rule, i in pairs:
        cell, found = cells[i], both.get(i, NOTHING)
        if rule.historical and look is not None and len(cell.after):
            past = held(rule, cell, look(cell, rule), options.confidence)
            told = Verdict(rule, cell, past.verdict, past.reason, past.observed, past.limit, past=past)
        else:
            told = _of(rule, cell, found, adjusted.get(i, math.nan), better.get(i), worse.get(i), options)
        if reasons := (*whole, *cell.reasons):
            told = replace(told, verdict=INCOMPARABLE, reason="; ".join(reasons))
        out.append(told)
    return out


def _about(rule: Rule, cell: Cell) -> bool:
    return rule.where in (EVERYWHERE, OVERALL if cell.segment is None else SEGMENTS)


def _holm(alarms: Sequence[int], found: Mapping[int, Found]) -> dict[int, float]:
    """The adjusted p-values of all rules "no harm" together; undefined ones are not counted."""
    if not alarms:
        return {}
    return dict(zip(alarms, corrected(np.array([found[i].p_value for i in alarms]), "holm").tolist(), strict=True))


def _of(
    rule: Rule,
    cell: Cell,
    found: Found,
    adjusted: float,
    better: Found | None,
    worse: Found | None,
    options: GateOptions,
) -> Verdict:
    if not len(cell.after):
        return Verdict(rule, cell, INCOMPARABLE, "no unit has a value", limit=_or_nan(rule.limit))
    match rule.kind:
        case "no harm":
            return _no_harm(rule, cell, found, adjusted, options)
        case "not worse by":
            return _not_worse(rule, cell, found, better or found, worse or found, options)
        case _:
            verdict, observed, limit, reason = _point(rule, cell)
            return Verdict(rule, cell, verdict, reason, observed, limit, found)


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def _point(rule: Rule, cell: Cell) -> tuple[str, float, float, str]:
    """Rules that look at numbers and not at what could be by chance; numbers that differ by rounding are equal."""
    limit = float(rule.limit or 0.0)
    observed: float
    match rule.kind:
        case k if k in (FLOOR, CEILING):
            observed, off = float(cell.after.mean()), cell.off_mean
            good = observed >= limit - off if k == FLOOR else observed <= limit + off
            reason = f"the mean is {observed:.4f}, {'at least' if k == FLOOR else 'at most'} {limit:g} is asked"
        case k if k == DROP:
            limit *= abs(float(cell.before.mean())) if rule.relative else 1.0
            observed, off = float(cell.loss.mean()), cell.off_loss
            good = observed <= limit + off
            reason = f"the mean is worse by {observed:.4f}" if observed > off else "the mean is not worse"
            reason += f", at most {limit:.4g} is allowed"
        case k if k == SAME:
            apart = np.abs(cell.difference)
            observed, n = float(apart.max()), int((apart > limit + cell.beside).sum())
            good = n == 0
            reason = f"{n} of {len(apart)} units differ by more than {limit:g}" + (
                f": {_named(cell, apart, n)}" if n else ""
            )
        case _:
            observed = float((cell.loss > rule.loss + cell.beside).sum())
            good = observed <= limit
            reason = f"{observed:.0f} of {len(cell.after)} units lose more than {rule.loss:g}, {limit:.0f} may"
    return (PASS if good else FAIL), observed, limit, reason


def _named(cell: Cell, apart: Array, n: int) -> str:
    """The units that differ most, and how many more do."""
    most = largest_first(apart)[: min(n, NAMED)]
    return listed([", ".join(map(str, cell.units.row(int(i)))) for i in most], NAMED, n)


def _no_harm(rule: Rule, cell: Cell, found: Found, adjusted: float, options: GateOptions) -> Verdict:
    """A loss is shown if the test rejects after Holm; none is possible if the interval has no loss in it."""
    level = 1.0 - options.confidence
    lowest = -found.high if cell.falling else found.low
    if math.isnan(found.p_value):
        verdict, reason = UNDECIDED, f"there is no test: {found.status}"
    elif adjusted <= level and cell.loss.mean() > 0:
        verdict, reason = FAIL, f"a loss of {cell.loss.mean():.4f} is shown (p adjusted {p_value(adjusted)})"
    elif lowest >= 0:
        verdict, reason = PASS, "the interval has no loss in it"
    elif needed := fewest(options, len(cell.after), 2):
        verdict, reason = UNDECIDED, f"no loss can be shown with {_counted(cell)}: the {found.test} test needs {needed}"
    else:
        verdict, reason = UNDECIDED, "neither a loss is shown nor that there is none"
    return Verdict(rule, cell, verdict, reason, adjusted, level, found, adjusted)


def _counted(cell: Cell) -> str:
    return f"{len(cell.after)} unit{'' if len(cell.after) == 1 else 's'}"


def _not_worse(rule: Rule, cell: Cell, both: Found, better: Found, worse: Found, options: GateOptions) -> Verdict:
    """Both one-sided intervals: the loss that is the largest still possible, and the smallest."""
    margin = float(rule.limit or 0.0)
    if both.status in EXACT:
        shift = both.low if cell.falling else -both.low
        # A loss that is the margin itself is not below it, whatever the last digit.
        most = least = margin if abs(shift - margin) <= cell.off_loss else shift + 0.0
        verdict = PASS if most < margin else FAIL
    else:
        most, least = (better.high, worse.low) if cell.falling else (-better.low, -worse.high)
        verdict = PASS if most < margin else FAIL if least > margin else UNDECIDED
    low, high = (least, most) if cell.falling else (-most, -least)
    p = float(verdict != PASS) if both.status in EXACT else _p_of_margin(cell, margin, options)
    found = Found(p, low, high, both.test, both.status)
    if math.isnan(most):
        reason = f"there is no interval: {both.status}"
    elif math.isinf(most):
        needed = fewest(options, len(cell.after), 1)
        reason = f"no margin can be shown with {_counted(cell)}: the {both.test} test needs {needed}"
    else:
        reason = f"the loss may be up to {most:.4f}, it must be below {margin:g}"
        reason += f"; it is at least {least:.4f}" if verdict == FAIL else ""
    return Verdict(rule, cell, verdict, reason, most, margin, found)


def _p_of_margin(cell: Cell, margin: float, options: GateOptions) -> float:
    """How likely a candidate that is worse by the margin looks as good as this one: the p-value of the rule's test."""
    shifted = replace(cell, after=cell.after + (-margin if cell.falling else margin))
    return tested({0: shifted}, options, "greater")[0].p_value


def closed(verdicts: Sequence[Verdict]) -> int:
    """The exit code: 0 if all pass, 3 if a rule failed, else 4 if something could not be compared."""
    if any(not v.passed and v.verdict != INCOMPARABLE for v in verdicts):
        return 3
    return 4 if any(v.verdict == INCOMPARABLE for v in verdicts) else 0
