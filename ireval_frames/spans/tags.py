"""Tags of tokens as spans: the schemes, what is done with tags that break them, and both as windows.

Every tag but O is in one run of tokens: a run begins where a tag cannot go on with the one before it, and ends before
the next begins, or before O.  Tags that a scheme allows are read by it so; a run that the scheme would write with other
tags is repaired or dropped.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import Argument, Hint, InvalidParameter, UnknownName, nearest
from ireval_frames.expr import Expr, col, lit, when

OUTSIDE = "O"
# The type of a tag that is a letter alone.
NO_TYPE = "_"


@dataclass(frozen=True)
class Scheme:
    """How a scheme writes spans.

    Attributes:
        name: what users call it.
        letters: the letters of its tags, besides O.
        begins, ends: the letters of a first, and of a last token; where a scheme marks them between two adjacent spans
            of one type only (`if_touching`), the letters are those of the mark.
        if_touching: the mark is written only where the span before it, or behind it, touches and has the same type.
    """

    name: str
    letters: str
    begins: str = ""
    ends: str = ""
    if_touching: bool = False

    @property
    def is_known(self) -> bool:
        """Whether it says how spans are written; else tags of several schemes are read."""
        return bool(self.begins or self.ends)


SCHEMES = {
    s.name: s
    for s in (
        Scheme("IOB1", "IB", begins="B", if_touching=True),
        Scheme("IOB2", "IB", begins="B"),
        Scheme("IOE1", "IE", ends="E", if_touching=True),
        Scheme("IOE2", "IE", ends="E"),
        Scheme("IOBES", "IBES", begins="BS", ends="ES"),
        Scheme("BILOU", "BILU", begins="BU", ends="LU"),
    )
}
# The tags of all schemes whose letters mean one thing, where none is named.
ANY_SCHEME = Scheme("seqeval", "IBES")
# Further names of schemes.
ALSO = {"BIO": "IOB2", "BIOES": "IOBES", "BILUO": "BILOU"}
# What becomes of runs that the scheme writes with other tags, in words.
REPAIRS = {
    "conll": "each is a span, as the CoNLL scorer reads them",
    "strict": "they are dropped",
    "begin": "one without its beginning is a span, one without its end is dropped",
    "error": "they are an error",
}
# The letters that begin a span, and that end one, of all schemes.
_FIRST, _LAST = "BSU", "ESLU"
# The column of a token's place in its sequence: those of a token and of the next differ by one.
PLACE = "place"


@dataclass(frozen=True)
class Reading:
    """How tags are read.

    Attributes:
        scheme: the scheme of the tags.
        repair: what becomes of runs that the scheme writes otherwise, one of `REPAIRS`.
        joins: E and a following B of the same type are one run, as the CoNLL scorer reads them.
    """

    scheme: Scheme
    repair: str
    joins: bool = False


# A tool's reading: its repair, the letters that it knows, and whether E and B are joined.
CONVENTIONS = {
    "seqeval": Reading(ANY_SCHEME, "conll"),
    "seqeval-strict": Reading(SCHEMES["IOB2"], "strict"),
    "conlleval": Reading(Scheme("conlleval", "IBE"), "conll", joins=True),
    "nervaluate": Reading(SCHEMES["IOB2"], "conll"),
}


def reading(scheme: str | None, repair: str | None, convention: str | None) -> Reading:
    """How tags are read, from the arguments of those names.

    Raises:
        UnknownName: there is none of the name.
        InvalidParameter: the convention and another argument contradict each other.
    """
    scheme = ALSO.get(scheme or "", scheme)
    for what, name, names in (
        ("scheme of tags", scheme, SCHEMES),
        ("repair of tags", repair, REPAIRS),
        ("convention of tags", convention, CONVENTIONS),
    ):
        if name is not None and name not in names:
            raise UnknownName(f"There is no {what} {name!r}.", nearest(str(name), list(names)))
    if convention is None:
        return Reading(SCHEMES[scheme or "IOB2"], repair or "conll")
    own = CONVENTIONS[convention]
    if repair not in (None, own.repair):
        raise InvalidParameter(
            f"convention={convention!r} reads tags with repair={own.repair!r}, and repair= is {repair!r}.",
            Hint("Leave one out, or write ", Argument("repair", own.repair), "."),
        )
    if scheme is None:
        return own
    chosen = SCHEMES[scheme]
    if own.repair == "conll" and not set(chosen.letters) <= set(own.scheme.letters):
        (letter, *_) = (x for x in chosen.letters if x not in own.scheme.letters)
        raise InvalidParameter(
            f"convention={convention!r} does not know the letter {letter} of {scheme}.",
            Hint("Leave the convention out: ", Argument("scheme", scheme), " reads the tags as well."),
        )
    return Reading(chosen, own.repair, own.joins)


def placed(engine: Engine, tokens: Frame, sequence: Sequence[str], position: str, before: Mapping[str, str]) -> Frame:
    """The tokens with their places in their sequences, and columns of the token before, new name → column."""
    return engine.neighbours(tokens, sequence, position, before, {}, PLACE)


def runs_of_tags(
    engine: Engine, tokens: Frame, sequence: Sequence[str], position: str, tag: str, how: Reading
) -> Frame:
    """A row per run of tokens: sequence, start, end, type, `first` (its first tag), `begins` and `ends`.

    The last two say whether its first and its last tag are written as the scheme writes them.

    Args:
        engine: where the tokens are.
        tokens: a row per token, with its place.
        sequence: the columns that identify a sequence of tokens; runs do not cross sequences.
        position: the column of the token's number in it.
        tag: the column of tags.
        how: how they are read.
    """
    inside = tokens.filter(col(tag) != OUTSIDE).select(
        *sequence, PLACE, start=col(position), tag=col(tag), letter=col(tag).str.slice(0, 1), type=col(tag).str.slice(2)
    )
    before, after = ({f"{c}_{side}": c for c in (PLACE, "letter", "type")} for side in ("before", "after"))
    near = engine.neighbours(inside, sequence, PLACE, before, after)
    # Between a token and the next one that has a tag, there may be others.
    touches_before = _touches(col(PLACE) - col("place_before"), col("type_before"))
    touches_after = _touches(col("place_after") - col(PLACE), col("type_after"))
    flagged = near.select(
        *sequence,
        "start",
        "tag",
        "type",
        first=~touches_before | _breaks(how, "letter_before", "letter"),
        last=~touches_after | _breaks(how, "letter", "letter_after"),
        begins=_as_written(how.scheme, how.scheme.begins, touches_before),
        ends=_as_written(how.scheme, how.scheme.ends, touches_after),
    ).filter(col("first") | col("last"))
    # The last token of a run is its first one, or the next row.
    bounds = engine.neighbours(flagged, sequence, "start", {}, {"next_start": "start", "next_ends": "ends"})
    alone = col("last")
    return bounds.filter(col("first")).select(
        *sequence,
        "start",
        end=when(alone).then(col("start")).otherwise(col("next_start")) + 1,
        type=when(col("type") == "").then(lit(NO_TYPE)).otherwise(col("type")),
        first=col("tag"),
        begins=col("begins"),
        ends=when(alone).then(col("ends")).otherwise(col("next_ends")),
    )


def accepted(how: Reading) -> Expr:
    """Whether a run is a span."""
    if how.repair == "strict":
        return as_written()
    return col("ends") if how.repair == "begin" else lit(value=True)


def as_written() -> Expr:
    """Whether a run has the tags that the scheme writes."""
    return col("begins") & col("ends")


def not_of_scheme(tag: str, how: Reading) -> Expr:
    """Whether a tag is none of the scheme's: O, a letter alone, or a letter, a hyphen and a type."""
    letter = f"[{how.scheme.letters}]"
    return (col(tag) != OUTSIDE) & ~col(tag).str.contains(f"^{letter}(-.+)?$")


def _touches(distance: Expr, other_type: Expr) -> Expr:
    """Whether a token of the same type is next to it, at this distance."""
    return ((distance == 1) & (other_type == col("type"))).fill_null(value=False)


def _breaks(how: Reading, before: str, letter: str) -> Expr:
    """Whether a run ends between two tags of one type."""
    if how.joins:
        return (col(before) == "E") != (col(letter) == "B")
    return _one_of(before, _LAST, how) | _one_of(letter, _FIRST, how)


def _one_of(column: str, letters: str, how: Reading) -> Expr:
    """Whether the letter of a tag is one of these, as far as the scheme has them."""
    known = [col(column) == letter for letter in letters if letter in how.scheme.letters]
    return functools.reduce(operator.or_, known) if known else lit(value=False)


def _as_written(scheme: Scheme, marks: str, touches: Expr) -> Expr:
    """Whether the first or last tag of a run is as the scheme writes it."""
    if not marks:
        return lit(value=True)
    marked = functools.reduce(operator.or_, (col("letter") == mark for mark in marks))
    return marked == touches if scheme.if_touching else marked
