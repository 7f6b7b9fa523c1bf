"""Rules of a gate: what each says, as text and as a value."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ireval_frames.errors import InvalidParameter, UnknownName, nearest

FLOOR, CEILING, DROP, NO_HARM, NOT_WORSE, SAME, WORST, USUAL = (
    "floor", "ceiling", "drop", "no harm", "not worse by", "same within", "worst", "as usual in last",
)  # fmt: skip
# How each is written; a rule that names no measure is about all of them.
FORMS = {
    FLOOR: "nDCG@10 >= 0.38",
    CEILING: "latency <= 200",
    DROP: "nDCG@10 drop <= 0.01",
    NO_HARM: "nDCG@10 no harm",
    NOT_WORSE: "nDCG@10 not worse by 0.02",
    SAME: "AP same within 1e-9",
    WORST: "units nDCG@10 worst <= 5",
    USUAL: "nDCG@10 as usual in last 20",
}
FROM = "nDCG@10 drop <= 0.01 from best of last 20"
# Rules that a test decides, and which verdict "undecided" becomes where nothing is said.
UNDECIDED = {NO_HARM: "passes", NOT_WORSE: "fails"}
# What a drop is from, instead of the baseline: of earlier evaluations in a store.
BEST, MEDIAN, PASSED = "best", "median", "last passed"
EVERYWHERE, OVERALL, SEGMENTS = "", "over all units", "in each segment"
# What a unit of a rule "units … worst" loses at least, where nothing is said.
LOSS = 0.1

_NUMBER = r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
_PATTERNS = {
    WORST: re.compile(rf"units\b\s*(.*?)\s*\bworst\s*<=\s*{_NUMBER}(?:\s+by\s+{_NUMBER})?"),
    DROP: re.compile(
        rf"(.*?)\s*\bdrop\s*<=\s*{_NUMBER}\s*(%)?(?:\s+from\s+(?:({BEST}|{MEDIAN}) of last (\d+)|({PASSED})))?"
    ),
    USUAL: re.compile(r"(.*?)\s*\bas usual in last\s+(\d+)"),
    NOT_WORSE: re.compile(rf"(.*?)\s*\bnot worse by\s+{_NUMBER}"),
    NO_HARM: re.compile(r"(.*?)\s*\bno harm"),
    SAME: re.compile(rf"(.*?)\s*\bsame within\s+{_NUMBER}"),
    FLOOR: re.compile(rf"(.+?)\s*>=\s*{_NUMBER}"),
    CEILING: re.compile(rf"(.+?)\s*<=\s*{_NUMBER}"),
}
_UNDECIDED = re.compile(r"(.*?)\s*,\s*undecided\s+(\w+)", re.DOTALL)
_WHERE = re.compile(rf"(.*?)\s+({OVERALL}|{SEGMENTS})", re.DOTALL)


@dataclass(frozen=True)
class Rule:
    """What must hold of a candidate.

    Attributes:
        kind: floor, ceiling, drop, no harm, not worse by, same within, worst, or as usual in last.
        measure: the measures it is about, as one text; empty for all.
        limit: the number it names, in units of the measure; of "worst" how many units; of "no harm" none.
        relative: a drop's limit is a share of the baseline's mean.
        loss: of "worst", what a unit loses at least to be counted.
        undecided: "passes" or "fails": what it counts that the data show neither, or that there is no history yet;
            empty for rules that are never undecided.
        where: "over all units", "in each segment", or empty for both.
        earlier: of a drop: best, median or last passed, of earlier evaluations; empty for the baseline.
        last: how many earlier evaluations are looked at; 0 where none are.

    Example:
        >>> from ireval_frames.gating import Rule
        >>> Rule.of("nDCG@10 not worse by 0.02, undecided passes").undecided
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
    def usually(self) -> str:
        """What undecided counts where nothing is said; empty for rules that are never undecided."""
        return "passes" if self.historical else UNDECIDED.get(self.kind, "")

    @classmethod
    def of(cls, given: Any) -> Rule:
        """A rule from its text, or from a mapping of `rule` and what else it says (`undecided`, `where`).

        Raises:
            InvalidParameter: it is no rule, or a number is outside what it may be.
            UnknownName: a mapping says what rules do not have.
        """
        if isinstance(given, Rule):
            return given
        if isinstance(given, Mapping):
            return _of_mapping(given)
        if not isinstance(given, str):
            raise InvalidParameter(f"{given!r} is no rule.", _forms())
        return _parsed(given)

    def __str__(self) -> str:
        limit = "" if self.limit is None else _written(self.limit * 100.0 if self.relative else self.limit)
        match self.kind:
            case "worst":
                core = f"units {self.measure} worst <= {limit}"
                core += "" if self.loss == LOSS else f" by {_written(self.loss)}"
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
        other = self.undecided != self.usually
        return " ".join(core.split()) + where + (f", undecided {self.undecided}" if other else "")


