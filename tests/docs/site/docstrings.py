"""Hooks for autodoc: methods of tables are methods, and prose has no markup but `code`."""

from __future__ import annotations

import re
from typing import Any

from ireval_frames import results

# Code between backticks, with a letter right after it, which reStructuredText must escape.
CODE = re.compile(r"(`[^`]+`\w?)")
# Attributes for the package itself.
INTERNAL = {
    "asked", "failing", "grouped", "options", "subject", "taken", "written",
}  # fmt: skip
MARKUP = re.compile(r"([*|\\`]|_(?=\W|$))")


def setup(app: Any) -> None:
    """Hook into Sphinx."""
    # On a class `@table_method` gives the descriptor; autodoc asks for the method.
    original = results.table_method.__get__

    def method(self: Any, subject: Any, owner: type) -> Any:
        return self._make if subject is None else original(self, subject, owner)

    results.table_method.__get__ = method
    app.connect("autodoc-process-docstring", process, priority=400)
    app.connect("autodoc-skip-member", skipped)


def skipped(_app: Any, _what: str, name: str, _member: Any, _skip: bool, _options: Any) -> bool | None:  # noqa: FBT001
    """Whether a member is left out; None leaves it to autodoc."""
    return True if name in INTERNAL else None


def process(_app: Any, _what: str, _name: str, _of: Any, _options: Any, lines: list[str]) -> None:
    """Write prose as reStructuredText, before napoleon reads the sections."""
    example = False
    for at, line in enumerate(lines):
        # An example ends with an empty line.
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        if not example:
            lines[at] = "".join(map(_escaped, CODE.split(line)))


def _escaped(part: str) -> str:
    if not CODE.fullmatch(part):
        return MARKUP.sub(r"\\\1", part)
    code, _, after = part[1:].partition("`")
    return f"``{code}``" + (f"\\ {after}" if after else "")
