"""Labels in MNIST's IDX files: four bytes that say what follows, the number of labels, and a byte per label."""

from __future__ import annotations

import polars as pl

from ireval_frames.errors import FileError
from ireval_frames.io.storage.compression import Stream
from ireval_frames.io.storage.source import File

# Two zeros, the type of the values (8: bytes), and the number of dimensions.
LABELS, IMAGES = b"\0\0\x08\x01", b"\0\0\x08\x03"


def is_idx(head: bytes) -> bool:
    """Whether a file with these first bytes is one of IDX, of labels or of anything else."""
    return head[:2] == b"\0\0" and head[2:3] in b"\x08\x09\x0b\x0c\x0d\x0e" and head[3:4] not in (b"", b"\0")


def idx_labels(file: File) -> pl.DataFrame:
    """item_id (the position in the file, from 0) and label (0 to 255).

    Raises:
        FileError: the file has images, or other values than single bytes, or not as many labels as it says.
    """
    with Stream(file.path, file.name) as stream:
        head = stream.read(8)
        if not is_idx(head):
            raise FileError(
                f"{file.name} is no IDX file: its first bytes are {head[:4]!r}.",
                "Leave the format out: it is detected for most files.",
            )
        if head[:4] != LABELS:
            what = "images" if head[:4] == IMAGES else "other values than a byte per label"
            raise FileError(
                f"{file.name} is an IDX file of {what}, not of labels.",
                "Those of labels are named like train-labels-idx1-ubyte.",
            )
        n = int.from_bytes(head[4:8], "big")
        # One more byte shows whether the file goes on.
        values = stream.read(n + 1)
    if len(head) < 8 or len(values) != n:
        more = "more" if len(values) > n else f"{len(values)}"
        raise FileError(f"{file.name} says that it has {n} labels, and has {more}.", "Copy or download it again.")
    return pl.DataFrame({"item_id": range(n), "label": list(values)}, schema={"item_id": pl.Int64, "label": pl.Int64})
