"""What run files say of themselves: the YAML between `# ir_metadata.start` and `# ir_metadata.end`, as it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ireval_frames.io.run_header import header
from ireval_frames.io.storage.places import Located, is_remote
from ireval_frames.io.storage.source import files


def of_runs(given: Any) -> dict[str, str]:
    """The headers of run files, by the names of the runs; nothing for tables that are no files of this machine.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "bm25.txt")
        >>> lines = ["# ir_metadata.start", "# tag: bm25", "# ir_metadata.end", "1 Q0 d1 1 2.5 bm25", ""]
        >>> _ = path.write_text(chr(10).join(lines))
        >>> of_runs(str(path))
        {'bm25': 'tag: bm25'}
    """
    paths = given if isinstance(given, list | tuple) else [given]
    if not all(isinstance(p, str | Path) for p in paths) or any(isinstance(p, Located) for p in paths):
        return {}
    if any(str(p) == "-" or is_remote(p) or ":" in str(p).split("/")[0] for p in paths):
        return {}
    found = {}
    for file in files(given):
        if file.path.is_file() and file.path.suffix not in (".parquet", ".pq", ".arrow", ".feather", ".ipc"):
            text = header(file.path)
            if text is not None:
                found[file.stem] = text
    return found
