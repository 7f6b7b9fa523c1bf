"""Tags of tokens as spans: the schemes, what is done with tags that break them, and both as windows.

Every tag but O is in one run of tokens: a run begins where a tag cannot go on with the one before it, and ends before
the next begins, or before O.  Tags that a scheme allows are read by it so; a run that the scheme would write with other
tags is repaired or dropped.
"""

from __future__ import annotations

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
ANY_SCHEME = Scheme("any", "IBES")
# What becomes of runs that the scheme writes with other tags, in words.
REPAIRS = {
    "conll": "each is a span, as the CoNLL scorer reads them",
    "strict": "they are dropped",
    "begin": "one without its beginning is a span, one without its end is dropped",
    "error": "they are an error",
}
# Where a token begins a span, and where it ends one, whatever the scheme: the letters of BILOU beside those of IOBES.
_FIRST, _LAST = ("B", "S", "U"), ("E", "S", "L", "U")


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

    @property
    def letters(self) -> str:
        """The letters that are read, besides O."""
        return self.scheme.letters


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
    if own.repair == "conll" and not set(chosen.letters) <= set(own.letters):
        (letter, *_) = (x for x in chosen.letters if x not in own.letters)
        raise InvalidParameter(
            f"convention={convention!r} does not know the letter {letter} of {scheme}.",
            Hint("Read the tags by their scheme instead: ", Argument("repair", "conll"), "."),
        )
    return Reading(chosen, own.repair, own.joins)


def runs_of_tags(
    engine: Engine, tokens: Frame, sequence: Sequence[str], position: str, tag: str, how: Reading, more: Sequence[str]
) -> Frame:
    """A row per run of tokens: sequence, start, end, type, begins, ends and the columns `more` of its first token.

    `begins` and `ends` say whether its first and last tag are written as the scheme writes them.

    Args:
        engine: where the tokens are.
        tokens: a row per token, with the tags before and after it (`with_neighbours`).
        sequence: the columns that identify a sequence of tokens; runs do not cross sequences.
        position: the column of the token's number in it.
        tag: the column of tags.
        how: how they are read.
        more: further columns.
    """
    inside = tokens.filter(col(tag) != OUTSIDE).select(
        *sequence,
        *more,
        start=col(position),
        letter=_letter(tag),
        type=_type(tag),
        letter_before=_letter(f"{tag}_before"),
        type_before=_type(f"{tag}_before"),
        letter_after=_letter(f"{tag}_after"),
        type_after=_type(f"{tag}_after"),
    )
    touches_before = (col("letter_before") != OUTSIDE) & (col("type_before") == col("type"))
    touches_after = (col("letter_after") != OUTSIDE) & (col("type_after") == col("type"))
    breaks = _breaks_joined if how.joins else _breaks
    flagged = inside.select(
        *sequence,
        *more,
        "start",
        "type",
        first=~touches_before | breaks("letter_before", "letter"),
        last=~touches_after | breaks("letter", "letter_after"),
        begins=_as_written(how.scheme, how.scheme.begins, touches_before),
        ends=_as_written(how.scheme, how.scheme.ends, touches_after),
    ).filter(col("first") | col("last"))
    # Ends of runs are where the runs of one token are, or follow the beginning of the run.
    following = {"next_start": "start", "next_ends": "ends"}
    bounds = engine.neighbours(flagged, sequence, "start", {}, following)
    alone = col("last")
    return bounds.filter(col("first")).select(
        *sequence,
        *more,
        "start",
        end=when(alone).then(col("start")).otherwise(col("next_start")) + 1,
        type=when(col("type") == "").then(lit(NO_TYPE)).otherwise(col("type")),
        begins=col("begins"),
        ends=when(alone).then(col("ends")).otherwise(col("next_ends")),
    )


def with_neighbours(
    engine: Engine, tokens: Frame, sequence: Sequence[str], position: str, tags: Sequence[str], more: Mapping[str, str]
) -> Frame:
    """With the tags of the token before and after each, in its sequence, and `more` of the token before."""
    before, after = ({f"{tag}_{side}": tag for tag in tags} for side in ("before", "after"))
    return engine.neighbours(tokens, sequence, position, {**before, **more}, after)


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
    letter = f"[{how.letters}]"
    return (col(tag) != OUTSIDE) & ~col(tag).str.contains(f"^{letter}(-.+)?$")


def _letter(tag: str) -> Expr:
    return col(tag).str.slice(0, 1).fill_null(OUTSIDE)


def _type(tag: str) -> Expr:
    return col(tag).str.slice(2)


def _breaks(before: str, letter: str) -> Expr:
    """Whether a run ends between two tags of one type."""
    return col(before).is_in(_LAST) | col(letter).is_in(_FIRST)


def _breaks_joined(before: str, letter: str) -> Expr:
    return (col(before) == "E") != (col(letter) == "B")


def _as_written(scheme: Scheme, marks: str, touches: Expr) -> Expr:
    """Whether the first or last tag of a run is as the scheme writes it."""
    if not marks:
        return lit(value=True)
    marked = col("letter").is_in(tuple(marks))
    return marked == touches if scheme.if_touching else marked
