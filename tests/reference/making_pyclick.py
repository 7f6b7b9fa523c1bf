"""Writes `pyclick_98e7e46.json`: what PyClick (markovi/PyClick, commit 98e7e46) makes of a small log.

Run by hand where PyClick can be imported: `python -m tests.reference.making_pyclick`.  It is on no registry.
"""

from __future__ import annotations

import importlib
import json
import random
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "pyclick_98e7e46.json"
MODELS = ("GCTR", "RCTR", "DCTR", "CM", "DCM", "SDBN", "PBM", "UBM", "DBN", "CCM")
# PyClick takes lists of ten for granted, and says of UBM otherwise where no click was above.
LENGTH = 10


def pages(n: int = 40, seed: int = 5) -> list[dict[str, Any]]:
    """Pages of two queries, whose users go down the list and stop more often after a click."""
    draw = random.Random(seed)
    out = []
    for _ in range(n):
        query, docs, clicks, looks = draw.choice("ab"), draw.sample(range(12), LENGTH), [], True
        for doc in docs:
            clicks.append(int(looks and draw.random() < 0.1 + 0.05 * doc))
            looks = looks and draw.random() < (0.6 if clicks[-1] else 0.9)
        out.append({"query": query, "docs": docs, "clicks": clicks})
    return out


def main() -> None:
    """Write the file."""
    session = importlib.import_module("pyclick.search_session.SearchSession").SearchSession
    result = importlib.import_module("pyclick.search_session.SearchResult").SearchResult
    evaluation = importlib.import_module("pyclick.click_models.Evaluation")
    log = pages()
    sessions = []
    for page in log:
        drawn = session(page["query"])
        drawn.web_results = [result(d, c) for d, c in zip(page["docs"], page["clicks"], strict=True)]
        sessions.append(drawn)
    stored: dict[str, Any] = {}
    for name in MODELS:
        file = "CTR" if name.endswith("CTR") else name
        model = getattr(importlib.import_module(f"pyclick.click_models.{file}"), name)()
        model.train(sessions)
        values = {p.name: _values(of) for p, of in model.params.items()}
        scores = {
            kind: getattr(evaluation, kind)().evaluate(model, sessions) for kind in ("LogLikelihood", "Perplexity")
        }
        stored[name] = {"parameters": values, "LL": scores["LogLikelihood"], "Perplexity": scores["Perplexity"][0]}
    text = json.dumps({"tool": "PyClick 98e7e46", "pages": log, "models": stored})
    FILE.write_text(text.replace('{"query"', '\n{"query"').replace('"parameters"', '\n"parameters"') + "\n", "utf-8")


def _values(of: Any) -> Any:
    """A container of parameters as lists and maps of numbers."""
    inner = getattr(of, "_container", of)
    if isinstance(inner, dict):
        return {str(k): _values(v) for k, v in inner.items()}
    return [_values(v) for v in inner] if isinstance(inner, list) else inner.value()


if __name__ == "__main__":
    main()
