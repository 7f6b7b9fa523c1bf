"""nuggetizer's scores of records.  They are stored, as it needs the clients of models."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES

STORED = json.loads((Path(__file__).parent / "nuggetizer_d00dc3e.json").read_text("utf-8"))
NAMES = {"strict_vital_score": "V_strict", "strict_all_score": "A_strict", "vital_score": "V", "all_score": "A"}


@pytest.mark.parametrize("engine", ENGINES)
def test_scores_of_records(engine: str, tmp_path: Path, agrees: Callable[..., None]) -> None:
    """The scores of every record, and their means over the records of a run, from files as it writes them."""
    for of in STORED:
        lines = (json.dumps(record | {"run_id": of["run"]}) for record in of["records"])
        (tmp_path / f"{of['run']}.jsonl").write_text("\n".join(lines), "utf-8")
    tables = ir.io.read_nuggets(sorted(tmp_path.glob("*.jsonl")))
    ev = ir.Nuggets(*tables, policy="nuggetizer", engine=engine).evaluate(list(NAMES.values()))
    units = {(r, q, m): v for r, q, m, v in ev.per_unit().select("run_id", "query_id", "measure", "value").rows()}
    means = {(r, m): v for r, m, v in ev.summary().select("run_id", "measure", "value").rows()}
    for of in STORED:
        for theirs, ours in NAMES.items():
            name = str(ir.nuggets.NuggetRecall(level="vital" if "V" in ours else "all", strict="strict" in ours))
            expected = {score["qid"]: score[theirs] for score in of["scores"]}
            actual = {q: v for (run, q, m), v in units.items() if (run, m) == (of["run"], name) and v is not None}
            assert actual == pytest.approx(expected, abs=1e-12)
            assert means[of["run"], name] == pytest.approx(of["means"][theirs], abs=1e-12)
    agrees("nuggetizer", *NAMES.values(), family="nuggets")
