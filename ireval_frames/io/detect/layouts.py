"""The layouts of lines of fields without a header: which of them fit all lines of a file.

A layout fits what its fields can hold, and what stands once in it: a document is judged once, a rank is taken once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ireval_frames.errors import Argument
from ireval_frames.io.detect.description import Format
from ireval_frames.io.text.field_orders import BY_ORDER, BY_RANK, as_format, second_is_document
from ireval_frames.io.text.grammar import DECIMAL, INTEGER

Table = Literal["qrels", "run", "queries", "documents", "values"]

_LEVEL = re.compile(r"[Ll][0-9]+")
# Grades of most judgments; scores are hardly all among them.
_GRADES = range(-9, 11)
_LEVELS = 5
_CODES = {"-1", "1", "2", "3", "4", "5"}


@dataclass(frozen=True)
class Lines:
    """Lines with the same number of fields.

    Args:
        rows: their fields.
        text: whether tabs alone stand between fields, and fields hold blanks.
    """

    rows: Sequence[Sequence[str]]
    text: bool = False

    def all(self, place: int, form: re.Pattern[str]) -> bool:
        """Whether a field is of this form in all lines."""
        return all(form.fullmatch(value) for value in self.values(place))

    def values(self, place: int) -> set[str]:
        """The different values of a field."""
        return self._values[place]

    @cached_property
    def _values(self) -> list[set[str]]:
        return [set(column) for column in zip(*self.rows, strict=True)]

    def once(self, *places: int) -> bool:
        """Whether no two lines have the same values in these fields."""
        return len({tuple(row[place] for place in places) for row in self.rows}) == len(self.rows)

    def are_zero(self, place: int) -> bool:
        """Whether a field is 0 in all lines, also as 0.000."""
        return all(DECIMAL.fullmatch(value) and not float(value) for value in self.values(place))

    def are_grades(self, place: int) -> bool:
        """Whether a field has small whole numbers in all lines."""
        return self.all(place, INTEGER) and all(int(value) in _GRADES for value in self.values(place))

    def are_ranks(self, place: int) -> bool:
        """Whether a field numbers the lines of each query without gaps, from 1 or, as PyTerrier, from 0."""
        if not self.all(place, INTEGER):
            return False
        ranks = defaultdict(list)
        for row in self.rows:
            ranks[row[0]].append(int(row[place]))
        first = min(map(int, self.values(place)))
        return first in (0, 1) and all(
            sorted(of_query) == [*range(first, first + len(of_query))] for of_query in ranks.values()
        )


@dataclass(frozen=True)
class Layout:
    """A layout of lines.

    Args:
        format: the value of `format=` that reads it.
        table: what it holds.
        columns: its fields in order, under our names.
        words: its name and its fields, for messages.
        fits: whether lines with this number of fields may be of this layout.
        text: whether tabs alone stand between its fields.
        score_from: what orders a run without scores.
    """

    format: Format
    table: Table
    columns: tuple[str, ...]
    words: str
    fits: Callable[[Lines], bool]
    text: bool = False
    score_from: Literal["", "rank", "order"] = ""

    @property
    def way(self) -> Argument:
        """The argument that reads it."""
        of_run = {"order": BY_ORDER, "rank": BY_RANK}
        return of_run[self.score_from] if self.score_from else as_format(self.format, self.table)


def _judged_once(lines: Lines) -> bool:
    """TREC's judgments: the second field says nothing, or a document has one grade for a query all the same."""
    if second_is_document(lines.rows):
        return False
    zeros = lines.are_zero(2) and len(lines.rows) > len(lines.values(0))
    return lines.all(3, DECIMAL) and not zeros and (len(lines.values(1)) == 1 or lines.once(0, 2))


def _by_second(lines: Lines) -> bool:
    """Judgments by subtopic or by assessor: a document has several grades for a query."""
    several = len(lines.values(1)) > 1 and not lines.once(0, 2) and not lines.are_zero(2)
    return several and lines.all(3, DECIMAL)


def _constant_end(lines: Lines) -> bool:
    return lines.are_zero(2) and lines.are_zero(3) and lines.once(0, 1) and not lines.are_zero(1)


def _preferences(lines: Lines) -> bool:
    """A group of preferences has several documents."""
    return lines.all(4, DECIMAL) and not lines.once(0, 1, 2) and not lines.once(0, 1)


def _sampled(lines: Lines) -> bool:
    once = len(lines.values(1)) == 1 and lines.once(0, 2) and not lines.are_zero(2)
    return once and lines.all(4, INTEGER)


