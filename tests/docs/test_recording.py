"""What agrees with other tools is what was compared by tests that passed: no more, no less."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.reference import recording

TEST = "tests/reference/test_tool.py::test_f"
SAID = [("agrees", ["tool", "ranking.AP"]), ("agrees", ["tool", "ranking.RR"])]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "agreement.json"
    monkeypatch.setattr(recording, "FILE", path)
    return path


def run(*reports: tuple[str, str, list], write: bool = False, arguments: tuple[str, ...] = ()) -> recording.Recording:
    """A run with these tests, how they ended and what they said."""
    options = {"--record-agreement": write}
    config: Any = SimpleNamespace(getoption=lambda name, default=None: options.get(name, default), args=arguments)
    made = recording.Recording(config)
    for test, outcome, said in reports:
        made.pytest_runtest_logreport(
            SimpleNamespace(  # type: ignore[arg-type]
                nodeid=test,
                when="call",
                passed=outcome == "passed",
                skipped=outcome in ("skipped", "absent"),
                longrepr="the reference data are not there" if outcome == "absent" else "",
                user_properties=said,
            )
        )
    made.pytest_sessionfinish(SimpleNamespace(config=config, exitstatus=0))  # type: ignore[arg-type]
    return made


def test_only_what_passed_is_written(file: Path) -> None:
    run((f"{TEST}[1]", "passed", SAID[:1]), (f"{TEST}[2]", "failed", SAID[1:]), write=True)
    assert json.loads(file.read_text()) == {TEST: {"tool": ["ranking.AP"]}}
    # What was skipped is not said any more, unless its data are not there; other files stay.
    run((f"{TEST}[1]", "absent", []), write=True)
    run(("tests/reference/test_other.py::test_g", "passed", []), write=True)
    assert json.loads(file.read_text()) == {TEST: {"tool": ["ranking.AP"]}}
    run((f"{TEST}[1]", "skipped", []), write=True)
    assert json.loads(file.read_text()) == {}


def test_what_is_compared_no_more_fails_the_run(file: Path) -> None:
    run((TEST, "passed", SAID), write=True)
    before = file.read_text()
    assert run((TEST, "passed", SAID)).wrong == []
    assert run((TEST, "passed", SAID[:1])).wrong == [f"{TEST} compared no more with tool: ranking.RR"]
    # A part of the test says a part.
    assert run((f"{TEST}[1]", "passed", SAID[:1]), (f"{TEST}[2]", "skipped", [])).wrong == []
    assert run((TEST, "passed", SAID[:1]), arguments=(f"{TEST}[1]",)).wrong == []
    assert file.read_text() == before


def test_what_is_not_recorded_fails_the_test(file: Path) -> None:
    run((TEST, "passed", SAID), write=True)
    said: list[Any] = []
    config = SimpleNamespace(getoption=lambda _: False)
    request: Any = SimpleNamespace(node=SimpleNamespace(nodeid=f"{TEST}[polars]"), config=config)
    agrees = recording.agreeing(request, lambda name, value: said.append((name, value)))
    agrees("tool", "AP(rel=2)@10", "AP", "RR")
    assert said == SAID
    for tool, measure in (("tool", "nDCG"), ("other", "AP")):
        with pytest.raises(AssertionError, match=rf"{measure} agrees with {tool}, not recorded; run: make docs"):
            agrees(tool, measure)
    assert file.exists()
