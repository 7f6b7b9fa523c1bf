"""Writes `rbu_0.1.json`: what the program of the authors of rank-biased utility makes of a few lists.

Run by hand with its jar (https://github.com/jCarrilloDeAlbornoz/RBU, rbu/target): `python -m tests.reference.making_rbu
rbu-0.1-jar-with-dependencies.jar`.  It writes four decimals.
"""

from __future__ import annotations

import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "rbu_0.1.json"
# Of each call: p, e, and the number of subtopics.
CALLS = ((0.8, 0.03, 1), (0.8, 0.03, 3), (0.5, 0.2, 3), (0.99, 0.0, 4))
Rows = list[tuple[Any, ...]]


def tables(draw: random.Random, subtopics: int) -> tuple[Rows, Rows]:
    """Judgments by subtopic, of which each has a relevant document, with weights that sum to 1; and lists."""
    judgments, lists = [], []
    for query in range(4):
        parts = [draw.randint(1, 4) for _ in range(subtopics)]
        for subtopic, part in enumerate(parts):
            for doc in range(12):
                grade = 2 if doc == subtopic else draw.choice((0, 0, 1, 2, 3))
                if grade or draw.random() < 0.3:
                    judgments.append((f"q{query}", f"d{doc}", grade, f"s{subtopic}", part / sum(parts)))
        listed = [f"d{doc}" for doc in range(16) if draw.random() < 0.7]
        draw.shuffle(listed)
        lists += [(f"q{query}", doc) for doc in listed]
    return judgments, lists


def evaluated(jar: Path, p: float, effort: float, judgments: Rows, lists: Rows) -> dict[str, float]:
    """The value of every query."""
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("gold.tsv", judgments), ("output.tsv", lists)):
            lines = ("\t".join(f'"{value}"' for value in row) for row in rows)
            (Path(folder) / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = ["java", "-jar", str(jar), str(p), str(effort), "gold.tsv", "output.tsv"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        lines = (Path(folder) / "Results.tsv").read_text(encoding="utf-8").splitlines()
    rows = [row for row in csv.reader(lines, delimiter="\t") if row and not row[0].startswith("#")]
    return {query: float(value.replace(",", ".")) for query, value in rows[1:]}


def main() -> None:
    """Write the file."""
    jar, draw, stored = Path(sys.argv[1]).resolve(), random.Random(3), []
    for p, effort, subtopics in CALLS:
        judgments, lists = tables(draw, subtopics)
        values = evaluated(jar, p, effort, judgments, lists)
        stored.append({"p": p, "effort": effort, "judgments": judgments, "lists": lists, "values": values})
    FILE.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
