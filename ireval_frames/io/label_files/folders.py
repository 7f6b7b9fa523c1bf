"""Collections whose folders are the classes: 20 Newsgroups, and pictures as for ImageNet."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from ireval_frames.errors import FileError
from ireval_frames.io.storage.places import as_text

_EXAMPLE = "collection/class/item, or collection/split/class/item"


def folder_labels(folder: Path, name: str) -> pl.DataFrame:
    """item_id (the path in the collection), label (the name of the folder), and split if there is a level above.

    Hidden files are left out.

    Raises:
        FileError: files lie at several depths, or beside the folders of classes.
    """
    paths = sorted(p.relative_to(folder) for p in folder.rglob("*") if p.is_file())
    paths = [p for p in paths if not any(part.startswith(".") for part in p.parts)]
    if not paths:
        raise FileError(f"{name} has no files.", f"Name the folder that holds them: {_EXAMPLE}.")
    depths = {len(p.parts): p for p in reversed(paths)}
    if len(depths) > 1 or not set(depths) <= {2, 3}:
        some = " and ".join(as_text(depths[n].as_posix()) for n in sorted(depths)[:2])
        raise FileError(f"{name} is no folder of classes: it has {some}.", f"Files must lie as in {_EXAMPLE}.")
    table = pl.DataFrame(
        [[as_text(p.as_posix()), as_text(p.parts[-2]), as_text(p.parts[0])] for p in paths],
        schema={"item_id": pl.String, "label": pl.String, "split": pl.String},
        orient="row",
    )
    return table if 3 in depths else table.drop("split")
