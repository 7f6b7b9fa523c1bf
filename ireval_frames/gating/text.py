"""A gate as plain text: a table of verdicts, reasons, worst units, what differs, conventions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from ireval_frames.comparison.text import tables as text_tables
from ireval_frames.comparison.text.tables import Block, Cell, Tables, interval_of, number, signed
from ireval_frames.escaping import plain
from ireval_frames.gating.changes import GRADE, Changes
from ireval_frames.gating.options import GateOptions
from ireval_frames.gating.rule_results import RuleResult
from ireval_frames.gating.rules import NO_LOSS, NON_INFERIOR, USUAL
from ireval_frames.gating.tests import POWER, units_needed

# How many judgments are named.
NAMED = 3
NUMBERS = ("n", "wins/ties/losses", "baseline", "candidate", "difference", "interval", "detectable difference")
OUTCOME = {0: "passed", 3: "failed", 4: "not comparable"}


@dataclass(frozen=True, eq=False)
class GateReport:
    """The content of all texts.

    Attributes:
        results: the rules and their verdicts.
        changes: what differs between the sides.
        options: how rules were tested.
        exit_code: of the gate.
        origins: which sides are stored evaluations, and which ones.
        overlap: by side, sentences about ids that only one of its tables has.
    """

    results: Sequence[RuleResult]
    changes: Changes
    options: GateOptions
    exit_code: int
    origins: Mapping[str, str] = field(default_factory=dict)
    overlap: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def headline(self) -> str:
        """The verdict of the gate, and the number of rules by verdict."""
        counts = sorted(Counter(result.verdict for result in self.results).items())
        listed = ", ".join(f"{n} {verdict}" for verdict, n in counts)
        return f"gate {OUTCOME[self.exit_code]}: {listed.replace('undecided, ', 'undecided that ')}"

    @property
    def ordered(self) -> list[RuleResult]:
        """What did not pass first."""
        return sorted(self.results, key=lambda r: (r.values["passed"], not r.failed))

    @property
    def not_passed(self) -> list[RuleResult]:
        """What did not pass, failures first."""
        return [result for result in self.ordered if not result.values["passed"]]

    @property
    def has_segments(self) -> bool:
        """Whether a rule is about a segment."""
        return any(r.segment is not None for r in self.results)

    @property
    def has_candidates(self) -> bool:
        """Whether there are several candidates."""
        return len({r.values["candidate"] for r in self.results}) > 1


def render(report: GateReport, width: int | None = None) -> str:
    """The report as plain text; names from data stay on their line, and no line begins with one.

    Args:
        report: the report.
        width: the width of a line; where the table is wider, a rule's numbers stand below it.
    """
    table = text_tables.text(replace(tables(report), notes=())).rstrip("\n")
    if width is not None and max(map(len, table.split("\n"))) > width:
        table = "\n".join(_narrow(report))
    notes = list(_notes(report))
    return "\n".join([report.headline, "", table, *([""] if notes else []), *notes]).rstrip("\n")


def tables(report: GateReport) -> Tables:
    """The verdicts as a table, with notes."""
    segments, several = report.has_segments, report.has_candidates
    words = ["verdict", "rule", *(["run"] if several else []), *(["segment"] if segments else [])]
    rows = []
    for result in report.results:
        v = result.values
        texts = [result.verdict, plain(v["rule"]) + (f" ({plain(result.measure)})" if result.measure else "")]
        texts += [plain(v["candidate"])] if several else []
        texts += [result.where or "all"] if segments else []
        rows.append(tuple(Cell(t) for t in [*texts, *formatted(v)]))
    notes = (report.headline, *_notes(report))
    return Tables(Block("", (*words, *NUMBERS), tuple(rows), len(words)), (), notes)


def _narrow(report: GateReport) -> Iterator[str]:
    """Two lines per rule, for narrow terminals."""
    for result in report.results:
        n, wins, before, after, difference, interval, detectable = formatted(result.values)
        candidate = f" of {plain(result.values['candidate'])}" if report.has_candidates else ""
        yield f"{result.verdict}: {result.title}{candidate}"
        yield f"  n {n}, {wins}, {before} → {after}, {difference} {interval}, detectable {detectable}"
    yield "n, wins/ties/losses, baseline → candidate, difference, interval, detectable difference"


def formatted(v: Mapping[str, Any]) -> list[str]:
    """The numbers of a row, in the order of NUMBERS."""
    wins = "/".join(str(v[c]) for c in ("wins", "ties", "losses")) if v["wins"] is not None else "–"
    return [
        str(v["n"]), wins, number(v["mean_baseline"]), number(v["mean"]), signed(v["difference"]),
        interval_of(v["ci_low"], v["ci_high"]), number(v["detectable_difference"]),
    ]  # fmt: skip


def _notes(report: GateReport) -> Iterator[str]:
    """Reasons of what did not simply pass, worst units, what differs, and conventions."""
    for result in report.ordered:
        v = result.values
        blind = v["kind"] == NO_LOSS and v["verdict"] == "undecided" and units_needed(report.options, v["n"], 2)
        # A rule that cannot fail says so where it passes.
        if not v["passed"] or blind:
            yield f"{result.verdict}: {result.title} of {plain(v['candidate'])}: {plain(v['reason'])}"
    shown = set()
    for result in report.ordered:
        v = result.values
        key = (v["measure"], result.where, v["candidate"])
        if result.worst and key not in shown and (result.segment is None or result.failed):
            shown.add(key)
            where = f" [{result.where}]" if result.segment is not None else ""
            units = "; ".join(loss_text(unit) for unit in result.worst)
            yield f"worst units: {plain(v['measure'])}{where} of {plain(v['candidate'])}: {units}"
    yield from differences(report)
    yield from conventions(report)


def loss_text(unit: Mapping[str, Any]) -> str:
    """A unit with its difference and both values."""
    values = f"{number(unit['baseline'])} → {number(unit['candidate'])}"
    return f"{unit_text(unit)} {signed(unit['difference'])} ({values})"


def unit_text(unit: Mapping[str, Any]) -> str:
    """The ids of a unit."""
    return ", ".join(plain(v) for v in unit["unit"].values())


def differences(report: GateReport) -> Iterator[str]:
    """Stored sides, and whether conventions and judgments differ, are the same, or are unknown."""
    changes = report.changes
    for name, origin in report.origins.items():
        yield f"{name}: {plain(origin)}"
    for name, sentences in report.overlap.items():
        yield from (f"{name}: {plain(sentence)}" for sentence in sentences)
    for what, pairs in (("policy", changes.policy), ("version", changes.versions)):
        for name, (before, after) in pairs.items():
            yield f"{what}: {plain(name)} is {plain(before)} in the baseline, {plain(after)} in the candidate"
    if changes.digests:
        yield f"judgments: {changes.digests}; to see which differ, store the judgments: store.keep(ev), --keep"
    if changes.judgments is not None and changes.judgments.height:
        keys = [c for c in changes.judgments.columns if not c.startswith(f"{GRADE}_")]
        rows = changes.judgments.head(NAMED).iter_rows(named=True)
        shown = "; ".join(
            f"{' '.join(plain(row[k]) for k in keys)}: {_grade(row[f'{GRADE}_baseline'])} → "
            f"{_grade(row[f'{GRADE}_candidate'])}"
            for row in rows
        )
        more = changes.judgments.height - NAMED
        yield f"judgments: {changes.judgments.height} differ: {shown}" + (f"; {more} more" if more > 0 else "")
    differ = bool(changes.digests) or (changes.judgments is not None and changes.judgments.height > 0)
    same = ["policy"] if changes.policy_known and not changes.policy else []
    same += ["judgments"] if changes.judgments_known and not differ else []
    if same:
        yield f"same on both sides: {' and '.join(same)}"
    unknown = [] if changes.policy_known else ["policy"]
    unknown += [] if changes.judgments_known else ["judgments"]
    if unknown and changes.compared:
        yield f"not known of both sides: {' and '.join(unknown)}"


def _grade(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"


def conventions(report: GateReport) -> Iterator[str]:
    """How several rules are combined, and what the detectable difference is."""
    kinds = [r.values["kind"] for r in report.results]
    level = f"{report.options.confidence * 100:g}%"
    if NO_LOSS in kinds:
        p_values = f"the {n} p-values are" if (n := kinds.count(NO_LOSS)) > 1 else "several p-values are"
        yield f"{NO_LOSS}: one rejection fails the gate, so {p_values} corrected (Holm); intervals two-sided, {level}"
    if NON_INFERIOR in kinds:
        yield f"{NON_INFERIOR}: all must hold, so each is tested without a correction; intervals one-sided, {level}"
    if USUAL in kinds:
        yield f"as usual: the one-sided prediction interval of one more mean, {level}, each without a correction"
    if any(r.values["detectable_difference"] is not None for r in report.results):
        yield (
            f"detectable difference: the smallest margin that these units would show with power {POWER:g} if "
            "nothing had changed"
        )
    few = {
        r.values["n"]
        for r in report.results
        if r.values["wins"] is not None and r.values["detectable_difference"] is None and r.values["n"] > 1
    }
    if few:
        counts = ", ".join(map(str, sorted(few)))
        yield f"detectable difference: none with {counts} units, which are too few to show any margin"


def no_judgments() -> pl.DataFrame:
    """The table of judgments that differ, empty."""
    types = {"query_id": pl.String, "doc_id": pl.String}
    return pl.DataFrame(schema={**types, f"{GRADE}_baseline": pl.Float64, f"{GRADE}_candidate": pl.Float64})
