"""The table of systems by measures, with the best of each and marks of significance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from ireval_frames.comparison.text.tables import BETTER, WORSE, best_two, marked, meaning, number
from ireval_frames.escaping import plain
from ireval_frames.plots import verdicts
from ireval_frames.reporting.cells import MOST_ROWS, name
from ireval_frames.reporting.findings import Findings
from ireval_frames.reporting.page import Cell, Table
from ireval_frames.stats.letters import letter

# Of more measures than these, and fewer systems, each is a row.
MOST_MEASURES = 8
# Letters that follow each other are a range from this number on.
A_RANGE = 4

Place = tuple[str, str, str]


def overview(findings: Findings, rows: pl.DataFrame) -> Table | None:
    """Systems by measures: the best is bold, the second underlined, a mark says what a system is better than.

    Args:
        findings: the pairs of systems.
        rows: the values of the page: run_id, group, measure, value, the best first.

    Returns:
        the table; None of one system.
    """
    measures = rows["measure"].unique(maintain_order=True).to_list()
    runs = rows["run_id"].unique(maintain_order=True).to_list()
    groups = rows["group"].unique(maintain_order=True).to_list()
    if findings.comparison is None or len(runs) < 2:
        return None
    letters = {} if findings.comparison.options.baseline is not None else {r: letter(i) for i, r in enumerate(runs)}
    cells = _cells(findings, rows, _marks(findings, letters))
    turned = len(measures) > MOST_MEASURES > len(runs)
    down, across = (measures, runs) if turned else (runs, measures)
    of_group = [name("group")] if findings.values.by else []
    heads = {m: f"{name(m).text}{'↓' if m in findings.values.lower_is_better else ''}" for m in measures}
    heads |= {r: f"{letters[r]} {name(r).text}" if letters else name(r).text for r in runs} if turned else {}
    body = []
    for group in groups:
        for one in down:
            start = [*([name(group)] if of_group else []), *([Cell(letters[one])] if letters and not turned else [])]
            start.append(Cell(heads[one]) if turned else name(one))
            places: Iterator[Place] = ((group, other, one) if turned else (group, one, other) for other in across)
            body.append((*start, *(cells.get(place, Cell("–")) for place in places)))
    words = [*(c.text for c in of_group), *([""] if letters and not turned else []), "measure" if turned else "run_id"]
    return Table(
        caption=plain(f"Systems by measures, the best first by {name(measures[0]).text}. {_meaning(findings)}"),
        header=(*words, *(heads[a] for a in across)),
        rows=tuple(body[:MOST_ROWS]),
        numbers=(*(False for _ in words), *(True for _ in across)),
        note=f"{MOST_ROWS} of {len(body)} rows; all of them: ev.summary()." if len(body) > MOST_ROWS else "",
        is_open=True,
    )


def _cells(findings: Findings, rows: pl.DataFrame, marks: Mapping[Place, str]) -> dict[Place, Cell]:
    """The values by group, system and measure."""
    cells: dict[Place, Cell] = {}
    for (group, measure), part in rows.group_by("group", "measure", maintain_order=True):
        texts = [number(v) for v in part["value"]]
        best, second = best_two(texts, lower_is_better=measure in findings.values.lower_is_better)
        for run, text in zip(part["run_id"], texts, strict=True):
            place = (str(group), run, str(measure))
            weight = "best" if text == best else "second" if text == second else ""
            cells[place] = Cell(text, mark=marks.get(place, ""), weight=weight)
    return cells


def _marks(findings: Findings, letters: Mapping[str, str]) -> dict[Place, str]:
    """What each system is significantly better than; with a baseline, whether it is better or worse."""
    order = {r: i for i, r in enumerate(letters)}
    beaten: dict[Place, list[str]] = {}
    marks: dict[Place, str] = {}
    pairs = findings.pairs
    pairs = pairs.filter(pl.col("verdict") != verdicts.NEITHER) if "verdict" in pairs.columns else pairs
    for row in pairs.iter_rows(named=True):
        better = row["verdict"] == verdicts.BETTER
        winner, loser = (row["system"], row["baseline"]) if better else (row["baseline"], row["system"])
        if letters:
            beaten.setdefault((row["group"], winner, row["measure"]), []).append(loser)
        else:
            marks[row["group"], row["system"], row["measure"]] = BETTER if better else WORSE
    separated = any(len(text) > 1 for text in letters.values())
    return marks | {
        place: ranges(sorted(order[r] for r in losers), separated=separated) for place, losers in beaten.items()
    }


def ranges(places: Sequence[int], *, separated: bool = False) -> str:
    """The letters of places, those that follow each other as a range; `separated` where some places have two letters.

    Example:
        >>> ranges([0, 2, 3]), ranges([1, 3, 4, 5, 6]), ranges([2, 3, 26], separated=True)
        ('acd', 'b d–g', 'c d aa')
    """
    following: list[list[int]] = []
    for place in places:
        if following and following[-1][-1] == place - 1:
            following[-1].append(place)
        else:
            following.append([place])
    parts = []
    for some in following:
        names = [letter(i) for i in some]
        parts += [f"{names[0]}–{names[-1]}"] if len(names) >= A_RANGE else names
    return (" " if separated or any(len(part) > 1 for part in parts) else "").join(parts)


def _meaning(findings: Findings) -> str:
    """What the marks mean."""
    if findings.comparison is None:
        return ""
    options = findings.comparison.options
    test = options.marking
    if findings.resampled.table is not None:
        return marked(options.baseline, "bootstrap, holm", findings.confidence)
    return "" if test is None else meaning(options)
