"""Tests that need another program (Java, a database server, a browser) or another tool's package: `make test-external`.

Single tests are marked `@pytest.mark.external`; what stands in the files and folders below, and every test that uses
Spark, is marked here.
"""

from __future__ import annotations

from pathlib import Path

from tests import spark

MARK = "external"
# How `make test` leaves them out.
LEFT_OUT = f"not {MARK}"
TESTS = Path(__file__).parent
PLACES = (
    "browser",
    "dialects",
    "interop/test_huggingface.py",
    "interop/test_ir_datasets.py",
    "interop/test_packages.py",
    "interop/test_pyterrier.py",
    "interop/test_ranx.py",
    "interop/test_trackers.py",
    "reference",
)


def is_external(nodeid: str) -> bool:
    """Whether a test needs what `make test` does without."""
    places = (*(f"tests/{place}" for place in PLACES), "ireval_frames/interop/ir_datasets.py")
    return spark.uses_session(nodeid) or nodeid.partition("::")[0].startswith(places)


def holds_only_external(path: Path) -> bool:
    """Whether a file or folder need not even be imported where those tests are left out."""
    return path.is_relative_to(TESTS) and path.relative_to(TESTS).as_posix() in PLACES
