"""Text inside Markdown."""

from __future__ import annotations

import re


def escaped(text: str) -> str:
    """Text that Markdown leaves as it is, inside a table."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p.replace("|", "\\|") if p.startswith("`") else re.sub(r"([|*_<\[\]\\])", r"\\\1", p) for p in parts)
