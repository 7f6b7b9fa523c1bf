"""What tests of several folders need, how they are shared out to workers, and `--measure`."""

from __future__ import annotations

import os
from pathlib import Path

# Tables are small: threads cost more than they do, and several workers share the cores.  Before Polars is loaded.
os.environ.setdefault("POLARS_MAX_THREADS", "1")

import pytest

ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--measure", metavar="NAME", help="test the measures of this name or alias, of whatever family")


def pytest_configure(config: pytest.Config) -> None:
    """Restrict the contract kit before tests are collected."""
    from tests.contract import kit

    if name := config.getoption("--measure"):
        try:
            kit.chosen_only(name)
        except LookupError as error:
            raise pytest.UsageError(str(error)) from error


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--measure` keep what the kit is asked for; keep together what shares an evaluation, the longest first."""
    if config.getoption("--measure"):
        from tests.contract.kit.cases import chosen

        kept = [item for item in items if _is_of(item, chosen)]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept
    for item in items:
        if kind := _params(item).get("kind"):
            # Evaluations and oracles of a kind are made once.
            item.add_marker(pytest.mark.xdist_group(str(kind)))
    items.sort(key=lambda item: "kind" not in _params(item))


def _params(item: pytest.Item) -> dict:
    return item.callspec.params if hasattr(item, "callspec") else {}


def _is_of(item: pytest.Item, chosen) -> bool:
    params = _params(item)
    return "kind" in params or ("definition" in params and bool(chosen([params["definition"]])))


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """Judgments, runs and outputs of other tools, which may not be copied into the project."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the reference data (../shared/data) are not there")
    return folder


@pytest.fixture(scope="session")
def worked_examples() -> Path:
    """The worked examples of teaching texts."""
    return ROOT / "data" / "worked"
