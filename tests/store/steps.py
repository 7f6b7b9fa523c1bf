"""The steps by which a folder is changed: looked at one by one, or failing."""

from __future__ import annotations

import errno
import io
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# What pathlib and the package call when they change a folder.
CHANGES = ((io, "open"), (os, "replace"), (os, "unlink"), (os, "mkdir"), (os, "link"), (os, "fsync"))


def watch(patched: pytest.MonkeyPatch, before: Callable[[str], None]) -> None:
    """Have a function called before every step, until the patch is undone."""
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


def left(folder: Path, copies: Path, action: Callable[[], object]) -> list[Path]:
    """What a process that is killed at each step of an action leaves: copies of the folder, no two of them alike."""
    out: list[Path] = []
    seen: set[frozenset[str]] = set()

    def copied(_: str) -> None:
        names = frozenset(str(p.relative_to(folder)) for p in folder.rglob("*") if not p.name.endswith(".tmp"))
        if names not in seen:
            seen.add(names)
            out.append(copies / str(len(out)))
            shutil.copytree(folder, out[-1])

    with pytest.MonkeyPatch.context() as patched:
        watch(patched, copied)
        action()
    copied("end")
    return out


class Full:
    """A disk that has no room from some step on."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.reached = False

    def __call__(self, name: str) -> None:
        """Fail, unless it frees room."""
        if self.after <= 0 and name != "unlink":
            self.reached = True
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.after -= 1
