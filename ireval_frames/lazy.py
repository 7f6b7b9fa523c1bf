"""Public names of a package that are imported when they are first used."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any


def attribute(package: str, modules: Mapping[str, str], name: str) -> Any:
    """A name of a package, imported now.

    Args:
        package: the package, with dots.
        modules: the names in each of its modules, with blanks between them.
        name: the name; one that is in no module is a module itself.
    """
    for module, names in modules.items():
        if name in names.split():
            return getattr(importlib.import_module(f"{package}.{module}"), name)
    return importlib.import_module(f"{package}.{name}")
