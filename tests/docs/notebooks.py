"""Runs the notebooks and stores their outputs: `python -m tests.docs.notebooks`; with `--print` prints them instead.

All are run in this process, one after another in IPython's shell, each beginning without names.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
Book = dict[str, Any]


def read(path: Path) -> Book:
    """A notebook as it is stored."""
    book: Book = json.loads(path.read_text(encoding="utf-8"))
    return book


def cells(book: Book) -> list[Book]:
    """The cells with code."""
    return [cell for cell in book["cells"] if cell["cell_type"] == "code"]


def executed(path: Path) -> Book:
    """The notebook with the outputs of a run in its own folder; a cell's error is raised."""
    from IPython.core.interactiveshell import InteractiveShell

    shell, book = InteractiveShell.instance(), read(path)
    shell.reset()
    with contextlib.chdir(path.parent):
        for number, cell in enumerate(cells(book), 1):
            cell |= {"execution_count": number, "outputs": list(_outputs(shell, "".join(cell["source"]), number))}
    for cell in book["cells"]:
        cell["metadata"] = {}
    return book | {"metadata": METADATA}


def _outputs(shell: Any, source: str, number: int) -> Iterator[Book]:
    """What a cell prints, then what it shows."""
    from IPython.core.displayhook import CapturingDisplayHook
    from IPython.utils.capture import capture_output

    values: list[Book] = []
    shell.display_trap.hook = CapturingDisplayHook(shell=shell, outputs=values)
    with capture_output() as captured:
        done = shell.run_cell(source, store_history=True)
    done.raise_error()
    if captured.stdout:
        yield {"name": "stdout", "output_type": "stream", "text": _lines(captured.stdout)}
    for output in values:
        data = {mime: _lines(text) for mime, text in output["data"].items()}
        yield {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    """Run all."""
    # Output is 80 characters wide, as without a terminal.
    os.environ.setdefault("COLUMNS", "80")
    books = {path: executed(path) for path in NOTEBOOKS}
    if "--print" in sys.argv:
        json.dump({path.stem: book for path, book in books.items()}, sys.stdout)
        return
    for path, book in books.items():
        text = json.dumps(book, ensure_ascii=False, indent=1, sort_keys=True)
        path.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
