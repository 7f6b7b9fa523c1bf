"""Writes `nuggetizer_d00dc3e.json`: the scores that nuggetizer gives records of a few runs.

Run by hand with its file of metrics (https://github.com/castorini/nuggetizer, src/nuggetizer/core/metrics.py):
`python -m tests.reference.making_nuggetizer metrics.py`.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import random
import sys
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "nuggetizer_d00dc3e.json"


def record(draw: random.Random, query: int, nuggets: list[dict[str, str]]) -> dict[str, Any]:
    """A record of a run: some nuggets with labels, in another order."""
    labels = ("support", "partial_support", "not_support", "failed")
    some = draw.sample(nuggets, draw.randint(1, len(nuggets)))
    assigned = [{**nugget, "assignment": draw.choice(labels)} for nugget in some]
    return {"qid": f"q{query}", "response_length": draw.randint(1, 400), "nuggets": assigned}


def main() -> None:
    """Write the file."""
    spec = importlib.util.spec_from_file_location("metrics", sys.argv[1])
    if spec is None or spec.loader is None:
        raise SystemExit("Write the path of nuggetizer's metrics.py.")
    metrics = importlib.util.module_from_spec(spec)
    sys.modules["metrics"] = metrics
    spec.loader.exec_module(metrics)
    draw, stored = random.Random(5), []
    queries = [
        [{"text": f"fact {i} of {q}", "importance": draw.choice(("vital", "okay", "okay"))} for i in range(1 + q % 6)]
        for q in range(12)
    ]
    for run in ("one", "two"):
        asked = [q for q in range(12) if draw.random() < 0.8]
        records = [record(draw, q, queries[q]) for q in asked]
        scores = [dataclasses.asdict(metrics.calculate_nugget_scores(r["qid"], r["nuggets"])) for r in records]
        means = metrics.calculate_global_metrics(records)
        stored.append({"run": run, "records": records, "scores": scores, "means": means})
    FILE.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
