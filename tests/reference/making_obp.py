"""Writes `obp_0.5.7.json`: what Open Bandit Pipeline (obp 0.5.7) makes of a few slates.

Run by hand where obp can be imported: `python -m tests.reference.making_obp`.  It takes Python below 3.11 and PyTorch.
"""

from __future__ import annotations

import importlib
import json
import random
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).parent / "obp_0.5.7.json"
ESTIMATORS = {
    "SIPS": ("SlateStandardIPS", "pscore", "evaluation_policy_pscore"),
    "IIPS": ("SlateIndependentIPS", "pscore_item_position", "evaluation_policy_pscore_item_position"),
    "RIPS": ("SlateRewardInteractionIPS", "pscore_cascade", "evaluation_policy_pscore_cascade"),
    "SNSIPS": ("SelfNormalizedSlateStandardIPS", "pscore", "evaluation_policy_pscore"),
    "SNIIPS": ("SelfNormalizedSlateIndependentIPS", "pscore_item_position", "evaluation_policy_pscore_item_position"),
    "SNRIPS": ("SelfNormalizedSlateRewardInteractionIPS", "pscore_cascade", "evaluation_policy_pscore_cascade"),
}


def slates(n: int = 12, seed: int = 3) -> list[dict[str, Any]]:
    """Lists of three, with the probabilities of each place given those above, of both policies."""
    draw = random.Random(seed)
    shares = ((0.2, 0.5, 0.9), (0.3, 0.6, 0.8))
    return [
        {"propensity": [draw.choice(shares[0]) for _ in range(3)], "target": [draw.choice(shares[1]) for _ in range(3)],
         "click": [draw.choice((0, 0, 1)) for _ in range(3)]}
        for _ in range(n)
    ]  # fmt: skip


def main() -> None:
    """Write the file."""
    lists = slates()
    estimators = importlib.import_module("obp.ope.estimators_slate")
    rows = {k: np.array([v for s in lists for v in s[k]], dtype=np.float64) for k in ("propensity", "target", "click")}
    whole = {k: np.repeat([np.prod(s[k]) for s in lists], 3) for k in ("propensity", "target")}
    so_far = {k: np.concatenate([np.cumprod(s[k]) for s in lists]) for k in ("propensity", "target")}
    values: dict[str, float] = {}
    for name, (kind, behind, ahead) in ESTIMATORS.items():
        of = whole if "SIPS" in name else rows if "IIPS" in name else so_far
        values[name] = getattr(estimators, kind)(len_list=3).estimate_policy_value(
            slate_id=np.repeat(np.arange(len(lists)), 3),
            reward=rows["click"],
            position=np.tile(np.arange(3), len(lists)),
            **{behind: of["propensity"], ahead: of["target"]},
        )
    FILE.write_text(json.dumps({"tool": "obp 0.5.7", "slates": lists, "values": values}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
