"""The options of trec_eval, parsed as by getopt_long: in any order, with joined values, clustered, and abbreviated."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ireval_frames.errors import InvalidParameter, UnknownName, nearest

# Letters with a colon take a value.
SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
LONG = {
    "help": "h", "version": "v", "query_eval_wanted": "q", "measure": "m:", "complete_rel_info_wanted": "c",
    "level_for_rel": "l:",
    "nosummary": "n", "Debug_level": "D:", "Judged_docs_only": "J", "Number_docs_in_coll": "N:",
    "Max_retrieved_per_topic": "M:",
    "Rel_info_format": "R:", "Results_format": "T:", "Output_old_results_format": "o:", "Zscore": "Z:",
}  # fmt: skip
# The fields that they set.  -o is obsolete and sets none.
_FLAGS = {
    "h": ("help", True), "v": ("version", True), "q": ("per_query", True), "c": ("complete", True),
    "J": ("judged_only", True),
    "n": ("summary", False),
}  # fmt: skip
_TEXTS = {"R": "rel_format", "T": "results_format", "Z": "zscores", "compat": "compat"}
_NUMBERS: dict[str, tuple[str, int | None]] = {"l": ("level", None), "N": ("n_docs", 0), "M": ("depth", 0)}
# Our own option, never abbreviated, so that trec_eval's abbreviations stay unambiguous.
COMPAT = "compat"
VERSIONS = ("9", "10")


@dataclass
class Options:
    """The parsed options."""

    per_query: bool = False
    summary: bool = True
    complete: bool = False
    judged_only: bool = False
    level: int = 1
    depth: int | None = None
    n_docs: int = 0
    measures: list[str] = field(default_factory=list)
    rel_format: str = "qrels"
    results_format: str = "trec_results"
    zscores: str | None = None
    only_query: str | None = None
    compat: str = "10"
    help: bool = False
    version: bool = False

    @property
    def preferences(self) -> bool:
        """Whether the judgments are preferences."""
        return self.rel_format in ("prefs", "qrels_prefs")


def read(arguments: Sequence[str]) -> tuple[Options, list[str]]:
    """The options, and the other arguments; parsing ends at `-v`.

    Raises:
        UnknownName: there is no such option.
        InvalidParameter: an option lacks its value, takes none, or does not allow it.
    """
    options = Options()
    others: list[str] = []
    for letter, value in _scan(arguments, others):
        _set(options, letter, value)
        if options.version:
            break
    return options, others


def _scan(arguments: Sequence[str], others: list[str]) -> Iterator[tuple[str, str]]:
    """The options with their values, in order; `others` gets the rest."""
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            break
        if word.startswith("--"):
            yield _long(word, rest)
        elif word.startswith("-") and word != "-":
            yield from _cluster(word[1:], rest)
        else:
            others.append(word)
            if "POSIXLY_CORRECT" in os.environ:
                break
    others += rest


def _long(word: str, rest: list[str]) -> tuple[str, str]:
    name, equals, value = word[2:].partition("=")
    matches = (
        [COMPAT]
        if name == COMPAT
        else [name]
        if name in LONG
        else [option for option in LONG if option.startswith(name)]
    )
    if len(matches) != 1:
        several = (
            f"is an abbreviation of several: {', '.join('--' + n for n in matches)}" if matches else "does not exist"
        )
        raise UnknownName(
            f"The option --{name} {several}.", "" if matches else nearest("--" + name, ["--" + n for n in LONG])
        )
    takes = matches == [COMPAT] or LONG[matches[0]].endswith(":")
    if equals and not takes:
        raise InvalidParameter(f"The option --{matches[0]} takes no value, but has {value!r}.", f"Write --{matches[0]}")
    if takes and not equals:
        value = _next(f"--{matches[0]}", rest)
    return (COMPAT if matches == [COMPAT] else LONG[matches[0]][0]), value


def _cluster(letters: str, rest: list[str]) -> Iterator[tuple[str, str]]:
    while letters:
        letter, letters = letters[0], letters[1:]
        at = SHORT.find(letter)
        if at < 0 or letter == ":":
            raise UnknownName(
                f"There is no option -{letter}.", "There are: " + " ".join(f"-{c}" for c in SHORT.replace(":", ""))
            )
        if SHORT[at + 1 : at + 2] == ":":
            yield letter, letters or _next(f"-{letter}", rest)
            return
        yield letter, ""


def _next(option: str, rest: list[str]) -> str:
    if not rest:
        raise InvalidParameter(f"The option {option} needs a value.", f"Write {option} …")
    return rest.pop(0)


def _set(options: Options, letter: str, value: str) -> None:
    if letter == COMPAT and value not in VERSIONS:
        raise InvalidParameter(f"--compat is {value!r}; allowed: {', '.join(VERSIONS)}.", "Write --compat 9")
    if letter in _FLAGS:
        setattr(options, *_FLAGS[letter])
    elif letter in _TEXTS:
        setattr(options, _TEXTS[letter], value)
    elif letter in _NUMBERS:
        name, least = _NUMBERS[letter]
        setattr(options, name, _integer(f"-{letter}", value, least))
    elif letter == "m":
        options.measures.append(value)
    elif letter == "D":
        level, dot, query = value.partition(".")
        _integer("-D", level)
        options.only_query = query if dot else options.only_query


def _integer(option: str, text: str, least: int | None = None) -> int:
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,18}", text):
        raise InvalidParameter(f"{option} is {text!r}; it must be a whole number.", f"Write {option} 1")
    value = int(text)
    if least is not None and value < least:
        raise InvalidParameter(f"{option} is {value}; it must be {least} or more.", f"Write {option} 1000")
    return value
