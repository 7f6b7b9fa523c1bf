"""Operations of texts, lists, durations and structs, under Polars' names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ireval_frames.expr.tree import Expr


class _Of:
    def __init__(self, of: Expr) -> None:
        self._of = of


class Texts(_Of):
    """Operations of texts: `col("query_id").str`."""

    def contains(self, pattern: Any, *, literal: bool = False) -> Expr:
        """Whether it contains a match of a regular expression, or a literal text."""
        return self._of.apply("str.contains", pattern, literal=literal)

    def len_chars(self) -> Expr:
        """The number of its characters, which are code points of Unicode."""
        return self._of.apply("str.len_chars")

    def replace_all(self, pattern: str, value: str, *, literal: bool = False) -> Expr:
        r"""With another text for each match of a regular expression, or of a literal text.

        Engines differ in what `\b`, `\w` and `$` mean: patterns spell out such classes, and end in `\z`.

        Args:
            pattern: what is replaced.
            value: the other text, in which `${1}` is what the first group of the pattern matched.
            literal: whether the pattern is a text.
        """
        return self._of.apply("str.replace_all", pattern=pattern, value=value, literal=literal)

    def slice(self, offset: int, length: int | None = None) -> Expr:
        """Its characters from an offset on, counted from 0."""
        return self._of.apply("str.slice", offset=offset, length=length)

    def split(self, by: str) -> Expr:
        """The list of its parts between the occurrences of a text."""
        return self._of.apply("str.split", by=by)

    def starts_with(self, prefix: Any) -> Expr:
        """Whether it begins with a text."""
        return self._of.apply("str.starts_with", prefix)

    def strip_chars(self, characters: str) -> Expr:
        """Without these characters at its ends."""
        return self._of.apply("str.strip_chars", characters=characters)

    def to_lowercase(self) -> Expr:
        """In small letters; engines differ in those of İ and of Σ at the end of a word."""
        return self._of.apply("str.to_lowercase")


class Lists(_Of):
    """Operations of lists: `col("labels").list`."""

    def get(self, index: int) -> Expr:
        """The value at an index, from 0; null where there is none."""
        return self._of.apply("list.get", index=index)

    def len(self) -> Expr:
        """The number of values."""
        return self._of.apply("list.len")

    def min(self) -> Expr:
        """The smallest value."""
        return self._of.apply("list.min")


class Times(_Of):
    """Operations of durations: `(col("b") - col("a")).dt`."""

    def total_microseconds(self) -> Expr:
        """Its length in microseconds."""
        return self._of.apply("dt.total_microseconds")


class Structs(_Of):
    """Operations of structs: `col("scores").struct`."""

    def field(self, name: str) -> Expr:
        """The values of a field."""
        return self._of.apply("struct.field", name=name)
