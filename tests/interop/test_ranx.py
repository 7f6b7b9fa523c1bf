"""ranx itself, where it is installed."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys

import pytest

import ireval_frames as ir
from ireval_frames.errors import EngineError, WrongType
from tests.interop.cases import make_case
from tests.packaging.imports import HOUSE


@pytest.mark.skipif(importlib.util.find_spec("ranx") is None, reason="ranx is not installed")
def test_there_and_back_and_the_same_values() -> None:
    # Compiling what ranx does takes twenty seconds, and gives the same numbers.
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.interop.with_ranx"]
    done = subprocess.run(command, cwd=HOUSE, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    actual = json.loads(done.stdout)
    assert actual["kinds"] == [True, True, "made", "bm25", None]
    assert actual["back"] == [True, actual["run"]]
    assert actual["empty"] == [0, 0]
    assert "ranx.evaluate(" in actual["unevaluated"]
    assert "the first is 0.5" in actual["fractions"]
    assert len(actual["ours"]) == 24
    for ours, reference in zip(actual["ours"], actual["reference"], strict=True):
        assert ours[:3] == reference[:3]
        assert ours[3] == pytest.approx(reference[3], abs=1e-9)


def test_other_things() -> None:
    with pytest.raises(WrongType, match=r"of type dict; a ranx\.Run is needed"):
        ir.interop.ranx.from_run({})


def test_not_installed(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ranx", None)
    with pytest.raises(EngineError, match="pip install ranx"):
        ir.interop.ranx.to_run(make_case()[1])
