"""Names from data, escaped where people and machines read them."""

from __future__ import annotations

import re
import unicodedata

# Control characters, line ends of all kinds, and signs that turn the direction of text or are not seen.
_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# Commands to services of continuous integration, which obey them anywhere in a line.
_COMMANDS = re.compile(r"##(?=\[|vso\[|teamcity\[)")


def plain(text: object) -> str:
    r"""Text that stays on its line and commands nothing: what is not seen is written as an escape.

    Example:
        >>> plain("a\n::error::b"), plain("##vso[task.complete]")
        ('a\\n::error::b', '#\\x23vso[task.complete]')
    """
    shown = "".join(_escaped(c) if unicodedata.category(c) in _CATEGORIES else c for c in str(text))
    return _COMMANDS.sub(r"#\\x23", shown)


def lines(text: str) -> str:
    r"""Text of several lines and of fields between tabs, each of them harmless.

    Example:
        >>> lines("a\x1b[31m\tb\n")
        'a\\x1b[31m\tb\n'
    """
    return re.sub(r"[^\t\n]+", lambda part: plain(part[0]), text)


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape", "surrogatepass").decode("ascii")


def code(text: object, *, cell: bool = False) -> str:
    r"""Text as code in Markdown: it mentions nobody, and links nothing.

    Args:
        text: any.
        cell: whether it is in a cell of a table, where bars are escaped.

    Example:
        >>> code("@team | `x`", cell=True)
        '`` @team \\| `x` ``'
    """
    shown = plain(text)
    shown = shown.replace("|", "\\|") if cell else shown
    if not shown.strip():
        return "` `"
    fence = "`" * (max((len(run) for run in re.findall(r"`+", shown)), default=0) + 1)
    room = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{fence}{room}{shown}{room}{fence}"
