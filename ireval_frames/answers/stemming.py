"""Stems of English words by Porter's algorithm of 1980, with the changes that NLTK makes to it, which rouge-score uses.

A word is rewritten by lists of rules in five steps; of each list the first rule whose ending fits decides.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from itertools import pairwise

import polars as pl

# Shorter words stay as they are in rouge-score.
SHORTEST = 4
_VOWELS = "aeiou"
# Words whose stems are no result of the rules, as in NLTK.
_IRREGULAR = {
    word: stem
    for stem, words in {
        "sky": "sky skies", "die": "dying", "lie": "lying", "tie": "tying", "news": "news",
        "inning": "innings inning", "outing": "outings outing", "canning": "cannings canning", "howe": "howe",
        "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
    }.items()
    for word in words.split()
}  # fmt: skip
Condition = Callable[[str], bool]
Rule = tuple[str, str, Condition]


def stems_of_words(words: pl.DataFrame) -> pl.DataFrame:
    """The stems of distinct words."""
    stems = [stemmed(w) for w in words["token"].to_list()]
    return words.select("token").with_columns(pl.Series("stem", stems, dtype=pl.String))


@functools.lru_cache(maxsize=100_000)
def stemmed(word: str) -> str:
    """The stem of a word in small letters; words of fewer than four letters stay as they are.

    >>> [stemmed(w) for w in ("relational", "hopping", "flies", "the")]
    ['relat', 'hop', 'fli', 'the']
    """
    if len(word) < SHORTEST:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for step in (_plurals, _participles, _final_y, _double_suffixes, _suffixes, _last_suffixes, _final_e, _final_l):
        word = step(word)
    return word


# ---- letters


def _is_consonant(word: str, i: int) -> bool:
    if word[i] in _VOWELS:
        return False
    return word[i] != "y" or i == 0 or not _is_consonant(word, i - 1)


def _measure(stem: str) -> int:
    """How often a consonant follows a vowel."""
    kinds = [_is_consonant(stem, i) for i in range(len(stem))]
    return sum(after and not before for before, after in pairwise(kinds))


def _has_vowel(stem: str) -> bool:
    return not all(_is_consonant(stem, i) for i in range(len(stem)))


def _long(stem: str) -> bool:
    return _measure(stem) > 0


def _longer(stem: str) -> bool:
    return _measure(stem) > 1


def _doubled(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _short_syllable(word: str) -> bool:
    """Whether it ends in consonant, vowel and a consonant other than w, x, y; or is a vowel and a consonant."""
    n = len(word)
    if n == 2:
        return not _is_consonant(word, 0) and _is_consonant(word, 1)
    kinds = [_is_consonant(word, i) for i in range(n - 3, n)] if n > 2 else []
    return kinds == [True, False, True] and word[-1] not in "wxy"


def _always(_: str) -> bool:
    return True


def _by_rules(word: str, rules: Sequence[Rule]) -> str:
    for ending, new, holds in rules:
        if word.endswith(ending):
            stem = word[: len(word) - len(ending)]
            return stem + new if holds(stem) else word
    return word


# ---- steps


def _plurals(word: str) -> str:
    if len(word) == 4 and word.endswith("ies"):
        return word[:-1]
    return _by_rules(word, (("sses", "ss", _always), ("ies", "i", _always), ("ss", "ss", _always), ("s", "", _always)))


def _participles(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _long(word[:-3]) else word
    for ending in ("ed", "ing"):
        stem = word[: len(word) - len(ending)]
        if word.endswith(ending) and _has_vowel(stem):
            break
    else:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _doubled(stem):
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _short_syllable(stem) else stem


def _final_y(word: str) -> str:
    stem = word[:-1]
    changes = word.endswith("y") and len(stem) > 1 and _is_consonant(stem, len(stem) - 1)
    return stem + "i" if changes else word


_DOUBLE: tuple[Rule, ...] = (
    *((ending, new, _long) for ending, new in (
        ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
        ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
        ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
        ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful"),
    )),
    ("logi", "log", lambda stem: _long(stem + "l")),
)  # fmt: skip


def _double_suffixes(word: str) -> str:
    if word.endswith("alli") and _long(word[:-4]):
        return _double_suffixes(word[:-2])
    return _by_rules(word, _DOUBLE)


_SUFFIXES: tuple[Rule, ...] = tuple(
    (ending, new, _long)
    for ending, new in (
        ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
    )
)  # fmt: skip


def _suffixes(word: str) -> str:
    return _by_rules(word, _SUFFIXES)


_LAST: tuple[Rule, ...] = (
    *((ending, "", _longer) for ending in (
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent"
    )),
    ("ion", "", lambda stem: _longer(stem) and stem[-1] in "st"),
    *((ending, "", _longer) for ending in ("ou", "ism", "ate", "iti", "ous", "ive", "ize")),
)  # fmt: skip


def _last_suffixes(word: str) -> str:
    return _by_rules(word, _LAST)


def _final_e(word: str) -> str:
    if not word.endswith("e"):
        return word
    stem = word[:-1]
    drops = _longer(stem) or (_measure(stem) == 1 and not _short_syllable(stem))
    return stem if drops else word


def _final_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _longer(word[:-1]) else word
