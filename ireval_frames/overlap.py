"""Tables that have no id in common: the error, with the likely cause."""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ireval_frames.errors import Argument, Code, Hint, NothingInCommon, listed, literal

# The number of ids of either side that are compared to find a cause.
COMPARED_IDS = 1_000
# The number of ids that are shown, and the length of what is shown of a long one.
SHOWN = 3
LONG = 60


@dataclass(frozen=True)
class Side:
    """The ids of one table.

    Attributes:
        table: the name of the table, in errors and in the line to write.
        column: the user's name of their column.
        ids: all or the first of them.
        count: the number of all.
        frame: the name of the table in a line to write, where that differs.
    """

    table: str
    column: str
    ids: Sequence[object]
    count: int | None = None
    frame: str | None = None

    def __str__(self) -> str:
        if not self.ids:
            return f"none in the {self.table}"
        return f"{first_ids(self.ids, len(self.ids) if self.count is None else self.count)} in the {self.table}"

    def rewritten(self, change: str, words: str) -> Code:
        """The line that changes the ids."""
        # Categories and bytes have no methods of text.
        line = f"{self.frame or self.table}.with_columns(pl.col({literal(self.column)}).cast(pl.String){change})"
        return Code(line, f"{words} in column {self.column!r} of the {self.table}")


@dataclass(frozen=True)
class Cause:
    """A reason why ids that are meant to be equal differ.

    Attributes:
        sentence: the difference, after "the ids of … ".
        same: makes ids equal that differ in this only.
        change: the method that does it to a column of text.
        words: what the method does.
    """

    sentence: str
    same: Callable[[str], str]
    change: str
    words: str


def first_ids(ids: Sequence[object], count: int) -> str:
    """The first ids of `count`; of long ones the beginning."""
    written = (repr(i) for i in ids[:SHOWN])
    return listed((i if len(i) <= LONG else f"{i[:LONG]}… ({len(i) - 2} characters)" for i in written), SHOWN, count)


CAUSES = (
    Cause("have blanks around them", str.strip, ".str.strip_chars()", "leave the blanks out"),
    Cause(
        "are written as decimals",
        lambda x: re.sub(r"\.0+$", "", x),
        r'.str.replace(r"\.0+$", "")',
        "write whole numbers",
    ),
    Cause(
        "have zeros in front of numbers",
        lambda x: re.sub(r"^(\D*)0+(?=\d)", r"\1", x),
        r'.str.replace(r"^(\D*)0+(\d)", "$1$2")',
        "leave the zeros out",
    ),
    Cause("have capital letters", str.lower, ".str.to_lowercase()", "write small letters"),
    Cause("have quotes around them", lambda x: x.strip("\"'"), ".str.strip_chars('\"\\'')", "leave the quotes out"),
    Cause(
        "have accents of their own code points",
        functools.partial(unicodedata.normalize, "NFC"),
        '.str.normalize("NFC")',
        "compose accents",
    ),
)


def nothing_in_common(what: str, one: Side, other: Side, instead: Argument | None = None) -> NothingInCommon:
    """The error that none of the ids of two tables are equal.

    Args:
        what: the sentence, without its full stop: "No query of the run is judged".
        one: the first side.
        other: the second one.
        instead: the argument with which it is no error.
    """
    cause = likely_cause(one, other)
    text = f"{what}: {one}, {other}."
    end: tuple[str | Argument, ...] = (".",) if instead is None else ("; to go on all the same: ", instead, ".")
    if empty := [side.table for side in (one, other) if not side.ids]:
        tables = f"the {' and the '.join(empty)} {'have' if len(empty) > 1 else 'has'} no rows"
        return NothingInCommon(f"{text[:-1]}; {tables}.", Hint("Check the filter or the program that made it", *end))
    if cause is None:
        return NothingInCommon(text, Hint("Pass tables of the same ids", *end))
    sentence, lines = cause
    both = [part for line in lines for part in (" and ", line)][1:]
    return NothingInCommon(f"{text[:-1]}; {sentence}.", Hint("Write them alike: ", *both, *end))


def likely_cause(one: Side, other: Side) -> tuple[str, list[Code]] | None:
    """The difference between ids that are meant to be equal, and the lines that remove it; None if there is none."""
    sides = (one, other)
    ids = [[_text(i) for i in side.ids if i is not None][:COMPARED_IDS] for side in sides]
    if {*ids[0]} & {*ids[1]}:
        # The ids are not written in different ways.
        return None
    # Pairs of causes are tried where no single one explains it.
    for cause in (*CAUSES, *_affixes(*ids), *itertools.starmap(_both, itertools.combinations(CAUSES, 2))):
        same = [set(map(cause.same, some)) for some in ids]
        if same[0] & same[1]:
            changed = [s for s, some in zip(sides, ids, strict=True) if any(cause.same(i) != i for i in some)]
            where = " and ".join(f"the {side.table}" for side in changed)
            return f"the ids of {where} {cause.sentence}", [
                side.rewritten(cause.change, cause.words) for side in changed
            ]
    return None


def _text(value: object) -> str:
    """An id as a cast to text gives it."""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _both(one: Cause, other: Cause) -> Cause:
    """One cause after the other."""
    return Cause(
        f"{one.sentence} and {other.sentence}",
        lambda x: other.same(one.same(x)),
        one.change + other.change,
        f"{one.words} and {other.words}",
    )


def _affixes(one: Sequence[str], other: Sequence[str]) -> Iterable[Cause]:
    """The text that most ids of one side have before, or behind, ids of the other."""
    for longer, shorter in ((one, other), (other, one)):
        known = set(shorter)
        before = Counter(i[:at] for i in longer for at in range(1, len(i)) if i[at:] in known)
        behind = Counter(i[at:] for i in longer for at in range(1, len(i)) if i[:at] in known)
        for affixes, where, strip in ((before, "before", "prefix"), (behind, "behind", "suffix")):
            numbers = all(i.isdigit() for i in shorter)
            likely = [(n, text) for text, n in affixes.items() if not (numbers and text.isdigit())]
            n, text = max(likely, default=(0, ""))
            # By chance some ids end in others.
            if 2 * n >= min(len(longer), len(shorter)) and n:
                same = functools.partial(_removed, text=text, prefix=strip == "prefix")
                change = f".str.strip_{strip}({literal(text)})"
                yield Cause(f"have {text!r} {where} them", same, change, f"leave {text!r} out")


def _removed(name: str, text: str, *, prefix: bool) -> str:
    return name.removeprefix(text) if prefix else name.removesuffix(text)
