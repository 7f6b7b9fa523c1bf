"""A short soak; `make soak` has ten thousand evaluations."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.external
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell memory and threads")
def test_nothing_grows() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak", "--evaluations", "720"],
        cwd=ROOT,
        env={**os.environ, "POLARS_MAX_THREADS": "2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == 10
