"""A gate as plain text: a table of verdicts, reasons, worst units, what differs, conventions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from ireval_frames.comparison.text import written
from ireval_frames.comparison.text.written import Block, Cell, Tables, interval_of, number, signed
from ireval_frames.escaping import plain
from ireval_frames.gating.changes import GRADE, Changes
from ireval_frames.gating.facts import Fact
from ireval_frames.gating.rules import NO_HARM, NOT_WORSE, USUAL
from ireval_frames.gating.tested import POWER, GateOptions, fewest

# Judgments that are named.
NAMED = 3
NUMBERS = ("n", "wins/ties/losses", "baseline", "candidate", "difference", "interval", "smallest margin")
OUTCOME = {0: "passed", 3: "failed", 4: "not comparable"}


@dataclass(frozen=True, eq=False)
class Told:
    """All that texts are made of; `origins` says which sides are stored evaluations, and which ones.

    `overlap` is what the evaluation of each side said of ids that are in one of its tables only.
    """

    facts: Sequence[Fact]
    changes: Changes
    options: GateOptions
    exit_code: int
    origins: Mapping[str, str] = field(default_factory=dict)
    overlap: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def headline(self) -> str:
        """The verdict of all, and how many rules came to which."""
        counts: dict[str, int] = {}
        for one in self.facts:
            counts[one.verdict] = counts.get(one.verdict, 0) + 1
        told = ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items()))
        return f"gate {OUTCOME[self.exit_code]}: {told.replace('undecided, ', 'undecided that ')}"

    @property
    def ordered(self) -> list[Fact]:
        """What did not pass first."""
        return sorted(self.facts, key=lambda f: (f.values["passed"], not f.failed))


def text(told: Told, width: int | None = None) -> str:
    """The whole as plain text; names from data stay on their line, and no line begins with one.

    Args:
        told: what is told.
        width: how many signs a line may have; where the table has more, a rule's numbers stand below it.
    """
    table = written.text(replace(tables(told), notes=())).rstrip("\n")
    if width is not None and max(map(len, table.split("\n"))) > width:
        table = "\n".join(_upright(told))
    parts = [told.headline, "", table]
    notes = list(notes_of(told))
    return "\n".join([*parts, *([""] if notes else []), *notes]).rstrip("\n")


def tables(told: Told) -> Tables:
    """The verdicts as a table, with notes."""
    segments = any(f.segment is not None for f in told.facts)
    several = len({f.values["candidate"] for f in told.facts}) > 1
    words = ["verdict", "rule", *(["run"] if several else []), *(["segment"] if segments else [])]
    rows = []
    for one in told.facts:
        v = one.values
        about = "" if plain(v["measure"]) in plain(v["rule"]) else f" ({plain(v['measure'])})"
        texts = [one.verdict, plain(v["rule"]) + about]
        texts += [plain(v["candidate"])] if several else []
        texts += [one.where or "all"] if segments else []
        texts += counts_of(v)
        rows.append(tuple(Cell(t) for t in texts))
    return Tables(Block("", (*words, *NUMBERS), tuple(rows), len(words)), (), (told.headline, *notes_of(told)))


def _upright(told: Told) -> Iterator[str]:
    """Two lines per rule, for narrow places."""
    several = len({f.values["candidate"] for f in told.facts}) > 1
    for one in told.facts:
        n, wins, before, after, difference, interval, margin = counts_of(one.values)
        yield f"{one.verdict}: {one.title}" + (f" of {plain(one.values['candidate'])}" if several else "")
        yield f"  n {n}, {wins}, {before} → {after}, {difference} {interval}, margin {margin}"
    yield "n, wins/ties/losses, baseline → candidate, difference with its interval, smallest margin"


def counts_of(v: Mapping[str, Any]) -> list[str]:
    """Units, wins, means, difference, interval and smallest margin, as texts."""
    wins = "/".join(str(v[c]) for c in ("wins", "ties", "losses")) if v["wins"] is not None else "–"
    return [
        str(v["n"]), wins, number(v["mean_baseline"]), number(v["mean"]), signed(v["difference"]),
        interval_of(v["ci_low"], v["ci_high"]), number(v["smallest_margin"]),
    ]  # fmt: skip


def notes_of(told: Told) -> Iterator[str]:
    """Reasons of what did not simply pass, worst units, what differs, and what was asked."""
    for one in told.ordered:
        v = one.values
        blind = v["kind"] == NO_HARM and v["verdict"] == "undecided" and fewest(told.options, v["n"], 2)
        # A rule that cannot fail says so where it passes.
        if not v["passed"] or blind:
            yield f"{one.verdict}: {one.title} of {plain(one.values['candidate'])}: {plain(one.values['reason'])}"
    shown = set()
    for one in told.ordered:
        key = (one.values["measure"], one.where, one.values["candidate"])
        if one.worst and key not in shown and (one.segment is None or one.failed):
            shown.add(key)
            where = f" [{one.where}]" if one.segment is not None else ""
            units = "; ".join(lost(unit) for unit in one.worst)
            yield f"worst units: {plain(one.values['measure'])}{where} of {plain(one.values['candidate'])}: {units}"
    yield from differing(told)
    yield from conventions(told)


def lost(unit: Mapping[str, Any]) -> str:
    """A unit with both values."""
    values = f"{number(unit['baseline'])} → {number(unit['candidate'])}"
    return f"{unit_of(unit)} {signed(unit['difference'])} ({values})"


def unit_of(unit: Mapping[str, Any]) -> str:
    """What a unit is called."""
    return ", ".join(plain(v) for v in unit["unit"].values())


def differing(told: Told) -> Iterator[str]:
    """What is stored, and the conventions and judgments that differ, or that they are the same, or not known."""
    changes = told.changes
    for name, origin in told.origins.items():
        yield f"{name}: {plain(origin)}"
    for name, said in told.overlap.items():
        yield from (f"{name}: {plain(sentence)}" for sentence in said)
    for what, pairs in (("policy", changes.policy), ("version", changes.versions)):
        for name, (before, after) in pairs.items():
            yield f"{what}: {plain(name)} is {plain(before)} in the baseline, {plain(after)} in the candidate"
    if changes.digests:
        yield f"judgments: {changes.digests}; which ones, a store tells that keeps them: store.keep(ev), --keep"
    known, looked = changes.looked
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
    same = ["policy"] if known and not changes.policy else []
    same += ["judgments"] if looked and not _other(changes) else []
    if same:
        yield f"same on both sides: {' and '.join(same)}"
    unknown = [name for name, seen in (("policy", known), ("judgments", looked)) if not seen]
    if unknown and changes.compared:
        yield f"not known of both sides: {' and '.join(unknown)}"


def _other(changes: Changes) -> bool:
    """Whether judgments differ."""
    return bool(changes.digests) or (changes.judgments is not None and changes.judgments.height > 0)


def _grade(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"


def conventions(told: Told) -> Iterator[str]:
    """How rules of several were joined, and what the smallest margin is."""
    kinds = [f.values["kind"] for f in told.facts]
    level = f"{told.options.confidence * 100:g}%"
    if NO_HARM in kinds:
        alarms = f"{n} p-values are" if (n := kinds.count(NO_HARM)) > 1 else "p-values of several are"
        yield (
            f"no harm: any alarm closes the gate, so {alarms} corrected together (Holm); intervals two-sided, {level}"
        )
    if NOT_WORSE in kinds:
        yield f"not worse by: all must hold, so each is tested alone; intervals one-sided, {level}"
    if USUAL in kinds:
        yield f"as usual: the prediction interval of one more mean, one-sided, {level}, of each alone"
    if any(f.values["smallest_margin"] is not None for f in told.facts):
        yield (
            f"smallest margin: what these units would have shown to hold in {POWER * 100:g} of 100 cases, "
            "had nothing changed"
        )
    few = {f.values["n"] for f in told.facts if f.values["wins"] is not None and f.values["smallest_margin"] is None}
    if blind := sorted(n for n in few if n > 1):
        yield f"smallest margin: none with {', '.join(map(str, blind))} units, which show no margin whatever they are"


def no_judgments() -> pl.DataFrame:
    """No judgment that differs."""
    types = {"query_id": pl.String, "doc_id": pl.String}
    return pl.DataFrame(schema={**types, f"{GRADE}_baseline": pl.Float64, f"{GRADE}_candidate": pl.Float64})
