"""Other tools are imported only when their objects are created."""

from __future__ import annotations

import ireval_frames as ir
from tests.packaging.imports import HOUSE
from tests.packaging.test_import import LATE, loaded

PACKAGES = {"datasets", "ir_measures", "mlflow", "mteb", "numba", "pyterrier", "ranx", "trackio", "wandb", "yaml"}
READ = """
import ireval_frames as ir
ir.interop.dicts.to_run(ir.interop.dicts.from_run({"q": {"a": 1.0}}))
ir.interop.trackers.metrics(ir.evaluate(*ir.examples.ranking(), "AP"))
ir.interop.mteb.from_results({"task_name": "t", "scores": {}}, run_id="a")
"""


def test_no_tool_is_loaded() -> None:
    assert not loaded("import ireval_frames as ir; ir.interop.ranx") & (LATE | PACKAGES)
    assert not loaded(READ) & (LATE | PACKAGES)


def test_every_module_has_a_page() -> None:
    for name in ir.interop.__all__:
        module, page = getattr(ir.interop, name), (HOUSE / "docs" / "interop" / f"{name}.md").read_text("utf-8")
        own = [n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__]
        for call in (c for c in own if c.startswith(("from_", "to_")) or c in ("log", "key", "metrics")):
            assert call in page, f"docs/interop/{name}.md does not mention {call}"
