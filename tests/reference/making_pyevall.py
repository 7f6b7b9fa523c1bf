"""Writes `pyevall_0.2.11.json`: what PyEvALL makes of small files of labels, soft labels, rankings and clusterings.

Run by hand where PyEvALL 0.2.11 can be imported: `python -m tests.reference.making_pyevall`.  It needs other NumPy and
pandas than this package.
"""

from __future__ import annotations

import importlib
import json
import random
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "pyevall_0.2.11.json"
TREE: dict[str, Any] = {"animal": {"pet": {"dog": ["poodle", "collie"], "cat": []}, "cow": []}}
CLASSES = ("poodle", "collie", "dog", "cat", "pet", "cow", "animal")
LABELS = ("Accuracy", "SystemPrecision", "Kappa", "Precision", "Recall", "FMeasure", "ICM", "ICMNorm")
CONTRAST = ("ICM", "ICMNorm")
SOFT = ("ICMSoft", "ICMSoftNorm", "CrossEntropy", "MAE")
RANKINGS = ("PrecisionAtK", "RPrecision", "MRR", "MAP", "DCG", "nDCG", "ERR", "RBP")
CLUSTERINGS = (
    "Purity", "InversePurity", "FMeasurePurityInversePurity", "FMeasureClustering", "RandStatistics", "Jaccard",
    "FolkesAndMallows", "NMI-SG", "ReliabilityBCubed", "SensitivityBCubed", "Entropy", "ClassEntropy",
    "VariationOfInformation",
)  # fmt: skip
Sides = tuple[dict[str, Any], dict[str, Any]]


def evaluated(sides: Sequence[Sides], measures: Sequence[str], hierarchy: Any = None) -> dict[str, list[float | None]]:
    """The values of each pair of gold and predicted values by item.

    Each is evaluated alone: of several test cases in a file, measures keep the classes of those before.
    """
    evaluation = importlib.import_module("pyevall.evaluation").PyEvALLEvaluation()
    out: dict[str, list[float | None]] = {name: [] for name in measures}
    options = {"report": "simple", "log_level": "none"} | ({} if hierarchy is None else {"hierarchy": hierarchy})
    with tempfile.TemporaryDirectory() as folder:
        for pair in sides:
            paths = [str(Path(folder) / name) for name in ("gold.json", "predictions.json")]
            for path, values in zip(paths, pair, strict=True):
                rows = [{"test_case": "t", "id": item, "value": value} for item, value in values.items()]
                Path(path).write_text(json.dumps(rows), encoding="utf-8")
            report = evaluation.evaluate(paths[1], paths[0], list(measures), **options)
            for name in measures:
                (case,) = report.report["metrics"][name]["results"]["test_cases"]
                out[name].append(case["average"])
    return out


def labels(draw: random.Random, classes: Sequence[str], n: int) -> Sides:
    gold = {f"d{i}": classes[i] if i < len(classes) else draw.choice(classes) for i in range(n)}
    guesses = {item: c if draw.random() < 0.5 else draw.choice(classes) for item, c in gold.items()}
    return gold, guesses


def sets(draw: random.Random, n: int) -> Sides:
    gold = {f"d{i}": sorted(draw.sample(CLASSES, draw.randint(1, 3))) for i in range(n)}
    guesses = {
        i: s if draw.random() < 0.3 else sorted(draw.sample(CLASSES, draw.randint(1, 3))) for i, s in gold.items()
    }
    return gold, guesses


def shares(draw: random.Random, classes: Sequence[str], n: int) -> Sides:
    def raters(number: int) -> dict[str, float]:
        chosen = [draw.choice(classes) for _ in range(number)]
        return {c: chosen.count(c) / number for c in classes}

    gold = {f"d{i}": raters(6) for i in range(n)}
    return gold, {item: raters(10) for item in gold}


def ranking(draw: random.Random, n: int) -> Sides:
    gold = {f"d{i}": draw.choice((0, 0, 1, 2, 3)) for i in range(n)}
    gold["d0"] = 2
    listed = [f"d{i}" for i in range(n + 5) if draw.random() < 0.8]
    draw.shuffle(listed)
    return gold, {item: rank for rank, item in enumerate(listed, 1)}


def clustering(draw: random.Random, n: int) -> Sides:
    return tuple({f"d{i}": [draw.choice(names)] for i in range(n)} for names in ("abc", "wxyz"))  # type: ignore[return-value]


def main() -> None:
    """Write the file."""
    draw = random.Random(9)
    flat = ("a", "b", "c")
    parts: Mapping[str, tuple[list[Sides], Sequence[str], Any]] = {
        "labels": ([labels(draw, flat, n) for n in (5, 12, 30)], LABELS, None),
        "labels of a tree": ([labels(draw, CLASSES, n) for n in (9, 25)], CONTRAST, TREE),
        "sets of a tree": ([sets(draw, n) for n in (6, 20)], CONTRAST, TREE),
        "soft": ([shares(draw, flat, n) for n in (4, 15)], SOFT, None),
        "soft of a tree": ([shares(draw, CLASSES[:-1], n) for n in (5, 15)], SOFT[:2], TREE),
        "rankings": ([ranking(draw, n) for n in (4, 12, 30)], RANKINGS, None),
        "clusterings": ([clustering(draw, n) for n in (6, 15, 40)], CLUSTERINGS, None),
    }
    stored = {
        name: {"cases": sides, "values": evaluated(sides, measures, tree)}
        for name, (sides, measures, tree) in parts.items()
    }
    FILE.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