def _probabilities(lines: Lines) -> bool:
    judged = lines.once(0, 1) and lines.all(2, INTEGER) and lines.all(3, INTEGER) and not lines.are_zero(1)
    if not judged or not lines.all(4, DECIMAL):
        return False
    # A document that was chosen and could not be drawn has the probability 0.
    return all(0 <= float(value) <= 1 for value in lines.values(4))


def _passages(lines: Lines) -> bool:
    places = all(lines.all(place, INTEGER) for place in (2, 3, 4)) and not lines.are_zero(1)
    return places and all(int(v) >= 0 for v in lines.values(2)) and all(int(v) > 0 for v in lines.values(3))


def _pairs_with_grades(lines: Lines) -> bool:
    """Grades of documents; no query has more than five different ones that go from 1 to their number."""
    ranked = lines.are_ranks(2) and max(map(int, lines.values(2))) > _LEVELS
    # Judgments have another grade than those of documents that were not judged.
    graded = lines.all(2, INTEGER) and any(int(value) >= 0 for value in lines.values(2))
    return graded and lines.once(0, 1) and not ranked


def _codes(lines: Lines) -> bool:
    """Cranfield's codes: 1 is the best.  Where all are 1, they are grades as well."""
    return lines.values(2) <= _CODES and len(lines.values(2)) > 1 and lines.once(0, 1)


def _ranked(lines: Lines) -> bool:
    """Ranks, perhaps with gaps: each once in a query."""
    return lines.all(2, INTEGER) and all(int(value) >= 0 for value in lines.values(2)) and lines.once(0, 2)


def _scored(lines: Lines) -> bool:
    """Numbers that are no ranks, and no small whole numbers that documents of a query share, as they share grades."""
    shared = lines.are_grades(2) and not lines.once(0, 2)
    others = shared or lines.are_ranks(2) or _measured(lines)
    return lines.all(2, DECIMAL) and not others


def _without_score(lines: Lines) -> bool:
    tags = len(lines.values(4)) == 1 or not lines.all(4, DECIMAL)
    return lines.are_ranks(3) and not lines.are_zero(2) and tags


def _without_tag(lines: Lines) -> bool:
    return lines.values(1) == {"Q0"} and lines.are_ranks(3) and lines.all(4, DECIMAL)


def _measured(lines: Lines) -> bool:
    """What trec_eval prints: a measure, a query or `all`, a value."""
    return (
        "all" in lines.values(1) and len(lines.values(0)) > 1 and all("_" in v or v.isalpha() for v in lines.values(0))
    )


def _texts(lines: Lines) -> bool:
    return not any(" " in value for value in lines.values(0))


def _pairs_with_texts(lines: Lines) -> bool:
    bare = not any(" " in value or "://" in value for place in (0, 1) for value in lines.values(place))
    return bare and lines.once(0, 1)


def _with_addresses(lines: Lines) -> bool:
    return _texts(lines) and all("://" in value for value in lines.values(1))


