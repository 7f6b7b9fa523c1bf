"""Rules of a gate, as text and as values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ireval_frames.errors import InvalidParameter, UnknownName, nearest

FLOOR, CEILING, DROP, NO_LOSS, NON_INFERIOR, SAME, WORST, USUAL = (
    "floor", "ceiling", "drop", "no significant loss", "non-inferior within", "same within", "worst",
    "as usual in last",
)  # fmt: skip
# An example of each; a rule that names no measure is about all of them.
EXAMPLES = {
    FLOOR: "nDCG@10 >= 0.38",
    CEILING: "latency <= 200",
    DROP: "nDCG@10 drop <= 0.01",
    NO_LOSS: "nDCG@10 no significant loss",
    NON_INFERIOR: "nDCG@10 non-inferior within 0.02",
    SAME: "AP same within 1e-9",
    WORST: "units nDCG@10 worst <= 5",
    USUAL: "nDCG@10 as usual in last 20",
}
DROP_FROM_EARLIER = "nDCG@10 drop <= 0.01 from best of last 20"
# Rules that a test decides, and whether an undecided one passes by default.
UNDECIDED = {NO_LOSS: "passes", NON_INFERIOR: "fails"}
# The reference of a drop among earlier evaluations, instead of the baseline.
BEST, MEDIAN, PASSED = "best", "median", "last passed"
EVERYWHERE, OVERALL, SEGMENTS = "", "over all units", "in each segment"
# The loss from which a rule "units … worst" counts a unit, by default.
LOSS = 0.1

_NUMBER = r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
_PATTERNS = {
    WORST: re.compile(rf"units\b\s*(.*?)\s*\bworst\s*<=\s*{_NUMBER}(?:\s+by\s+{_NUMBER})?"),
    DROP: re.compile(
        rf"(.*?)\s*\bdrop\s*<=\s*{_NUMBER}\s*(%)?(?:\s+from\s+(?:({BEST}|{MEDIAN}) of last (\d+)|({PASSED})))?"
    ),
    USUAL: re.compile(r"(.*?)\s*\bas usual in last\s+(\d+)"),
    NON_INFERIOR: re.compile(rf"(.*?)\s*\bnon-inferior within\s+{_NUMBER}"),
    NO_LOSS: re.compile(r"(.*?)\s*\bno significant loss"),
    SAME: re.compile(rf"(.*?)\s*\bsame within\s+{_NUMBER}"),
    FLOOR: re.compile(rf"(.+?)\s*>=\s*{_NUMBER}"),
    CEILING: re.compile(rf"(.+?)\s*<=\s*{_NUMBER}"),
}
_UNDECIDED = re.compile(r"(.*?)\s*,\s*undecided\s+(\w+)", re.DOTALL)
_WHERE = re.compile(rf"(.*?)\s+({OVERALL}|{SEGMENTS})", re.DOTALL)


@dataclass(frozen=True)
class Rule:
    """A requirement on a candidate.

    Attributes:
        kind: floor, ceiling, drop, no significant loss, non-inferior within, same within, worst, or as usual in last.
        measure: the measures it is about, as one text; empty for all.
        limit: the number it names, in units of the measure; of "worst" the number of units; None of "no significant
            loss".
        relative: a drop's limit is a share of the baseline's mean.
        loss: of "worst", the loss above which a unit is counted.
        undecided: "passes" or "fails": what becomes of it if the data show neither, or there is no history yet; empty
            for rules that are never undecided.
        where: "over all units", "in each segment", or empty for both.
        earlier: of a drop: best, median or last passed, of earlier evaluations; empty for the baseline.
        last: the number of earlier evaluations; 0 without history.

    Example:
        >>> from ireval_frames.gating import Rule
        >>> Rule.of("nDCG@10 non-inferior within 0.02, undecided passes").undecided
        'passes'
        >>> str(Rule.of("nDCG@10   drop<=1%"))
        'nDCG@10 drop <= 1%'
    """

    kind: str
    measure: str = ""
    limit: float | None = None
    relative: bool = False
    loss: float = LOSS
    undecided: str = ""
    where: str = EVERYWHERE
    earlier: str = ""
    last: int = 0

    @property
    def historical(self) -> bool:
        """Whether it is about earlier evaluations, and needs no baseline."""
        return self.kind == USUAL or bool(self.earlier)

    @property
    def default_undecided(self) -> str:
        """Whether it passes if undecided, by default; empty for rules that are never undecided."""
        return "passes" if self.historical else UNDECIDED.get(self.kind, "")

    @classmethod
    def of(cls, value: Rule | str | Mapping[str, Any]) -> Rule:
        """A rule from its text, or from a mapping of `rule`, `undecided` and `where`.

        Raises:
            InvalidParameter: it is not a rule, or a number is out of range.
            UnknownName: a mapping has a key that rules do not have.
        """
        if isinstance(value, Rule):
            return value
        if isinstance(value, Mapping):
            return _from_mapping(value)
        if not isinstance(value, str):
            raise InvalidParameter(f"{value!r} is no rule.", _examples())
        return _parse(value)

    def __str__(self) -> str:
        limit = "" if self.limit is None else _number(self.limit * 100.0 if self.relative else self.limit)
        match self.kind:
            case "worst":
                core = f"units {self.measure} worst <= {limit}"
                core += "" if self.loss == LOSS else f" by {_number(self.loss)}"
            case "floor" | "ceiling":
                core = f"{self.measure} {'>=' if self.kind == FLOOR else '<='} {limit}"
            case "drop":
                core = f"{self.measure} drop <= {limit}{'%' if self.relative else ''}"
                core += f" from {self.earlier}" if self.earlier else ""
                core += f" of last {self.last}" if self.last else ""
            case "as usual in last":
                core = f"{self.measure} {self.kind} {self.last}"
            case _:
                core = f"{self.measure} {self.kind} {limit}"
        where = f" {self.where}" if self.where else ""
        explicit = self.undecided != self.default_undecided
        return " ".join(core.split()) + where + (f", undecided {self.undecided}" if explicit else "")


def parse_rules(value: Any) -> tuple[Rule, ...]:
    """Rules from one text (semicolons or lines between them), one rule, or several of either; without repetitions.

    Raises:
        InvalidParameter: there is none, or one is no rule.
    """
    if isinstance(value, str):
        rules = [Rule.of(part) for part in re.split(r"[;\n]", value) if part.strip()]
    elif isinstance(value, Rule | Mapping) or not isinstance(value, Iterable):
        rules = [Rule.of(value)]
    else:
        rules = [rule for part in value for rule in parse_rules(part)]
    if not rules:
        raise InvalidParameter("No rule is named.", f'Write rules="{NO_LOSS}", a rule for every measure.')
    return tuple(dict.fromkeys(rules))


def _parse(text: str) -> Rule:
    rest, undecided, where = " ".join(text.split()), "", EVERYWHERE
    if match := _UNDECIDED.fullmatch(rest):
        rest, undecided = match[1], match[2]
    if match := _WHERE.fullmatch(rest):
        rest, where = match[1], match[2]
    for kind, pattern in _PATTERNS.items():
        if match := pattern.fullmatch(rest):
            measure, *numbers = match.groups()
            return _from_match(kind, measure, numbers, undecided, where, text)
    raise InvalidParameter(f"{text!r} is no rule.", _examples())


def _from_match(kind: str, measure: str, numbers: list[str | None], undecided: str, where: str, text: str) -> Rule:
    limit = float(numbers[0]) if numbers and numbers[0] is not None else None
    rule = Rule(kind, measure, limit, where=where)
    if kind == DROP:
        _, share, earlier, last, passed = numbers
        rule = replace(rule, earlier=earlier or passed or "", last=int(last or 0))
        rule = replace(rule, relative=True, limit=float(limit or 0.0) / 100.0) if share else rule
    if kind == USUAL:
        rule = replace(rule, limit=None, last=int(numbers[0] or 0))
    if kind == WORST and numbers[1] is not None:
        rule = replace(rule, loss=float(numbers[1]))
    return _check(replace(rule, undecided=undecided or rule.default_undecided), text)


def _check(rule: Rule, text: str) -> Rule:
    """The rule, if its numbers are allowed.

    Raises:
        InvalidParameter: one is not.
    """
    for number in (rule.limit, rule.loss):
        if number is not None and not math.isfinite(number):
            raise InvalidParameter(f"{text!r} names {number}; a number is finite.", _examples(rule.kind))
    if rule.limit is not None and rule.kind not in (FLOOR, CEILING) and rule.limit < 0:
        raise InvalidParameter(f"{text!r} names {rule.limit:g}; it must be at least 0.", _examples(rule.kind))
    if rule.kind == NON_INFERIOR and not rule.limit:
        raise InvalidParameter(
            f"{text!r} names a margin of 0; it must be above 0.", 'Write "no significant loss" for none.'
        )
    if rule.kind == WORST and (rule.loss < 0 or not float(rule.limit or 0.0).is_integer()):
        raise InvalidParameter(f"{text!r}: units are counted in whole numbers, losses from 0.", _examples(WORST))
    if rule.last < (3 if rule.kind == USUAL else 1) and (rule.kind == USUAL or rule.earlier in (BEST, MEDIAN)):
        least = "three" if rule.kind == USUAL else "one"
        raise InvalidParameter(
            f"{text!r} looks at {rule.last} earlier evaluations; {least} at least.", _examples(USUAL)
        )
    if rule.undecided not in (("passes", "fails") if rule.default_undecided else ("",)):
        if not rule.default_undecided:
            what = "no test decides it, so it is never undecided"
            raise InvalidParameter(f"{text!r}: {what}.", _examples(rule.kind))
        raise InvalidParameter(f"{text!r}: undecided is {rule.undecided!r}.", "Write undecided passes, or fails.")
    return rule


def _from_mapping(values: Mapping[str, Any]) -> Rule:
    keys = ("rule", "undecided", "where")
    for name in values:
        if name not in keys:
            raise UnknownName(f"A rule has no {name!r}.", nearest(str(name), keys))
    if not isinstance(values.get("rule"), str):
        raise InvalidParameter(f"{dict(values)!r} has no text of a rule.", f'Write {{"rule": "{EXAMPLES[NO_LOSS]}"}}.')
    rule = Rule.of(values["rule"])
    if "where" in values:
        if values["where"] not in (EVERYWHERE, OVERALL, SEGMENTS):
            raise InvalidParameter(f"where is {values['where']!r}.", f"Write {OVERALL!r} or {SEGMENTS!r}.")
        rule = replace(rule, where=values["where"])
    if "undecided" in values:
        rule = _check(replace(rule, undecided=values["undecided"]), values["rule"])
    return rule


def _number(number: float) -> str:
    """The shortest text that gives the number again."""
    return f"{round(number, 12):g}" if float(f"{round(number, 12):g}") == number else repr(number)


def _examples(kind: str = "") -> str:
    examples = [EXAMPLES[kind]] if kind else [*EXAMPLES.values(), DROP_FROM_EARLIER]
    return "Write, for example, " + ", ".join(f'"{example}"' for example in examples) + "."
