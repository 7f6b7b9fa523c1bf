"""Spans of a sequence of tags, from the definitions of the schemes: a loop that opens and closes spans."""

from __future__ import annotations

import re
from collections.abc import Sequence

Span = tuple[int, int, str]

# What the letters of a span's tags may be; a span that touches one of its own type before or after it is marked there.
WRITTEN = {
    "IOB1": "I+",
    "IOB1 after its own type": "BI*",
    "IOB2": "BI*",
    "IOE1": "I+",
    "IOE1 before its own type": "I*E",
    "IOE2": "I*E",
    "IOBES": "S|BI*E",
    "BILOU": "U|BI*L",
}
# The same where a missing beginning is no fault.
ENDED = {"IOE1": "I+", "IOE1 before its own type": "I*E", "IOE2": "I*E", "IOBES": "S|[BI]?I*E", "BILOU": "U|[BI]?I*L"}


def parts(tag: str | None) -> tuple[str, str]:
    """The letter of a tag, and the type behind it; "_" for a letter alone."""
    if tag is None or tag == "O":
        return "O", ""
    return tag[0], tag[2:] or "_"


def runs(tags: Sequence[str], *, joins_e_and_b: bool = False) -> list[Span]:
    """The spans that all tags give: every tag but O is in one of them."""
    out: list[Span] = []
    begin: int | None = None
    last, last_type = "O", ""
    for at, tag in enumerate([*tags, "O"]):
        letter, kind = parts(tag)
        letter = {"L": "E", "U": "S"}.get(letter, letter)
        new = letter in "BS" or last in "ES" or kind != last_type
        if joins_e_and_b and kind == last_type and last == "E" and letter == "B":
            new = False
        if begin is not None and (letter == "O" or new):
            out.append((begin, at, last_type))
            begin = None
        if letter != "O" and begin is None:
            begin = at
        last, last_type = letter, kind
    return out


def spans_of_tags(
    tags: Sequence[str], scheme: str, repair: str = "conll", *, joins_e_and_b: bool = False
) -> tuple[list[Span], int, int]:
    """The spans of one sequence, how many of them a repair made, and how many it dropped."""
    every = runs(tags, joins_e_and_b=joins_e_and_b)
    made = dropped = 0
    out = []
    for number, (start, end, kind) in enumerate(every):
        letters = "".join(parts(tag)[0] for tag in tags[start:end])
        after = number > 0 and every[number - 1][1:] == (start, kind)
        before = number + 1 < len(every) and every[number + 1][0] == end and every[number + 1][2] == kind
        rule = scheme
        if scheme == "IOB1" and after:
            rule = "IOB1 after its own type"
        if scheme == "IOE1" and before:
            rule = "IOE1 before its own type"
        if re.fullmatch(WRITTEN[rule], letters):
            out.append((start, end, kind))
        elif repair == "conll" or (repair == "begin" and re.fullmatch(ENDED.get(rule, ".*"), letters)):
            made += 1
            out.append((start, end, kind))
        else:
            dropped += 1
    return out, made, dropped
