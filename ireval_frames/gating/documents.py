"""A gate as documents: JSON, Markdown for a pull request, JUnit's XML, GitLab's code quality; annotations for services.

Annotations are the commands that services of continuous integration read from the output.
GitHub: docs.github.com, Workflow commands.  Azure: Microsoft, Logging commands.  TeamCity: JetBrains, Service messages.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from ireval_frames.errors import UnknownName, nearest
from ireval_frames.escaping import code, plain
from ireval_frames.gating.rule_results import RuleResult
from ireval_frames.gating.text import NUMBERS, OUTCOME, GateReport, conventions, differences, formatted, loss_text
from ireval_frames.version import __version__

# The length that a comment on GitHub may have.
COMMENT = 65_536
_SIGNS = {"pass": "✅", "fail": "❌", "undecided": "❔", "incomparable": "🚫"}


def json_text(report: GateReport) -> str:
    """All verdicts, what differs, and the options."""
    changes = report.changes
    listed = None if not changes.judgments_known else [] if changes.judgments is None else changes.judgments.to_dicts()
    content = {
        "ireval_frames": __version__,
        "passed": report.exit_code == 0,
        "outcome": OUTCOME[report.exit_code],
        "exit_code": report.exit_code,
        "test": report.options.test,
        "confidence": report.options.confidence,
        "stored": dict(report.origins),
        "overlap": {name: list(sentences) for name, sentences in report.overlap.items()},
        "policy": {n: [str(v) for v in pair] for n, pair in changes.policy.items()},
        "versions": {n: [str(v) for v in pair] for n, pair in changes.versions.items()},
        "judgments": changes.digests or listed,
        "rules": [{**r.values, "segment": r.segment, "worst": list(r.worst)} for r in report.results],
    }
    return _dumps(_finite(content))


def _dumps(value: Any) -> str:
    """JSON in which no command of a service can begin."""
    text = json.dumps(value, indent=1, allow_nan=False, default=str)
    return text.replace("##", "#\\u0023") + "\n"


def _finite(value: Any) -> Any:
    """The value with null for infinite numbers, such as the open ends of intervals."""
    if isinstance(value, dict):
        return {str(k): _finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def markdown(report: GateReport, limit: int) -> str:
    """A table, what did not pass first, and notes; rows and notes that do not fit are counted."""
    names = ["verdict", "rule", "run", *(["segment"] if report.has_segments else [])]
    head = [
        f"### {_SIGNS[{0: 'pass', 3: 'fail', 4: 'incomparable'}[report.exit_code]]} {report.headline}",
        "",
        f"| {' | '.join([*names, *NUMBERS])} |",
        f"|{'|'.join([' --- '] * len(names) + [' ---: '] * len(NUMBERS))}|",
    ]
    rows = [_row(result, segments=report.has_segments) for result in report.ordered]
    notes = list(_notes(report))
    end = "and {} more {}"
    room = limit - sum(len(line) + 1 for line in head) - 2 * (len(end) + 12)
    fitting, room = _fitting(rows, room)
    left = len(rows) - len(fitting)
    lines = [*head, *fitting, "", *([end.format(left, "rules")] if left else [])]
    fitting, _ = _fitting(notes, room)
    left = len(notes) - len(fitting)
    lines += [*fitting, *([f"- {end.format(left, 'notes')}"] if left else [])]
    return "\n".join(lines)[: max(limit - 1, 0)] + "\n"


def _fitting(lines: list[str], room: int) -> tuple[list[str], int]:
    """The first lines that fit, and the room that is left."""
    fitting: list[str] = []
    for line in lines:
        if len(line) + 1 > room:
            break
        fitting.append(line)
        room -= len(line) + 1
    return fitting, room


def _row(result: RuleResult, *, segments: bool) -> str:
    v = result.values
    rule = code(v["rule"], cell=True) + (f" {code(result.measure, cell=True)}" if result.measure else "")
    where = [code(result.where, cell=True) if result.segment is not None else "all"] if segments else []
    verdict = f"{_SIGNS[v['verdict']]} {result.verdict}"
    return f"| {' | '.join([verdict, rule, code(v['candidate'], cell=True), *where, *formatted(v)])} |"


def _notes(report: GateReport) -> Iterator[str]:
    for result in report.not_passed:
        yield f"- {result.verdict}: {code(result.title)}: {code(result.values['reason'])}"
        if result.worst:
            yield f"  - worst units: {', '.join(code(loss_text(unit)) for unit in result.worst)}"
    for line in differences(report):
        yield f"- {code(line)}"
    for line in conventions(report):
        yield f"- {line}"


def junit(report: GateReport) -> str:
    """A suite per candidate, a case per rule: a failure, an error if incomparable, skipped if undecided and passing."""
    suites = ET.Element("testsuites", name="ireval gate")
    by_run: dict[str, list[RuleResult]] = {}
    for result in report.results:
        by_run.setdefault(plain(result.values["candidate"]), []).append(result)
    for run, results in by_run.items():
        suite = ET.SubElement(suites, "testsuite", {"name": run, **_counts(results)})
        for result in results:
            case = ET.SubElement(suite, "testcase", classname="ireval.gate", name=result.title, time="0")
            reason, verdict = plain(result.values["reason"]), result.values["verdict"]
            if verdict == "incomparable":
                ET.SubElement(case, "error", message=reason, type=verdict).text = _details(result)
            elif result.failed:
                ET.SubElement(case, "failure", message=reason, type=verdict).text = _details(result)
            elif verdict == "undecided":
                ET.SubElement(case, "skipped", message=reason)
            else:
                ET.SubElement(case, "system-out").text = _details(result)
    for name, count in _counts(report.results).items():
        # Schemas have no total of skipped cases.
        if name != "skipped":
            suites.set(name, count)
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _counts(results: Sequence[RuleResult]) -> dict[str, str]:
    verdicts = [r.values["verdict"] for r in results]
    counts = {
        "tests": len(verdicts),
        "failures": sum(r.failed for r in results),
        "errors": verdicts.count("incomparable"),
        "skipped": sum(r.values["verdict"] == "undecided" and not r.failed for r in results),
    }
    return {name: str(count) for name, count in counts.items()}


def _details(result: RuleResult) -> str:
    lines = [f"{name}: {text}" for name, text in zip(NUMBERS, formatted(result.values), strict=True)]
    lines += [f"worst: {loss_text(unit)}" for unit in result.worst]
    return "\n".join(["", *lines, ""])


def gitlab(report: GateReport) -> str:
    """A finding for each rule that did not pass; the fingerprint is that of the rule and what it is about."""
    findings = []
    for result in report.not_passed:
        measure, candidate = (plain(result.values[name]) for name in ("measure", "candidate"))
        key = f"{result.title}\x1f{measure}\x1f{candidate}"
        findings.append(
            {
                "description": f"{result.title} of {candidate}: {plain(result.values['reason'])}",
                "check_name": "ireval gate",
                "fingerprint": hashlib.sha256(key.encode()).hexdigest(),
                "severity": "major" if result.failed else "blocker",
                "location": {"path": "ireval-gate", "lines": {"begin": 1}},
            }
        )
    return _dumps(findings)


# GitHub shows ten annotations per step, and no more.
MOST_ANNOTATIONS = 9


def annotation_commands(report: GateReport, service: str) -> str:
    """The commands, one a line, with the number of those left out; empty if all passed.

    Raises:
        UnknownName: there is no such service.
    """
    if service not in SERVICES:
        raise UnknownName(f"There are no annotations for {service!r}.", nearest(str(service), SERVICES))
    write = SERVICES[service]
    messages = [(f"gate: {result.title}", _message(result)) for result in report.not_passed]
    more = len(messages) - MOST_ANNOTATIONS
    messages = messages[:MOST_ANNOTATIONS] + ([("gate", f"{more} more rules did not pass")] if more > 0 else [])
    return "".join(f"{write(title, message)}\n" for title, message in messages)


def _message(result: RuleResult) -> str:
    return f"{result.verdict}, {plain(result.values['candidate'])}: {plain(result.values['reason'])}"


def _github(title: str, message: str) -> str:
    return f"::error title={_percent_escape(title, ':,')}::{_percent_escape(message)}"


def _percent_escape(text: str, characters: str = "") -> str:
    return "".join(f"%{ord(c):02X}" if c in f"%\r\n{characters}" else c for c in text)


def _azure(title: str, message: str) -> str:
    text = f"{title}: {message}".replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")
    return f"##vso[task.logissue type=error;]{text}"


def _teamcity(title: str, message: str) -> str:
    identity = "ireval_" + hashlib.sha256(title.encode()).hexdigest()[:16]
    return f"##teamcity[buildProblem description='{_bar_escape(f'{title}: {message}'[:3900])}' identity='{identity}']"


def _bar_escape(text: str) -> str:
    """Text with TeamCity's escapes."""
    escapes = {"|": "||", "'": "|'", "[": "|[", "]": "|]", "\n": "|n", "\r": "|r"}
    return "".join(escapes.get(c, c if ord(c) < 128 else _utf16_escape(c)) for c in text)


def _utf16_escape(character: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"|0x{units[i]:02X}{units[i + 1]:02X}" for i in range(0, len(units), 2))


SERVICES: dict[str, Callable[[str, str], str]] = {"github": _github, "azure": _azure, "teamcity": _teamcity}
