"""Where Spark is for the tests, and an archive of the classes that it loads: Java starts in half the time with it."""

from __future__ import annotations

import contextlib
from importlib import metadata, resources
from pathlib import Path

HOME = Path(__file__).parents[1] / "build" / "spark"
# Of archives that Java cannot read, and of classes that it cannot archive, it says nothing.
SILENT = "-Xlog:disable -Xlog:all=error:stderr"


def home() -> Path:
    """What PySpark holds, in a folder where executors may write; all start there, since an archive names its paths."""
    HOME.mkdir(parents=True, exist_ok=True)
    for file in Path(str(resources.files("pyspark"))).iterdir():
        link = HOME / file.name
        if link.is_symlink() and link.readlink() != file:
            link.unlink()
        # Another worker may have made it.
        with contextlib.suppress(FileExistsError):
            link.symlink_to(file)
    return HOME


def archive() -> Path:
    """The archive, be it there or not; Java does without one that another Java has made."""
    return HOME / f"classes-{metadata.version('pyspark')}.jsa"


def options() -> str:
    """What Java is told, so that it reads the archive."""
    return f"-XX:SharedArchiveFile={archive()} {SILENT}" if archive().exists() else ""
