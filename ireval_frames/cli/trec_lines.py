"""Lines as trec_eval prints them."""

from __future__ import annotations


def line(name: str, query: str, value: float | str, *, whole: bool = False) -> str:
    """A line of name, query and value between tabs; four decimals, or a whole number, or text as it is."""
    if isinstance(value, str):
        shown = value
    else:
        shown = f"{int(value):d}" if whole else f"{value:6.4f}"
    return f"{name:<22}\t{query}\t{shown}\n"