def rules_of(given: Any) -> tuple[Rule, ...]:
    """Rules from one text (semicolons or lines between them), one rule, or several of either; each once.

    Raises:
        InvalidParameter: there is none, or one is no rule.
    """
    if isinstance(given, str):
        found = [Rule.of(part) for part in re.split(r"[;\n]", given) if part.strip()]
    elif isinstance(given, Rule | Mapping) or not isinstance(given, Iterable):
        found = [Rule.of(given)]
    else:
        found = [rule for part in given for rule in rules_of(part)]
    if not found:
        raise InvalidParameter("No rule is named.", 'Write rules="no harm", which every measure is held to.')
    return tuple(dict.fromkeys(found))


def _parsed(text: str) -> Rule:
    rest, undecided, where = " ".join(text.split()), "", EVERYWHERE
    if found := _UNDECIDED.fullmatch(rest):
        rest, undecided = found[1], found[2]
    if found := _WHERE.fullmatch(rest):
        rest, where = found[1], found[2]
    for kind, pattern in _PATTERNS.items():
        if found := pattern.fullmatch(rest):
            measure, *numbers = found.groups()
            return _checked(kind, measure, numbers, undecided, where, text)
    raise InvalidParameter(f"{text!r} is no rule.", _forms())


def _checked(kind: str, measure: str, numbers: list[str | None], undecided: str, where: str, text: str) -> Rule:
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
    return _valid(replace(rule, undecided=undecided or rule.usually), text)


def _valid(rule: Rule, text: str) -> Rule:
    """The rule, if its numbers are such as it may have.

    Raises:
        InvalidParameter: they are not.
    """
    for number in (rule.limit, rule.loss):
        if number is not None and not math.isfinite(number):
            raise InvalidParameter(f"{text!r} names {number}; a number is finite.", _forms(rule.kind))
    if rule.limit is not None and rule.kind not in (FLOOR, CEILING) and rule.limit < 0:
        raise InvalidParameter(f"{text!r} names {rule.limit:g}; it must be at least 0.", _forms(rule.kind))
    if rule.kind == NOT_WORSE and not rule.limit:
        raise InvalidParameter(f"{text!r} names a margin of 0; it must be above 0.", 'Write "no harm" for none.')
    if rule.kind == WORST and (rule.loss < 0 or not float(rule.limit or 0.0).is_integer()):
        raise InvalidParameter(f"{text!r}: units are counted in whole numbers, losses from 0.", _forms(WORST))
    if rule.last < (3 if rule.kind == USUAL else 1) and (rule.kind == USUAL or rule.earlier in (BEST, MEDIAN)):
        least = "three" if rule.kind == USUAL else "one"
        raise InvalidParameter(f"{text!r} looks at {rule.last} earlier evaluations; {least} at least.", _forms(USUAL))
    if rule.undecided not in (("passes", "fails") if rule.usually else ("",)):
        if not rule.usually:
            raise InvalidParameter(f"{text!r}: no test decides it, so it is never undecided.", f"Write {rule.kind!r}.")
        raise InvalidParameter(f"{text!r}: undecided is {rule.undecided!r}.", "Write undecided passes, or fails.")
    return rule


def _of_mapping(given: Mapping[str, Any]) -> Rule:
    known = ("rule", "undecided", "where")
    for name in given:
        if name not in known:
            raise UnknownName(f"A rule has no {name!r}.", nearest(str(name), known))
    if not isinstance(given.get("rule"), str):
        raise InvalidParameter(f"{dict(given)!r} has no text of a rule.", f'Write {{"rule": "{FORMS[NO_HARM]}"}}.')
    rule = Rule.of(given["rule"])
    if "where" in given:
        if given["where"] not in (EVERYWHERE, OVERALL, SEGMENTS):
            raise InvalidParameter(f"where is {given['where']!r}.", f"Write {OVERALL!r} or {SEGMENTS!r}.")
        rule = replace(rule, where=given["where"])
    if "undecided" in given:
        rule = _valid(replace(rule, undecided=given["undecided"]), given["rule"])
    return rule


def _written(number: float) -> str:
    """The number, as it is read again."""
    return f"{round(number, 12):g}" if float(f"{round(number, 12):g}") == number else repr(number)


def _forms(kind: str = "") -> str:
    shown = [FORMS[kind]] if kind else [*FORMS.values(), FROM]
    return "Write, for example, " + ", ".join(f'"{form}"' for form in shown) + "."
