"""The verdict of each rule on each cell: pass, fail, undecided or incomparable."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ireval_frames.comparison.text.tables import p_value
from ireval_frames.errors import listed
from ireval_frames.gating.cells import NAMED, Cell, largest_first
from ireval_frames.gating.history_rules import HistoryVerdict, Lookup, judge_history
from ireval_frames.gating.options import GateOptions
from ireval_frames.gating.rules import (
    CEILING,
    DROP,
    EVERYWHERE,
    FLOOR,
    NO_LOSS,
    NON_INFERIOR,
    OVERALL,
    SAME,
    SEGMENTS,
    Rule,
)
from ireval_frames.gating.tests import EXACT, TestOutcome, run_tests, units_needed
from ireval_frames.stats.corrections import corrected
from ireval_frames.stats.sample import Array

NO_OUTCOME = TestOutcome()
PASS, FAIL, UNDECIDED, INCOMPARABLE = "pass", "fail", "undecided", "incomparable"


@dataclass(frozen=True, eq=False)
class Verdict:
    """The verdict of a rule on a cell.

    Attributes:
        rule, cell: the rule, and what it is about.
        verdict: pass, fail, undecided or incomparable.
        reason: in words.
        observed: the number that is compared with the rule's limit.
        limit: that limit, in units of the measure (of "worst" a number of units, of "no significant loss" a p-value).
        outcome: of a test; its interval is the one that decides, or two-sided for rules without a test.
        p_adjusted: of "no significant loss", by Holm.
        history: of rules about history, the comparison with earlier means.
    """

    rule: Rule
    cell: Cell
    verdict: str
    reason: str
    observed: float = math.nan
    limit: float = math.nan
    outcome: TestOutcome = NO_OUTCOME
    p_adjusted: float = math.nan
    history: HistoryVerdict | None = None

    @property
    def passed(self) -> bool:
        """Whether the rule lets the candidate pass."""
        return self.verdict == PASS or (self.verdict == UNDECIDED and self.rule.undecided == "passes")


def judge(
    rules: Sequence[tuple[Rule, Sequence[str]]],
    cells: Sequence[Cell],
    options: GateOptions,
    reasons: Sequence[str],
    lookup: Lookup | None = None,
) -> list[Verdict]:
    """A verdict per rule and cell that it is about.

    Args:
        rules: each with the measures that it is about.
        cells: the values.
        options: of the tests.
        reasons: why the two sides cannot be compared at all; empty if they can.
        lookup: finds the earlier evaluations of a cell in a store, for rules about history.
    """
    pairs = [
        (rule, i)
        for rule, measures in rules
        for i, cell in enumerate(cells)
        if cell.measure in measures and rule.where in (EVERYWHERE, OVERALL if cell.segment is None else SEGMENTS)
    ]
    used = {i: cells[i] for _, i in pairs}
    compared = {i: cell for i, cell in used.items() if not (np.isnan(cell.before).any() or not len(cell.before))}
    two_sided = run_tests(compared, options, "two-sided")
    margins = {i for rule, i in pairs if rule.kind == NON_INFERIOR and i in compared}
    greater, less = (run_tests({i: cells[i] for i in margins}, options, side) for side in ("greater", "less"))
    losses = [i for rule, i in pairs if rule.kind == NO_LOSS and i in compared and not (reasons or cells[i].reasons)]
    adjusted = _holm(list(dict.fromkeys(losses)), two_sided)
    verdicts = []
    for rule, i in pairs:
        cell, outcome = cells[i], two_sided.get(i, NO_OUTCOME)
        if rule.historical and lookup is not None and len(cell.after):
            past = judge_history(rule, cell, lookup(cell, rule), options.confidence)
            verdict = Verdict(rule, cell, past.verdict, past.reason, past.observed, past.limit, history=past)
        elif not len(cell.after):
            limit = math.nan if rule.limit is None else rule.limit
            verdict = Verdict(rule, cell, INCOMPARABLE, "no unit has a value", limit=limit)
        elif rule.kind == NO_LOSS:
            verdict = _significant_loss(rule, cell, outcome, adjusted.get(i, math.nan), options)
        elif rule.kind == NON_INFERIOR:
            verdict = _non_inferior(rule, cell, outcome, greater.get(i, outcome), less.get(i, outcome), options)
        else:
            verdict = _point(rule, cell, outcome)
        if incomparable := (*reasons, *cell.reasons):
            verdict = replace(verdict, verdict=INCOMPARABLE, reason="; ".join(incomparable))
        verdicts.append(verdict)
    return verdicts


def _holm(cells: Sequence[int], outcomes: Mapping[int, TestOutcome]) -> dict[int, float]:
    """The adjusted p-values of all rules "no significant loss" together; undefined ones are not counted."""
    if not cells:
        return {}
    return dict(zip(cells, corrected(np.array([outcomes[i].p_value for i in cells]), "holm").tolist(), strict=True))


def _point(rule: Rule, cell: Cell, outcome: TestOutcome) -> Verdict:
    """Rules that compare numbers, without a test; numbers that differ by rounding are equal."""
    limit = float(rule.limit or 0.0)
    observed: float
    match rule.kind:
        case k if k in (FLOOR, CEILING):
            observed, tolerance = float(cell.after.mean()), cell.mean_tolerance
            passes = observed >= limit - tolerance if k == FLOOR else observed <= limit + tolerance
            reason = f"the mean is {observed:.4f}, {'at least' if k == FLOOR else 'at most'} {limit:g} is required"
        case k if k == DROP:
            limit *= abs(float(cell.before.mean())) if rule.relative else 1.0
            observed, tolerance = float(cell.loss.mean()), cell.loss_tolerance
            passes = observed <= limit + tolerance
            reason = f"the mean is worse by {observed:.4f}" if observed > tolerance else "the mean is not worse"
            reason += f", at most {limit:.4g} is allowed"
        case k if k == SAME:
            sizes = np.abs(cell.difference)
            observed, n = float(sizes.max()), int((sizes > limit + cell.tolerance).sum())
            passes = n == 0
            units = f": {_largest(cell, sizes, n)}" if n else ""
            reason = f"{n} of {len(sizes)} units differ by more than {limit:g}{units}"
        case _:
            observed = float((cell.loss > rule.loss + cell.tolerance).sum())
            passes = observed <= limit
            reason = f"{observed:.0f} of {len(cell.after)} units lose more than {rule.loss:g}, {limit:.0f} may"
    return Verdict(rule, cell, PASS if passes else FAIL, reason, observed, limit, outcome)


def _largest(cell: Cell, sizes: Array, n: int) -> str:
    """The units that differ most, and how many more do."""
    most = largest_first(sizes)[: min(n, NAMED)]
    return listed([", ".join(map(str, cell.units.row(int(i)))) for i in most], NAMED, n)


def _significant_loss(rule: Rule, cell: Cell, outcome: TestOutcome, adjusted: float, options: GateOptions) -> Verdict:
    """It fails if the test rejects after Holm, and passes if the interval has no loss in it."""
    level = 1.0 - options.confidence
    lowest = -outcome.high if cell.lower_is_better else outcome.low
    if math.isnan(outcome.p_value):
        verdict, reason = UNDECIDED, f"there is no test: {outcome.status}"
    elif adjusted <= level and cell.loss.mean() > 0:
        verdict, reason = FAIL, f"a loss of {cell.loss.mean():.4f} is shown (p adjusted {p_value(adjusted)})"
    elif lowest >= 0:
        verdict, reason = PASS, "the interval has no loss in it"
    elif needed := units_needed(options, len(cell.after), 2):
        reason = f"no loss can be shown with {_n_units(cell)}: the {outcome.test} test needs {needed}"
        verdict = UNDECIDED
    else:
        verdict, reason = UNDECIDED, "neither a loss is shown nor that there is none"
    return Verdict(rule, cell, verdict, reason, adjusted, level, outcome, adjusted)


def _n_units(cell: Cell) -> str:
    return f"{len(cell.after)} unit{'' if len(cell.after) == 1 else 's'}"


def _non_inferior(
    rule: Rule, cell: Cell, both: TestOutcome, greater: TestOutcome, less: TestOutcome, options: GateOptions
) -> Verdict:
    """By the one-sided intervals: the largest loss that is possible, and the smallest."""
    margin = float(rule.limit or 0.0)
    falling = cell.lower_is_better
    if both.status in EXACT:
        shift = both.low if falling else -both.low
        # A loss equal to the margin is not below it, whatever the last digit.
        most = least = margin if abs(shift - margin) <= cell.loss_tolerance else shift + 0.0
        verdict = PASS if most < margin else FAIL
    else:
        most, least = (greater.high, less.low) if falling else (-greater.low, -less.high)
        verdict = PASS if most < margin else FAIL if least > margin else UNDECIDED
    low, high = (least, most) if falling else (-most, -least)
    p = float(verdict != PASS) if both.status in EXACT else _p_of_margin(cell, margin, options)
    outcome = TestOutcome(p, low, high, both.test, both.status)
    if math.isnan(most):
        reason = f"there is no interval: {both.status}"
    elif math.isinf(most):
        needed = units_needed(options, len(cell.after), 1)
        reason = f"no margin can be shown with {_n_units(cell)}: the {both.test} test needs {needed}"
    else:
        reason = f"the loss may be up to {most:.4f}, it must be below {margin:g}"
        reason += f"; it is at least {least:.4f}" if verdict == FAIL else ""
    return Verdict(rule, cell, verdict, reason, most, margin, outcome)


def _p_of_margin(cell: Cell, margin: float, options: GateOptions) -> float:
    """The one-sided p-value of the hypothesis that the candidate is worse by the margin."""
    shifted = replace(cell, after=cell.after + (-margin if cell.lower_is_better else margin))
    return run_tests({0: shifted}, options, "greater")[0].p_value


def exit_code(verdicts: Sequence[Verdict]) -> int:
    """The exit code: 0 if all pass, 3 if a rule failed, else 4 if something could not be compared."""
    if any(not v.passed and v.verdict != INCOMPARABLE for v in verdicts):
        return 3
    return 4 if any(v.verdict == INCOMPARABLE for v in verdicts) else 0
