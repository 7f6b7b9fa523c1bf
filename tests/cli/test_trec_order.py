"""The last printed digit of every measure, on thousands of generated lists, against loops in trec_eval's order.

Most values are far from the middle between two printed numbers, so counts are chosen whose quotients fall there.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.cli.commands import invoke
from tests.oracles import trec_order

# Products of these have quotients that end within a few decimals.
SIZES = (1, 2, 3, 4, 5, 8, 10, 12, 16, 20, 25, 32, 40, 50, 64)
ASKED = ("all_trec", "yaap", "dcg", "ideal_dcg")

Topic = tuple["list[int | None]", "list[int]"]


def topics(kind: str) -> list[Topic]:
    """Lists as the grades by rank, and the judged documents that were not retrieved."""
    rng, out = random.Random(kind), []
    for n in SIZES:
        for relevant in SIZES:
            for _ in range(6):
                n_found = rng.randint(0, min(n, relevant))
                out.append(one(rng, kind, n, n_found, relevant - n_found))
    return out


def one(rng: random.Random, kind: str, n: int, n_found: int, missed: int) -> Topic:
    """A list of n documents, `n_found` of them relevant, and what else was judged."""
    positive = (1,) if kind == "binary" else (1, 2, 3, 4)
    other: tuple[int | None, ...] = (0,) if kind == "binary" else (0, None) if kind == "graded" else (0, None, -1)
    grades = [rng.choice(positive) for _ in range(n_found)] + [rng.choice(other) for _ in range(n - n_found)]
    rng.shuffle(grades)
    rest = [rng.choice(positive) for _ in range(missed)] + [0] * rng.randint(0, 5)
    # trec_eval reads memory of the query before where nothing is judged 0 or more.
    return grades, rest if any(g is not None and g >= 0 for g in (*grades, *rest)) else [0]


def written(drawn: list[Topic], folder: Path) -> tuple[Path, Path]:
    """The files of judgments and run."""
    qrels, run = folder / "qrels", folder / "run"
    lines, ranked = [], []
    for query, (grades, rest) in enumerate(drawn):
        for i, grade in enumerate((*grades, *rest)):
            lines += [] if grade is None else [f"{query} 0 d{i} {grade}\n"]
        ranked += [f"{query} Q0 d{i} 0 {-i} tag\n" for i in range(len(grades))]
    qrels.write_text("".join(lines))
    run.write_text("".join(ranked))
    return qrels, run


@pytest.mark.parametrize("kind", ["binary", "graded", "pooled"])
def test_every_digit(kind: str, tmp_path: Path) -> None:
    drawn = topics(kind)
    options = [word for name in ASKED for word in ("-m", name)]
    lines = invoke("trec-eval", "-q", *options, *written(drawn, tmp_path)).stdout.splitlines()
    printed = {(query, name): value for name, query, value in (line.split() for line in lines)}
    expected = {query: trec_order.values(grades, [g for g in (*grades, *rest) if g is not None])
              for query, (grades, rest) in enumerate(drawn)}  # fmt: skip
    wrong = [
        f"{name} of {query}: {printed[str(query), name]} instead of {value:.20f}"
        for query, values in expected.items()
        for name, value in values.items()
        if printed[str(query), name] != f"{value:6.4f}".strip()
    ]
    assert not wrong, f"{len(wrong)}:\n" + "\n".join(wrong[:20])
    for name in expected[0]:
        total = 0.0
        for query in sorted(expected, key=str):
            total += expected[query][name]
        assert printed["all", name] == f"{total / len(expected):6.4f}".strip(), name
    # None of trec_eval's numbers is left out, but for counts, texts and logarithms' means.
    assert {name for _, name in printed} - set(expected[0]) == {
        "runid", "relstring", "num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "gm_map",
        "gm_bpref",
    }  # fmt: skip