_RUN = ("query_id", "iteration", "doc_id", "rank", "score", "run_id")
LAYOUTS = (
    Layout(
        "pairs", "qrels", ("query_id", "doc_id"), "pairs (query, relevant document)", lambda lines: lines.once(0, 1)
    ),
    Layout(
        "trec", "run", ("query_id", "doc_id"), "a run in its order (query, document)",
        lambda lines: lines.once(0, 1), score_from="order",
    ),
    Layout("msmarco", "queries", ("query_id", "text"), "texts of MS MARCO (id, text)", _texts, text=True),
    Layout("msmarco", "documents", ("doc_id", "text"), "texts of MS MARCO (id, text)", _texts, text=True),
    Layout(
        "pairs", "qrels", ("query_id", "doc_id", "relevance"), "judgments of three fields (query, document, grade)",
        _pairs_with_grades,
    ),
    Layout(
        "cranfield", "qrels", ("query_id", "doc_id", "relevance"),
        "judgments of Cranfield (query, document, code, of which 1 is the best)", _codes,
    ),
    Layout(
        "ntcir", "qrels", ("query_id", "doc_id", "relevance"),
        "judgments of NTCIR (query, document, level such as L2)", lambda lines: lines.all(2, _LEVEL),
    ),
    Layout(
        "msmarco", "run", ("query_id", "doc_id", "rank"), "a run of MS MARCO (query, document, rank)", _ranked,
    ),
    Layout(
        "ranklib", "run", ("query_id", "doc_id", "score"), "a run of three fields (query, document, score)", _scored
    ),
    Layout("trec", "values", ("measure", "query_id", "value"), "the values that trec_eval prints", _measured),
    Layout(
        "trec", "qrels", ("query_id", "iteration", "doc_id", "relevance"),
        "judgments of TREC (query, 0, document, grade)", _judged_once,
    ),
    Layout(
        "diversity", "qrels", ("query_id", "iteration", "doc_id", "relevance"),
        "judgments by subtopic or by assessor (query, subtopic or assessor, document, grade)", _by_second,
    ),
    Layout(
        "smart", "qrels", ("query_id", "doc_id", "third", "fourth"),
        "judgments of CACM, CISI and ADI (query, relevant document, 0, 0)", _constant_end,
    ),
    Layout(
        "trec", "run", ("query_id", "iteration", "doc_id", "rank"), "a run without scores (query, Q0, document, rank)",
        lambda lines: lines.values(1) == {"Q0"} and lines.are_ranks(3), score_from="rank",
    ),
    Layout(
        "top1000", "run", ("query_id", "doc_id", "query_text", "text"),
        "candidates of MS MARCO (query, document, text of the query, passage)", _pairs_with_texts, text=True,
        score_from="order",
    ),
    Layout(
        "top1000", "queries", ("query_id", "doc_id", "text", "passage"),
        "candidates of MS MARCO (query, document, text of the query, passage)", _pairs_with_texts, text=True,
    ),
    Layout(
        "msmarco", "documents", ("doc_id", "url", "title", "text"),
        "documents of MS MARCO (document, address, title, text)", _with_addresses, text=True,
    ),
    Layout(
        "top1000", "documents", ("query_id", "doc_id", "query_text", "text"),
        "candidates of MS MARCO (query, document, text of the query, passage)", _pairs_with_texts, text=True,
    ),
    Layout(
        "prefs", "qrels", ("query_id", "assessor_id", "subgroup_id", "doc_id", "relevance"),
        "preferences (query, assessor, group, document, level)", _preferences,
    ),
    Layout(
        "sampled", "qrels", ("query_id", "iteration", "doc_id", "stratum", "relevance"),
        "sampled judgments (query, iteration, document, stratum, grade)", _sampled,
    ),
    Layout(
        "prels", "qrels", ("query_id", "doc_id", "relevance", "method", "iprob"),
        "prels (query, document, grade, method, probability)", _probabilities,
    ),
    Layout(
        "passages", "qrels", ("query_id", "doc_id", "start", "length", "relevance"),
        "judgments of passages (query, document, start, length, grade)", _passages,
    ),
    Layout(
        "trec", "run", ("query_id", "iteration", "doc_id", "rank", "run_id"),
        "a run without scores (query, Q0, document, rank, tag)", _without_score, score_from="rank",
    ),
    Layout(
        "trec", "run", ("query_id", "iteration", "doc_id", "rank", "score"),
        "a run without tag (query, Q0, document, rank, score)", _without_tag,
    ),
    Layout(
        "trec", "run", _RUN, "a run of TREC (query, Q0, document, rank, score, tag)",
        lambda lines: lines.all(4, DECIMAL),
    ),
)  # fmt: skip


def fitting(lines: Lines) -> list[Layout]:
    """The layouts that fit all lines."""
    n = len(lines.rows[0]) if lines.rows else 0
    return [
        layout for layout in LAYOUTS if len(layout.columns) == n and layout.text == lines.text and layout.fits(lines)
    ]


# The forms of fields that hold numbers, by our names for them.
_FORMS = {
    "relevance": DECIMAL, "score": DECIMAL, "iprob": DECIMAL, "rank": INTEGER, "start": INTEGER, "length": INTEGER,
    "third": re.compile(r"[+-]?0+(?:\.0*)?"), "fourth": re.compile(r"[+-]?0+(?:\.0*)?"),
}  # fmt: skip


def fitting_most(lines: Lines, table: str) -> Layout | None:
    """The one layout of a kind of table that fits most lines, though not all; None if there are none or several."""
    n = len(lines.rows[0]) if lines.rows else 0
    sound: dict[int, list[Layout]] = defaultdict(list)
    for layout in LAYOUTS:
        if layout.table != table or len(layout.columns) != n or layout.text != lines.text:
            continue
        forms = _FORMS | ({"relevance": _LEVEL} if layout.format == "ntcir" else {})
        checks = [(place, forms[name]) for place, name in enumerate(layout.columns) if name in forms]
        rows = [row for row in lines.rows if all(form.fullmatch(row[place]) for place, form in checks)]
        if 2 * len(rows) > len(lines.rows) and layout.fits(Lines(rows, lines.text)):
            sound[len(rows)].append(layout)
    best = sound[max(sound)] if sound else []
    return best[0] if len(best) == 1 and not best[0].score_from else None


def layout_of(table: str, format: str, n: int | None = None) -> Layout | None:
    """The layout of this name; of several, the one with n fields."""
    named = [layout for layout in LAYOUTS if layout.table == table and layout.format == format]
    return next((layout for layout in named if len(layout.columns) == n), named[-1] if named else None)
