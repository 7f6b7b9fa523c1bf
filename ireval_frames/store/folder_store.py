"""A store as a folder: tags, packing, merging, removing, checking, exporting."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.drawable import Drawable
from ireval_frames.errors import StoreWarning, warn
from ireval_frames.store import input_tables, packing
from ireval_frames.store.adding import tag_file
from ireval_frames.store.exporting import export
from ireval_frames.store.folder import files
from ireval_frames.store.folder.files import Listing, Result
from ireval_frames.store.folder.format import open_folder


class FolderStore(Drawable):
    """A folder of evaluations, and its maintenance."""

    _picture = "history"

    def __init__(self, path: str | os.PathLike[str], *, create: bool = True) -> None:
        self.path = Path(path).absolute()
        open_folder(self.path, create=create)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self.path),)

    def tag(self, name: str, evaluation_id: str) -> None:
        """Give an evaluation a name, such as main; the last evaluation of a name has it.

        Args:
            name: the name.
            evaluation_id: the evaluation, by its id, the beginning of it, or another name.

        Raises:
            UnknownName: there is no such evaluation.
        """
        tag_file(self.path, name, self.find(evaluation_id))

    def find(self, name: str) -> str:
        """The id of an evaluation.

        Args:
            name: its id, the beginning of it, or a tag.

        Raises:
            UnknownName: there is none, or several ids begin like this.
        """
        return self._with(lambda listing: packing.find(listing, name))

    def compact(self) -> int:
        """Pack the files of each table into one, which is read faster; return the number of files less.

        Others may read and write meanwhile.  A lazy frame from before may refer to files that are gone: make it again.
        """
        return self._with(packing.compact)

    def merge(self, other: str | os.PathLike[str] | FolderStore) -> int:
        """Copy what another store has and this one lacks, also kept tables; return the number of evaluations.

        Raises:
            FileError: the other one is not a store.
        """
        source = other if isinstance(other, FolderStore) else FolderStore(other, create=False)
        input_tables.copy_tables(self.path, source.path)
        return self._with(lambda listing: packing.merge(listing, files.listing(source.path)))

    def remove(self, evaluation_id: str) -> None:
        """Remove an evaluation, with its occasions and tags.

        A tag of it returns to the evaluation that had it before, with a `StoreWarning`.

        Raises:
            UnknownName: there is no such evaluation.
        """
        removed = self.find(evaluation_id)
        before = self._with(packing.tags)
        for _ in range(files.ATTEMPTS):
            # A process that packs at the same time may have copied it.
            if not self._with(lambda listing: packing.remove(listing, removed)):
                break
        now = self._with(packing.tags)
        for name in sorted(name for name, tagged in before.items() if tagged == removed and name in now):
            warn(f"The name {name!r} is that of evaluation {now[name]} again.", StoreWarning)

    def check(self) -> pl.DataFrame:
        """A row per file that is damaged, foreign, incomplete or left over; every file is read completely.

        Returns:
            path, problem; no rows if all is well.
        """
        return files.retry(lambda: packing.check(files.listing(self.path)))

    def export(self, path: str | os.PathLike[str], *, collection: str | None = None) -> Path:
        """Write the store into one DuckDB file with its views and macros, for DuckDB 1.5 and later; or values.

        Args:
            path: a DuckDB file; or a table (.csv, .tsv, .jsonl, .parquet, .arrow) of the last values of every run,
                which `import_values` reads.
            collection: of values, those of one collection.

        Raises:
            FileError: the file exists, or the disk refuses.
            InvalidParameter: a DuckDB file cannot be of one collection.
            UnknownName: there is no such collection.
        """
        return self._with(lambda listing: export(listing, Path(path).expanduser(), collection))

    def _with(self, action: Callable[[Listing], Result]) -> Result:
        return files.run(self.path, action)
