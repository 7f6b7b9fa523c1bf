"""The upkeep of a store: names for evaluations, packing, merging, removing, checking, sending."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.drawable import Drawable
from ireval_frames.errors import StoreWarning, warn
from ireval_frames.store import keeping
from ireval_frames.store.adding import tag_file
from ireval_frames.store.folder import files
from ireval_frames.store.folder import format as folder
from ireval_frames.store.folder.files import Listing, Result
from ireval_frames.store.upkeep import exporting
from ireval_frames.store.upkeep import packing as upkeep


class Tended(Drawable):
    """A folder of evaluations, as far as its upkeep goes."""

    _picture = "history"

    def __init__(self, path: str | os.PathLike[str], *, create: bool = True) -> None:
        self.path = Path(path).absolute()
        folder.opened(self.path, create=create)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self.path),)

    def tag(self, name: str, evaluation_id: str) -> None:
        """Give an evaluation a name, such as main; the name moves, if another one had it.

        Args:
            name: the name.
            evaluation_id: the evaluation, by its id, the beginning of it, or another name.

        Raises:
            UnknownName: there is no such evaluation.
        """
        tag_file(self.path, name, self.find(evaluation_id))

    def find(self, given: str) -> str:
        """The id of an evaluation, of its beginning or a tag.

        Raises:
            UnknownName: there is none, or several begin so.
        """
        return self._with(lambda listing: upkeep.found(listing, given))

    def compact(self) -> int:
        """Put the files of each table into one, which is read faster; how many files there are less.

        Others may read and write meanwhile.  A lazy frame from before may name files that are gone: ask anew.
        """
        return self._with(upkeep.compact)

    def merge(self, other: str | os.PathLike[str] | Tended) -> int:
        """Take over what another store has and this one has not, kept tables too; how many evaluations these are.

        Raises:
            FileError: the other one is no store.
        """
        there = other if isinstance(other, Tended) else Tended(other, create=False)
        keeping.taken(self.path, there.path)
        return self._with(lambda listing: upkeep.merge(listing, files.listing(there.path)))

    def remove(self, evaluation_id: str) -> None:
        """Remove an evaluation, with its occasions and tags.

        A name that it had is again that of the evaluation which had it before; a `StoreWarning` says so.

        Raises:
            UnknownName: there is no such evaluation.
        """
        found = self.find(evaluation_id)
        tags = self._with(upkeep.tags)
        for _ in range(files.TRIES):
            # Whoever packs at the same time may have taken it along.
            if not self._with(lambda listing: upkeep.remove(listing, found)):
                break
        now = self._with(upkeep.tags)
        for name in sorted(name for name, of in tags.items() if of == found and name in now):
            warn(f"The name {name!r} is that of evaluation {now[name]} again.", StoreWarning)

    def check(self) -> pl.DataFrame:
        """What is wrong: a row per file that is damaged, foreign, incomplete or left over; every file is read whole.

        Returns:
            path, problem; no row where all is well.
        """
        return files.persistent(lambda: upkeep.check(files.listing(self.path)))

    def export(self, path: str | os.PathLike[str], *, collection: str | None = None) -> Path:
        """Write all into one DuckDB file with its views and macros, which DuckDB from 1.5 on opens; or values.

        Args:
            path: a DuckDB file; or a table (.csv, .tsv, .jsonl, .parquet, .arrow) of the last values of every run,
                which `import_values` reads.
            collection: of values, those of one collection.

        Raises:
            FileError: there is such a file already, or the disk refuses.
            InvalidParameter: a DuckDB file is to be of one collection.
            UnknownName: there is no such collection.
        """
        return self._with(lambda listing: exporting.exported(listing, Path(path).expanduser(), collection))

    def _with(self, action: Callable[[Listing], Result]) -> Result:
        return files.again(self.path, action)
