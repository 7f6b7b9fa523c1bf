"""Lines as trec_eval prints them."""

from __future__ import annotations


def line(name: str, query: str, value: float | str, *, whole: bool = False) -> str:
    """A line of name, query and value between tabs; four decimals, or a whole number, or text as it is."""
    shown = value if isinstance(value, str) else f"{int(value)}" if whole else f"{value:6.4f}"
    return f"{name:<22}\t{query}\t{shown}\n"
