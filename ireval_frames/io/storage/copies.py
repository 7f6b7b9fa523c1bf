"""Temporary copies of what can be read once, or is remote; they end with the process, however that ends."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO

OPENED = Path("/proc/self/fd")


class Copy:
    """A temporary file that exists as long as the object.

    Where the system has paths of open files, the file has no other name, so a killed process leaves nothing behind.

    Attributes:
        file: where to write it; then `flush` it.
        path: a path that opens it again.
    """

    def __init__(self) -> None:
        self.file: IO[bytes]
        if OPENED.is_dir():
            self.file = tempfile.TemporaryFile(prefix="ireval-")  # noqa: SIM115 - it is closed with the object
            self.path = OPENED / str(self.file.fileno())
        else:
            # Windows cannot reopen a file that is deleted when closed.
            self.file = tempfile.NamedTemporaryFile(prefix="ireval-", delete=False)  # noqa: SIM115
            self.path = Path(self.file.name)
            weakref.finalize(self, _removed, self.path)
        # Finalizers run in reverse order.
        weakref.finalize(self, self.file.close)


def _removed(path: Path) -> None:
    # On Windows a file that is being read cannot be deleted.
    with suppress(OSError):
        path.unlink()


def copied(stream: IO[bytes]) -> Copy:
    """A copy of a stream."""
    out = Copy()
    shutil.copyfileobj(stream, out.file, 1 << 20)
    out.file.flush()
    return out
