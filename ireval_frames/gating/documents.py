"""A gate as documents: JSON, Markdown for a pull request, JUnit's XML, GitLab's code quality."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from ireval_frames.escaping import code, plain
from ireval_frames.gating.facts import Fact
from ireval_frames.gating.telling import NUMBERS, OUTCOME, Told, conventions, counts_of, differing, lost
from ireval_frames.version import __version__

# Characters that a comment on GitHub may have.
COMMENT = 65_536
_SIGNS = {"pass": "✅", "fail": "❌", "undecided": "❔", "incomparable": "🚫"}


def json_text(told: Told) -> str:
    """All verdicts, what differs, and how it was asked."""
    judgments = told.changes.judgments
    listed = None if not told.changes.looked[1] else [] if judgments is None else judgments.to_dicts()
    said = {
        "ireval_frames": __version__,
        "passed": told.exit_code == 0,
        "outcome": OUTCOME[told.exit_code],
        "exit_code": told.exit_code,
        "test": told.options.test,
        "confidence": told.options.confidence,
        "stored": dict(told.origins),
        "overlap": {name: list(said) for name, said in told.overlap.items()},
        "policy": {n: [str(v) for v in pair] for n, pair in told.changes.policy.items()},
        "versions": {n: [str(v) for v in pair] for n, pair in told.changes.versions.items()},
        "judgments": told.changes.digests or listed,
        "rules": [{**one.values, "segment": one.segment, "worst": list(one.worst)} for one in told.facts],
    }
    return _dumped(_finite(said))


def _dumped(value: Any) -> str:
    """JSON in which no line of any service's commands begins."""
    text = json.dumps(value, indent=1, allow_nan=False, default=str)
    return text.replace("##", "#\\u0023") + "\n"


def _finite(value: Any) -> Any:
    """The value with null where a number has no end, as intervals have none on one side."""
    if isinstance(value, dict):
        return {str(k): _finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def markdown(told: Told, limit: int) -> str:
    """A table, what did not pass first, and notes; rows and notes that do not fit are counted."""
    segments = any(f.segment is not None for f in told.facts)
    names = ["verdict", "rule", "run", *(["segment"] if segments else [])]
    head = [
        f"### {_SIGNS[{0: 'pass', 3: 'fail', 4: 'incomparable'}[told.exit_code]]} {told.headline}",
        "",
        f"| {' | '.join([*names, *NUMBERS])} |",
        f"|{'|'.join([' --- '] * len(names) + [' ---: '] * len(NUMBERS))}|",
    ]
    rows = [_row(one, segments=segments) for one in told.ordered]
    notes = list(_notes(told))
    end = "and {} more {}"
    room = limit - sum(len(line) + 1 for line in head) - 2 * (len(end) + 12)
    kept, room = _fitting(rows, room)
    left = len(rows) - len(kept)
    lines = [*head, *kept, "", *([end.format(left, "rules")] if left else [])]
    shown, _ = _fitting(notes, room)
    left = len(notes) - len(shown)
    lines += [*shown, *([f"- {end.format(left, 'notes')}"] if left else [])]
    return "\n".join(lines)[: max(limit - 1, 0)] + "\n"


def _fitting(lines: list[str], room: int) -> tuple[list[str], int]:
    """The first lines that fit, and what room is left."""
    kept: list[str] = []
    for line in lines:
        if len(line) + 1 > room:
            break
        kept.append(line)
        room -= len(line) + 1
    return kept, room


def _row(one: Fact, *, segments: bool) -> str:
    v = one.values
    about = "" if plain(v["measure"]) in plain(v["rule"]) else f" {code(v['measure'], cell=True)}"
    rule = code(v["rule"], cell=True) + about
    where = [code(one.where, cell=True) if one.segment is not None else "all"] if segments else []
    cells = [f"{_SIGNS[v['verdict']]} {one.verdict}", rule, code(v["candidate"], cell=True), *where, *counts_of(v)]
    return f"| {' | '.join(cells)} |"


def _notes(told: Told) -> Iterator[str]:
    for one in told.ordered:
        if not one.values["passed"]:
            yield f"- {one.verdict}: {code(one.title)}: {code(one.values['reason'])}"
            if one.worst:
                yield f"  - worst units: {', '.join(code(lost(unit)) for unit in one.worst)}"
    for line in differing(told):
        yield f"- {code(line)}"
    for line in conventions(told):
        yield f"- {line}"


def junit(told: Told) -> str:
    """A suite per candidate, a case per rule: failures, errors of what is incomparable, skips of what is undecided."""
    suites = ET.Element("testsuites", name="ireval gate")
    by_run: dict[str, list[Fact]] = {}
    for one in told.facts:
        by_run.setdefault(plain(one.values["candidate"]), []).append(one)
    for run, facts in by_run.items():
        suite = ET.SubElement(suites, "testsuite", {"name": run, **_counts(facts)})
        for one in facts:
            case = ET.SubElement(suite, "testcase", classname="ireval.gate", name=one.title, time="0")
            reason, verdict = plain(one.values["reason"]), one.values["verdict"]
            if verdict == "incomparable":
                ET.SubElement(case, "error", message=reason, type=verdict).text = _details(one)
            elif one.failed:
                ET.SubElement(case, "failure", message=reason, type=verdict).text = _details(one)
            elif verdict == "undecided":
                ET.SubElement(case, "skipped", message=reason)
            else:
                ET.SubElement(case, "system-out").text = _details(one)
    for name, count in _counts(told.facts).items():
        # Schemas know no sum of what is skipped.
        if name != "skipped":
            suites.set(name, count)
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _counts(facts: Any) -> dict[str, str]:
    verdicts = [f.values["verdict"] for f in facts]
    skipped = sum(f.values["verdict"] == "undecided" and not f.failed for f in facts)
    told = {"tests": len(verdicts), "failures": sum(f.failed for f in facts)}
    return {n: str(c) for n, c in {**told, "errors": verdicts.count("incomparable"), "skipped": skipped}.items()}


def _details(one: Fact) -> str:
    lines = [f"{name}: {text}" for name, text in zip(NUMBERS, counts_of(one.values), strict=True)]
    lines += [f"worst: {lost(unit)}" for unit in one.worst]
    return "\n".join(["", *lines, ""])


def gitlab(told: Told) -> str:
    """A finding for each rule that did not pass; the fingerprint is that of the rule and what it is about."""
    found = []
    for one in told.ordered:
        if one.values["passed"]:
            continue
        key = "\x1f".join([one.title, plain(one.values["measure"]), plain(one.values["candidate"])])
        found.append(
            {
                "description": f"{one.title} of {plain(one.values['candidate'])}: {plain(one.values['reason'])}",
                "check_name": "ireval gate",
                "fingerprint": hashlib.sha256(key.encode()).hexdigest(),
                "severity": "major" if one.failed else "blocker",
                "location": {"path": "ireval-gate", "lines": {"begin": 1}},
            }
        )
    return _dumped(found)
