"""Rankings as people write them."""

from __future__ import annotations

import polars as pl

from ireval_frames.errors import InvalidParameter


def ranking(text: str, name: str = "") -> pl.DataFrame:
    """A ranking from a text: items in order, tied ones in brackets.

    Args:
        text: items between blanks, such as "a (b c) d".
        name: if given, a column `ranking` says it in every row, so that several can be put together.

    Returns:
        [ranking] item rank; tied items have the rank of the first of them.

    Raises:
        InvalidParameter: the brackets do not match, or there is no item.

    Example:
        >>> ranking("a (b c) d").rows()
        [('a', 1), ('b', 2), ('c', 2), ('d', 4)]
    """
    items: list[str] = []
    ranks: list[int] = []
    tied = 0
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word in "()":
            if (word == "(") == bool(tied):
                raise InvalidParameter(
                    f"The brackets of {text!r} do not match.", 'Write "a (b c) d": b and c are tied.'
                )
            tied = len(items) + 1 if word == "(" else 0
            continue
        items.append(word)
        ranks.append(tied or len(items))
    if tied or not items:
        raise InvalidParameter(f"{text!r} is not a ranking.", 'Write "a (b c) d": b and c are tied.')
    named = {"ranking": [name] * len(items)} if name else {}
    return pl.DataFrame({**named, "item": items, "rank": ranks})
