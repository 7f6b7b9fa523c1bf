"""The record of agreements has exactly what passing tests compared."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.reference import recording

TEST = "tests/reference/test_tool.py::test_f"
AGREEMENTS = [("agrees", ["tool", "ranking.AP"]), ("agrees", ["tool", "ranking.RR"])]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "agreement.json"
    monkeypatch.setattr(recording, "FILE", path)
    return path


def run(*reports: tuple[str, str, list], write: bool = False, arguments: tuple[str, ...] = ()) -> recording.Recording:
    """A session with these tests, their outcomes and their agreements."""
    options = {"--record-agreement": write}
    config: Any = SimpleNamespace(getoption=lambda name, default=None: options.get(name, default), args=arguments)
    session = recording.Recording(config)
    for test, outcome, properties in reports:
        session.pytest_runtest_logreport(
            SimpleNamespace(  # type: ignore[arg-type]
                nodeid=test,
                when="call",
                passed=outcome == "passed",
                skipped=outcome in ("skipped", "absent"),
                longrepr="the reference data are not there" if outcome == "absent" else "",
                user_properties=properties,
            )
        )
    session.pytest_sessionfinish(SimpleNamespace(config=config, exitstatus=0))  # type: ignore[arg-type]
    return session


def test_only_what_passed_is_written(file: Path) -> None:
    run((f"{TEST}[1]", "passed", AGREEMENTS[:1]), (f"{TEST}[2]", "failed", AGREEMENTS[1:]), write=True)
    assert json.loads(file.read_text()) == {TEST: {"tool": ["ranking.AP"]}}
    # Agreements of skipped tests are removed, unless their data are missing; those of other files stay.
    run((f"{TEST}[1]", "absent", []), write=True)
    run(("tests/reference/test_other.py::test_g", "passed", []), write=True)
    assert json.loads(file.read_text()) == {TEST: {"tool": ["ranking.AP"]}}
    run((f"{TEST}[1]", "skipped", []), write=True)
    assert json.loads(file.read_text()) == {}


def test_a_missing_comparison_fails_the_run(file: Path) -> None:
    run((TEST, "passed", AGREEMENTS), write=True)
    before = file.read_text()
    assert run((TEST, "passed", AGREEMENTS)).wrong == []
    assert run((TEST, "passed", AGREEMENTS[:1])).wrong == [f"{TEST} compared no more with tool: ranking.RR"]
    # A part of the test is compared with a part of the record.
    assert run((f"{TEST}[1]", "passed", AGREEMENTS[:1]), (f"{TEST}[2]", "skipped", [])).wrong == []
    assert run((TEST, "passed", AGREEMENTS[:1]), arguments=(f"{TEST}[1]",)).wrong == []
    assert file.read_text() == before


def test_an_unrecorded_agreement_fails_the_test(file: Path) -> None:
    run((TEST, "passed", AGREEMENTS), write=True)
    properties: list[Any] = []
    config = SimpleNamespace(getoption=lambda _: False)
    request: Any = SimpleNamespace(node=SimpleNamespace(nodeid=f"{TEST}[polars]"), config=config)
    agrees = recording.agreeing(request, lambda name, value: properties.append((name, value)))
    agrees("tool", "AP(rel=2)@10", "AP", "RR")
    assert properties == AGREEMENTS
    for tool, measure in (("tool", "nDCG"), ("other", "AP")):
        with pytest.raises(AssertionError, match=rf"{measure} agrees with {tool}, not recorded; run: make docs"):
            agrees(tool, measure)
    assert file.exists()
