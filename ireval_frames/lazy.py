"""Imports on first use: public names, and functions that stand below their callers on CONTRIBUTING's map."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import Any

_HOOKS: dict[str, str] = {}


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


def register(hooks: Mapping[str, str]) -> None:
    """Register functions, each as `module:function`."""
    _HOOKS.update(hooks)


@functools.cache
def hook(name: str) -> Callable[..., Any]:
    """The function that is registered by this name.

    Example:
        >>> hook("measure of a text")("ndcg_cut_10")
        nDCG@10
    """
    module, _, function = _HOOKS[name].partition(":")
    target: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return target
