r"""Texts as they are compared: normalised in one expression, with the same result on every engine.

Engines differ in what `\b`, `\w` and `\s` match beyond ASCII, and in the small letters of İ and of Σ at the end of a
word.  Patterns spell all of it out, as Python's `str` and `re` have it.
"""

from __future__ import annotations

from collections.abc import Callable

from ireval_frames.expr import Expr

# The letters that have case, and the characters that are passed over when a word's end is looked for (Unicode 3.13).
_CASED = (
    r"\p{Lu}\p{Ll}\p{Lt}\x{AA}\x{BA}\x{2160}-\x{217F}\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}"
    r"\x{1F170}-\x{1F189}"
)
_PASSED_OVER = (
    r"\p{Mn}\p{Me}\p{Cf}\p{Lm}\p{Sk}\x27\x2E\x3A\x{B7}\x{387}\x{55F}\x{5F4}\x{2018}\x{2019}\x{2024}\x{2027}\x{FE13}"
    r"\x{FE52}\x{FE55}\x{FF07}\x{FF0E}\x{FF1A}"
)
_FINAL_SIGMA = rf"([{_CASED}][{_PASSED_OVER}]*)\x{{3A3}}([{_PASSED_OVER}]*(?:[^{_CASED}{_PASSED_OVER}]|\z))"
_SPACES = r"[\x{9}-\x{D}\x{1C}-\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}]+"
_PUNCTUATION = r"\x21-\x2F\x3A-\x40\x5B-\x60\x7B-\x7E"
_NO_WORD = r"[^\p{L}\p{N}]"
_ARTICLE = rf"(^|{_NO_WORD})(?:a|an|the)({_NO_WORD}|\z)"
# Chinese characters, and the Japanese syllables.
_CHARACTERS = r"([\x{3040}-\x{30FF}\x{3400}-\x{4DBF}\x{4E00}-\x{9FFF}\x{F900}-\x{FAFF}\x{20000}-\x{323AF}])"


def lowercase(text: Expr) -> Expr:
    """In small letters: İ becomes i with a dot above, and Σ at the end of a word ς."""
    text = text.str.replace_all(_FINAL_SIGMA, "${1}ς${2}").str.replace_all("Σ", "σ", literal=True)
    return text.str.replace_all("İ", "i\u0307", literal=True).str.to_lowercase()


def collapsed(text: Expr) -> Expr:
    """With one space between words."""
    return text.str.replace_all(_SPACES, " ").str.strip_chars(" ")


def _without_articles(text: Expr) -> Expr:
    # Matches share no character, so articles one after another need a second pass.
    for _ in range(2):
        text = text.str.replace_all(_ARTICLE, "${1} ${2}")
    return text


def _squad(text: Expr) -> Expr:
    return collapsed(_without_articles(lowercase(text).str.replace_all(f"[{_PUNCTUATION}]", "")))


def _triviaqa(text: Expr) -> Expr:
    spaced = lowercase(text).str.replace_all(rf"[{_PUNCTUATION}\x{{B4}}\x{{2018}}\x{{2019}}]", " ")
    return collapsed(_without_articles(spaced))


def _multilingual(text: Expr) -> Expr:
    words = lowercase(text).str.replace_all(rf"[{_PUNCTUATION}\p{{P}}]", "")
    return collapsed(words.str.replace_all(_CHARACTERS, " ${1} "))


def _rouge_score(text: Expr) -> Expr:
    return lowercase(text).str.replace_all("[^a-z0-9]+", " ").str.strip_chars(" ")


NORMALIZATIONS: dict[str, Callable[[Expr], Expr]] = {
    "squad": _squad,
    "none": lambda text: text,
    "triviaqa": _triviaqa,
    "multilingual": _multilingual,
    "rouge-score": _rouge_score,
}


def normalized(text: Expr, normalize: str) -> Expr:
    """A text as it is compared.

    Args:
        text: the text.
        normalize: how: the name of one of `NORMALIZATIONS`.
    """
    return NORMALIZATIONS[normalize](text)


def words(text: Expr, normalize: str) -> Expr:
    """The words of a text as it is compared, with one space between them.

    Args:
        text: the text, not yet normalised.
        normalize: how.
    """
    return collapsed(text) if normalize == "none" else normalized(text, normalize)
