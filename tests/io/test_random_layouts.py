"""Random files of ten layouts: each is read as what it is, or the error lists its layout; never as another."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from ireval_frames.errors import MalformedFile
from ireval_frames.io import read_qrels, read_run

Put = Callable[..., Path]


def made(layout: str, draw: random.Random) -> tuple[str, list[tuple[str, str, float]]]:
    """Lines of a layout with random ids, grades, scores and other fields, and what they are."""
    letters = draw.random() < 0.5
    rows: list[list[object]] = []
    read: list[tuple[str, str, float]] = []
    names = [f"{'D-' if letters else ''}{n}" for n in draw.sample(range(1000), 12)]
    grades = draw.choice([[0, 1], [1], [0, 1, 2, 3], [-1, 0, 2], [1, 2, 3], [0, 50, 100]])
    for query in range(draw.randint(1, 4)):
        docs = draw.sample(names, draw.randint(1, 9))
        for rank, doc in enumerate(docs, 1):
            grade, score = draw.choice(grades), draw.choice([float(20 - rank), 1 / rank, -rank])
            fields: dict[str, list[object]] = {
                "trec": [query, 0, doc, grade],
                "pairs": [query, doc, grade],
                "ntcir": [query, doc, f"L{abs(grade)}"],
                "smart": [query, doc, 0, 0],
                "prels": [query, doc, grade, draw.randint(0, 2), draw.choice([1, 0.5, 0.125])],
                "sampled": [query, 0, doc, draw.randint(1, 3), grade],
                "passages": [query, doc, draw.randint(0, 500), draw.randint(1, 90), grade],
                "run": [query, "Q0", doc, rank, score, "tag"],
                "msmarco": [query, doc, rank],
                "ranklib": [query, doc, score],
            }
            rows.append(fields[layout])
            value = {"ntcir": abs(grade), "smart": 1, "run": score, "msmarco": rank, "ranklib": score}.get(
                layout, grade
            )
            read.append((str(query), doc, float(value)))
    return "".join(" ".join(map(str, row)) + "\n" for row in rows), read


def attempted(read: Callable[[Path], pl.DataFrame], path: Path) -> tuple[pl.DataFrame | None, str]:
    """What is read, or the error."""
    try:
        return read(path), ""
    except MalformedFile as error:
        return None, str(error)


@pytest.mark.parametrize(
    "layout", ["trec", "pairs", "ntcir", "smart", "prels", "sampled", "passages", "run", "msmarco", "ranklib"]
)
def test_no_layout_is_read_as_another(write_file: Put, layout: str) -> None:
    draw, own = random.Random(layout), 0
    of_run = layout in ("run", "msmarco", "ranklib")
    for n in range(60):
        text, rows = made(layout, draw)
        path = write_file(text, f"{n}.txt")
        for read in (read_run, read_qrels):
            frame, refused = attempted(read, path)
            if frame is None:
                # It is of another table, or several layouts fit, and this one is among them.
                name = "trec" if layout == "run" else layout
                assert (read is read_run) != of_run or f'format="{name}"' in refused, text
                continue
            assert (read is read_run) == of_run, text
            own += 1
            value = frame.columns[-1] if of_run else "relevance"
            assert [(q, d, float(v)) for q, d, v in frame.select("query_id", "doc_id", value).rows()] == rows, text
    # Most files are recognised; short lists of ranks may be grades.
    assert own > (8 if layout == "msmarco" else 30)
