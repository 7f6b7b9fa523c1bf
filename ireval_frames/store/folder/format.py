"""The format of a store: a line in its folder, written once."""

from __future__ import annotations

import os
from pathlib import Path

from ireval_frames.errors import Code, FileError, Hint
from ireval_frames.io.storage.places import as_text, is_text
from ireval_frames.store.tables import FORMAT

NAME = "FORMAT"
_LINE = "ireval-store"
_MAKE = Code("ir.Store(path, create=True)", "ireval store add QRELS RUN… --store FOLDER")


def open_folder(root: Path, *, create: bool) -> None:
    """Check that a folder is a store of a known format; make an empty or new folder one.

    Raises:
        FileError: it is not a store, or that of a newer release.
    """
    path = root / NAME
    if not is_text(root) or "\0" in str(root):
        raise FileError(f"{as_text(str(root))!r} is no name of a folder.", "Name one in letters: results")
    try:
        exists = path.exists()
    except OSError as error:
        raise FileError(f"{root} cannot be read: {error.strerror}.") from error
    if not exists:
        if root.exists() and not root.is_dir():
            raise FileError(f"{root} is a file.", 'Name a folder: ir.Store("results")')
        if not create:
            raise FileError(f"There is no store in {root}.", Hint("Make it: ", _MAKE))
        others = sorted(p.name for p in root.iterdir() if not p.name.startswith(".")) if root.exists() else []
        if others:
            raise FileError(
                f"{root} is no store: it holds {others[0]!r} and no file {NAME}.", "Name a folder that is empty or new."
            )
        _create(root, path)
    try:
        text = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{path} cannot be read: {error}.") from error
    name, _, number = text.partition(" ")
    if name != _LINE or not number.isdecimal() or len(number) > 99 or int(number) < 1:
        raise FileError(
            f"{path} holds {text[:40]!r}, which is no format of a store.", f"It should say: {_LINE} {FORMAT}"
        )
    if int(number) > FORMAT:
        raise FileError(
            f"{root} has format {number}; this release reads formats up to {FORMAT}.",
            "Install a newer one: pip install --upgrade ireval-frames",
        )


def is_store(path: str | os.PathLike[str]) -> bool:
    """Whether there is a store in a folder."""
    return (Path(path).expanduser() / NAME).is_file()


def _create(root: Path, path: Path) -> None:
    """Several processes may create it at once; the second one finds it there."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        temporary = root / f".{NAME}.{os.getpid()}.{os.urandom(4).hex()}"
        temporary.write_text(f"{_LINE} {FORMAT}\n", "utf-8")
        try:
            os.link(temporary, path)
        except FileExistsError:
            pass
        except OSError:
            # File systems without links: renaming is atomic, and all processes write the same.
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(f"{root} cannot be made a store: {error.strerror or error}.") from error
