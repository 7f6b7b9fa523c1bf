"""How autodoc reads this project: methods that give tables are methods, and prose holds no markup but `code`."""

from __future__ import annotations

import re
from typing import Any

from ireval_frames import results

# Code between backticks, and lines of examples, stay as they are.
KEPT = re.compile(r"(`[^`]*`)")


def setup(app: Any) -> None:
    """Hook into Sphinx."""
    # On a class `@result` gives the descriptor; autodoc asks for the method.
    given = results.result.__get__

    def method(self: Any, subject: Any, owner: type) -> Any:
        return self._make if subject is None else given(self, subject, owner)

    results.result.__get__ = method
    app.connect("autodoc-process-docstring", process, priority=400)


def process(_app: Any, _what: str, _name: str, _of: Any, _options: Any, lines: list[str]) -> None:
    """Escape what would be markup, before napoleon reads the sections."""
    example = False
    for at, line in enumerate(lines):
        # An example ends with an empty line.
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        if not example:
            parts = KEPT.split(line)
            lines[at] = "".join(p if p.startswith("`") else re.sub(r"([*|\\]|_(?=\W|$))", r"\\\1", p) for p in parts)
