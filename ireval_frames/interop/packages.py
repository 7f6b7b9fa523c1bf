"""The other tools themselves, imported when something of theirs is made."""

from __future__ import annotations

import importlib
from typing import Any

from ireval_frames.errors import EngineError


def package(name: str, install: str | None = None) -> Any:
    """A package that this one does without.

    Args:
        name: what it is imported as.
        install: what pip calls it, where that is another name.

    Raises:
        EngineError: it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise EngineError(
            f"This needs the package {name}, which is not installed.", f"Install it: pip install {install or name}"
        ) from error
