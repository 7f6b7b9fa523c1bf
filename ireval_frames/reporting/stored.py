"""A store as one page, and its frames: leaderboards, histories, the result of a query."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from ireval_frames.errors import IrevalError
from ireval_frames.escaping import plain
from ireval_frames.plots.comparison.intervals import means
from ireval_frames.plots.inputs import values_of
from ireval_frames.plots.words import counted
from ireval_frames.reporting.cells import name, table
from ireval_frames.reporting.conventions import origin
from ireval_frames.reporting.figures import Figures
from ireval_frames.reporting.findings import Findings, sentences
from ireval_frames.reporting.page import Page, Section, Table
from ireval_frames.store import Store

# The largest number of histories with a picture, and of leaderboards with a sentence.
MOST_PICTURES, MOST_SENTENCES = 6, 12
_BOARD = ("collection", "measure", "groups", "conditions")
_RUNS = ("collection", "run_id", "made_at", "n_rows", "digest", "evaluation_id", "tags", "source")
_EVALUATIONS = ("evaluation_id", "family", "n_runs", "n_units", "policy", "versions")


def of_store(store: Store, title: str | None, command: str, figures: Figures) -> Page:
    """The page of a store: the best run of each collection, values over time, and what was evaluated."""
    board = store.leaderboard().collect()
    if not board.height:
        return _page(title or "An empty store", ["The store holds no evaluation."], [], command)
    sentences = [*_leaders(store, board)][:MOST_SENTENCES]
    evaluations = store.evaluations().collect().select(_EVALUATIONS)
    runs = store.runs().collect().select(_RUNS).sort("made_at", descending=True, maintain_order=True)
    counts = f"{counted(runs['run_id'].n_unique(), 'run')} in {counted(runs['collection'].n_unique(), 'collection')}"
    sections = [
        Section("leaderboard", "Leaderboard", tuple(sentences[1:]), (_board(board),)),
        _over_time(store, board, figures),
        Section(
            "evaluations",
            "Evaluations",
            blocks=(
                table(runs, "Runs and the occasions on which they were added, the newest first"),
                table(evaluations, "Evaluations with their conventions", prose=("policy", "versions")),
            ),
        ),
    ]
    return _page(title or f"A store of {counts}", sentences, [s for s in sections if s is not None], command)


def of_frame(frame: pl.DataFrame, title: str | None, command: str) -> Page:
    """The page of a frame: a leaderboard, or any rows."""
    if {*_BOARD, "rank", "run_id", "value"} <= {*frame.columns}:
        sentences = [_first(rows) for rows in _ranked(frame)] or ["The leaderboard is empty."]
        part = Section("leaderboard", "Leaderboard", tuple(sentences[1:MOST_SENTENCES]), (_board(frame),))
        return _page(title or "A leaderboard", sentences, [part], command)
    size = f"{counted(frame.height, 'row')} of {counted(frame.width, 'column')}."
    part = Section("rows", "Rows", blocks=(table(frame, "The rows, in their order", is_open=True),))
    return _page(title or "A table", [size], [part], command)


def _page(title: str, sentences: list[str], sections: list[Section], command: str) -> Page:
    last = Section("conventions", "Origin", blocks=(origin({}, command),))
    return Page(plain(title), plain(sentences[0]), (*sections, last))


def _board(board: pl.DataFrame) -> Table:
    """The ranks, without columns that are constant."""
    constant = [c for c in ("groups", "conditions", "differs") if c in board.columns and board[c].n_unique() == 1]
    return table(
        board.drop(constant), "The last value of every run, the best first", rest="store.leaderboard()", is_open=True
    )


def _ranked(board: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The rows that are ranked together under the newest conventions."""
    for _, rows in board.filter(conditions=1).group_by(*_BOARD, maintain_order=True):
        if (known := rows.drop_nulls("value")).height:
            yield known


def _first(rows: pl.DataFrame) -> str:
    """The first run, without certainty: a leaderboard has no values per unit."""
    return f"{_leads(rows)}: {rows['value'][0]:.4f}."


def _leads(rows: pl.DataFrame) -> str:
    best = rows.row(0, named=True)
    where = f"In {name(best['collection']).text}" if best["collection"] else "Without a collection"
    where += f" ({name(best['groups']).text})" if best["groups"] != "{}" else ""
    of = f" of {counted(rows.height, 'run')}" if rows.height > 1 else ""
    return f"{where}, {name(best['run_id']).text} is first{of} by {name(best['measure']).text}"


def _leaders(store: Store, board: pl.DataFrame) -> Iterator[str]:
    """The first run of each leaderboard, and the certainty of its difference to the second."""
    for rows in _ranked(board):
        sentence = _first(rows)
        if rows.height > 1 and rows["groups"][0] == "{}":
            collection, measure = rows["collection"][0], rows["measure"][0]
            try:
                comparison = store.compare(rows["run_id"][1], rows["run_id"][0], measure, collection=collection)
                values = values_of(comparison)
                findings = Findings(values, means(values, [measure], 0.95), comparison, 0.95)
                sentence = f"{_leads(rows)}. {sentences(findings)[0]}"
            except IrevalError as error:
                sentence = f"{sentence} It was not compared with the next: {error.what}"
        yield plain(sentence)


def _over_time(store: Store, board: pl.DataFrame, figures: Figures) -> Section | None:
    """The measures of runs that were evaluated several times."""
    several = [
        (collection, measure)
        for collection, measure in board.select("collection", "measure").unique(maintain_order=True).rows()
        if store.history(measure, collection=collection).collect()["made_at"].n_unique() > 1
    ]
    for collection, measure in several[:MOST_PICTURES]:
        figures.add("history", store, measure, collection=collection)
    drawn, notes = figures.take()
    left = len(several) - MOST_PICTURES
    notes = (*notes, f"The histories of {left} other measures are not shown.") if left > 0 else notes
    shown = "; ".join(f"{name(m).text} in {name(c).text}" for c, m in several[:MOST_PICTURES])
    sentence = (f"Drawn one below the other: {shown}.",) if len(drawn) > 1 else ()
    return Section("history", "History", sentence, drawn, notes) if drawn or notes else None
