"""Run the notebooks and store their outputs: `python -m tests.docs.notebooks`."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def executed(path: Path) -> NotebookNode:
    """The notebook with the outputs of a run in its own folder; a cell's error is raised."""
    book = nbformat.read(path, as_version=4)
    # What a cell prints may come in pieces, cut as it was written; it is one text.
    client = NotebookClient(
        book,
        timeout=120,
        kernel_name="python3",
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute(env=os.environ | {"PYTHONPATH": str(ROOT)})
    return book


def stored(book: NotebookNode) -> NotebookNode:
    """Without times of execution and the like, so that a second run changes little."""
    for cell in book.cells:
        cell.metadata.clear()
        if cell.cell_type == "code":
            cell.outputs = [o for o in cell.outputs if o.output_type != "stream" or o.name == "stdout"]
    book.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    return book


if __name__ == "__main__":
    for notebook in NOTEBOOKS:
        nbformat.write(stored(executed(notebook)), notebook)
