"""The steps by which a folder is changed: observed one by one, or failing."""

from __future__ import annotations

import errno
import io
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# The functions that pathlib and the package call to change a folder.
CHANGES = ((io, "open"), (os, "replace"), (os, "unlink"), (os, "mkdir"), (os, "link"), (os, "fsync"))


def watch(patched: pytest.MonkeyPatch, before: Callable[[str], None]) -> None:
    """Call a function before every step, until the patch is undone."""
    busy = False

    def watching(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: Any, **named: Any) -> Any:
            nonlocal busy
            mode = str(arguments[1] if len(arguments) > 1 else named.get("mode", "r"))
            if not busy and (name != "open" or {*mode} & {*"wxa+"}):
                busy = True
                try:
                    before(name)
                finally:
                    busy = False
            return real(*arguments, **named)

        return step

    for module, name in CHANGES:
        patched.setattr(module, name, watching(name, getattr(module, name)))


def states_of(folder: Path, copies: Path, action: Callable[[], object]) -> list[Path]:
    """The states that a process leaves if it is killed at some step of an action, as copies of the folder."""
    states: list[Path] = []
    known: set[frozenset[str]] = set()

    def copy(_: str) -> None:
        names = frozenset(str(p.relative_to(folder)) for p in folder.rglob("*") if not p.name.endswith(".tmp"))
        if names not in known:
            known.add(names)
            states.append(copies / str(len(states)))
            shutil.copytree(folder, states[-1])

    with pytest.MonkeyPatch.context() as patched:
        watch(patched, copy)
        action()
    copy("end")
    return states


class FullDisk:
    """A disk that is full after some steps."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.reached = False

    def __call__(self, name: str) -> None:
        """Fail, unless the step frees space."""
        if self.after <= 0 and name != "unlink":
            self.reached = True
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.after -= 1
