"""Copies of what can be read once, or lies far away, that are gone with the process, however that ends."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO

OPENED = Path("/proc/self/fd")


class Copy:
    """A file that is there as long as the object.

    Where the system names the files that are open, it has no other name, so that a process that is killed leaves
    nothing behind.

    Attributes:
        file: where to write it; then `flush` it.
        path: opens it anew.
    """

    def __init__(self) -> None:
        self.file: IO[bytes]
        if OPENED.is_dir():
            self.file = tempfile.TemporaryFile(prefix="ireval-")  # noqa: SIM115 - it is closed with the object
            self.path = OPENED / str(self.file.fileno())
        else:
            # Windows opens no file again that goes when it is closed.
            self.file = tempfile.NamedTemporaryFile(prefix="ireval-", delete=False)  # noqa: SIM115
            self.path = Path(self.file.name)
            weakref.finalize(self, _removed, self.path)
        # What is made last is called first.
        weakref.finalize(self, self.file.close)


def _removed(path: Path) -> None:
    # On Windows a file stays while somebody reads it.
    with suppress(OSError):
        path.unlink()


def copied(stream: IO[bytes]) -> Copy:
    """What a stream holds."""
    out = Copy()
    shutil.copyfileobj(stream, out.file, 1 << 20)
    out.file.flush()
    return out
