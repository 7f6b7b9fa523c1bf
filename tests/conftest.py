"""What tests of several folders need, how they are shared out to workers, and what `make` leaves out."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Tables are small: threads cost more than they do, and several workers share the cores.  Before Polars is loaded.
os.environ.setdefault("POLARS_MAX_THREADS", "1")

import hypothesis
import pytest

from ireval_frames.engines.connections import own_connection
from tests import external, spark
from tests.causes import causes, told
from tests.contract import kit
from tests.dialects import running
from tests.reference import recording

ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--measure", metavar="NAME", help="test the measures of this name or alias, of whatever family")
    parser.addoption("--families", metavar="NAMES", help="test the contract of these families: labels,clusters")
    parser.addoption("--record-agreement", action="store_true", help="write what tests record")


def pytest_configure(config: pytest.Config) -> None:
    """Restrict the contract kit before tests are collected; watch what agrees with other tools."""
    # As Polars: see above.
    own_connection().execute("SET threads = 1")
    # How long an example takes says how busy the machine is; every run tries the same ones.
    hypothesis.settings.register_profile("house", deadline=None, derandomize=True)
    hypothesis.settings.load_profile("house")
    config.pluginmanager.register(recording.Recording(config))
    config.pluginmanager.register(running.Running(config))
    if name := config.getoption("--measure"):
        try:
            kit.select_measure(name)
        except LookupError as error:
            raise pytest.UsageError(str(error)) from error
    elif families := config.getoption("--families"):
        kit.select_families(families.split(","))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where tests that need other tools are left out, their files are not imported either."""
    if config.option.markexpr == external.LEFT_OUT and external.holds_only_external(collection_path):
        return True
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--measure` keep what is selected; Spark and suites come first, since they take longest."""
    for item in items:
        if external.is_external(item.nodeid):
            item.add_marker(external.MARK)
    if config.getoption("--measure"):
        selected = [item for item in items if _is_of(item)]
        config.hook.pytest_deselected(items=list(set(items) - set(selected)))
        items[:] = selected
    elif families := config.getoption("--families"):
        others = {item for item in items if _is_of_another(item, families.split(","))}
        config.hook.pytest_deselected(items=list(others))
        items[:] = [item for item in items if item not in others]
    items.sort(key=_turn)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """What shares an evaluation stays on one worker."""
    from tests.sharing import Sharing

    return Sharing(config, log)


def pytest_collection_finish() -> None:
    """What is collected stays: to look through it for garbage again and again took a tenth of the time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_unconfigure() -> None:
    """What an interpreter still holds at its end, extensions call a leak."""
    gc.unfreeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> Iterator[None]:
    """With `--measure` the last words are why tests failed, not their names."""
    yield
    failed = [r for outcome in ("failed", "error") for r in terminalreporter.stats.get(outcome, ())]
    if config.getoption("--measure") and failed:
        crashes = (getattr(getattr(r, "longrepr", None), "reprcrash", None) for r in failed)
        messages = [told(crash) if crash else r.longreprtext for crash, r in zip(crashes, failed, strict=True)]
        terminalreporter.section("why")
        for line in causes(messages):
            terminalreporter.write_line(line)


def _turn(item: pytest.Item) -> int:
    if spark.uses_session(item.nodeid):
        return 0
    return 1 if spark.uses_cluster(item.nodeid) else 2 if _suite(item) is not None else 3


def _suite(item: pytest.Item) -> Any:
    """The suite of the contract kit that a test is of."""
    suite = item.callspec.params.get("suite") if hasattr(item, "callspec") else None
    return suite if isinstance(suite, kit.Suite) else None


def _is_of(item: pytest.Item) -> bool:
    definition = item.callspec.params.get("definition") if hasattr(item, "callspec") else None
    return _suite(item) is not None or (definition is not None and bool(kit.selected([definition])))


def _is_of_another(item: pytest.Item, families: list[str]) -> bool:
    """Whether a test of the contract is of one of the small evaluations of another family."""
    from tests.contract.named import OF_LABELS

    named = item.callspec.params.get("family") if hasattr(item, "callspec") else None
    of = "labels" if named in OF_LABELS else named
    return item.nodeid.startswith("tests/contract/") and isinstance(of, str) and of not in families


@pytest.fixture
def agrees(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """`agrees(tool, measure …, family=…)`, called after a comparison with another tool: see tests/reference."""
    return recording.agreeing(request, record_property)


@pytest.fixture
def runs(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """`runs(database, measure …, family=…)`, called when a database gave our numbers: see tests/dialects."""
    return recording.agreeing(request, record_property, running.Running.said_as, running.FILE)


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
