"""Which comparisons with other tools ran and passed: recorded with `--record-agreement`, and held to the record else.

A test takes the fixture `agrees` and calls it after its comparison: `agrees("scikit-learn", "F1", family="labels")`.
What it said counts when the test has passed.  `agreement.json` holds it by test and tool, and the pages of measures are
made from it; what is there of files that did not run stays.  A run fails where a test says what is not in the file; and
where all of a test passed and did not say what the file has.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ireval_frames import catalog
from ireval_frames.declaration import Measure

FILE = Path(__file__).with_name("agreement.json")
PROPERTY = "agrees"
# Of a test without the data that may not be copied, or without a package, what was recorded stays.
ABSENT = ("the reference data", "is not there")
Record = dict[str, dict[str, list[str]]]
"""The measures as family.Name, by test and tool."""


def recorded(file: Path | None = None) -> Record:
    """What a file says, by default that of agreements."""
    file = file or FILE
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def agreeing(
    request: pytest.FixtureRequest,
    record_property: Callable[[str, object], None],
    said: str = PROPERTY,
    file: Path | None = None,
) -> Callable[..., None]:
    """What the fixture `agrees` gives to a test; `said` is the property that it records, of that file."""
    test, recording = _function(request.node.nodeid), request.config.getoption("--record-agreement")
    known = {} if recording else recorded(file).get(test, {})

    def agrees(tool: str, *measures: str | Measure, family: str = "ranking") -> None:
        definitions = (
            m.definition if isinstance(m, Measure) else catalog.parse(m, family).definition for m in measures
        )
        for name in dict.fromkeys(f"{d.family}.{d.name}" for d in definitions):
            assert recording or name in known.get(tool, ()), f"{name} agrees with {tool}, not recorded; run: make docs"
            record_property(said, [tool, name])

    return agrees


def _function(nodeid: str) -> str:
    return nodeid.partition("[")[0]


class Recording:
    """Of this run, what the tests said that passed."""

    said_as = PROPERTY

    @property
    def file(self) -> Path:
        """Where it is kept."""
        return FILE

    def __init__(self, config: pytest.Config) -> None:
        self.writing = config.getoption("--record-agreement")
        self.said: dict[str, dict[str, set[str]]] = {}
        self.passed: set[str] = set()
        self.others: set[str] = set()
        """Tests of which a part failed, was skipped or left out."""
        self.absent: set[str] = set()
        chosen = any("::" in argument for argument in config.args)
        self.partly = chosen or any(config.getoption(o, None) for o in ("keyword", "markexpr", "lf", "measure"))
        self.wrong: list[str] = []

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Note what is left out."""
        self.others |= {_function(item.nodeid) for item in items}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what a test said, once it has passed."""
        test = _function(report.nodeid)
        if report.skipped and any(absent in str(report.longrepr) for absent in ABSENT):
            self.absent.add(test)
        if not report.passed:
            self.others.add(test)
        elif report.when == "call":
            self.passed.add(test)
            for name, value in report.user_properties:
                if name == self.said_as:
                    tool, measure = value
                    self.said.setdefault(test, {}).setdefault(tool, set()).add(measure)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the record, or hold the run to it."""
        if hasattr(session.config, "workerinput"):
            return
        found = {test: {tool: sorted(of) for tool, of in sorted(by.items())} for test, by in sorted(self.said.items())}
        if self.writing:
            ran = {test.partition("::")[0] for test in self.passed | self.others}
            kept = {
                t: by for t, by in recorded(self.file).items() if t in self.absent or t.partition("::")[0] not in ran
            }
            text = json.dumps(dict(sorted((found | kept).items())), indent=1)
            self.file.write_text(text + "\n", encoding="utf-8", newline="\n")
            return
        if self.partly:
            return
        whole = self.passed - self.others
        self.wrong = [
            f"{test} compared no more with {tool}: {', '.join(gone)}"
            for test, by in recorded(self.file).items()
            if test in whole
            for tool, measures in by.items()
            if (gone := sorted(set(measures) - self.said.get(test, {}).get(tool, set())))
        ]
        if self.wrong:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what the record has too much."""
        if self.wrong:
            terminalreporter.section(f"{self.file.name} is stale; run: make docs")
            for line in self.wrong:
                terminalreporter.line(line)
