"""Measures in other processes and threads: own ones are found by their module, families are declared once for all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import UnknownName

MODULE = """
import ireval_frames as ir

@ir.measure("ranking", "Mine", formula="R", source="none")
def Mine(q):
    '''The number of relevant documents.'''
    return q.num_relevant(1.0)
"""
# Six threads ask for families that nobody has imported; then measures of two modules are read, one of which is gone.
REQUESTED = """
import pathlib, pickle, sys, threading
import ireval_frames as ir
from ireval_frames import catalog
results, begin = [], threading.Barrier(6)
def ask(i):
    begin.wait()
    try:
        names = [d.name for d in catalog.definitions(("labels", None, "ranking", "clusters")[i % 4])]
        results.append(bool(names) and str(catalog.parse(("F1", "Purity")[i % 2], ("labels", "clusters")[i % 2])))
    except BaseException as error:
        results.append(repr(error))
threads = [threading.Thread(target=ask, args=(i,)) for i in range(6)]
[t.start() for t in threads]
[t.join() for t in threads]
print(sorted(results))
for path in sys.argv[1:]:
    try:
        measure = pickle.loads(pathlib.Path(path).read_bytes())
        print(measure, measure.definition.module)
    except ir.errors.IrevalError as error:
        print(error)
"""


def test_in_another_process(tmp_path: Path) -> None:
    (tmp_path / "of_mine.py").write_text(MODULE)
    (tmp_path / "gone.py").write_text(MODULE.replace("Mine", "Other"))
    write = (
        "import pickle, of_mine, gone, ireval_frames as ir\n"
        "pickle.dump(of_mine.Mine, open('mine', 'wb')); pickle.dump(gone.Other(aggregation='max'), open('other', 'wb'))"
    )
    # The package is found where this process finds it, whatever folder it runs in.
    path = os.pathsep.join([str(tmp_path), str(Path(ir.__file__).parents[1])])
    env = {**os.environ, "PYTHONPATH": path}

    def run(*arguments: str) -> list[str]:
        command = [sys.executable, "-c", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=env, check=True, text=True, capture_output=True)
        return done.stdout.splitlines()

    run(write)
    (tmp_path / "gone.py").unlink()
    threads, mine, *other = run(REQUESTED, "mine", "other")
    assert threads == str(["F1", "F1", "F1", "Purity", "Purity", "Purity"])
    assert mine == "Mine of_mine"
    assert "'gone', which cannot be imported here" in other[0]
    assert other[1].strip() == "Import it first: import gone"


def test_of_a_program() -> None:
    with pytest.raises(UnknownName, match=r"declared in the module '__main__'(.|\n)*in a module of its own"):
        catalog._of_module("Nowhere", "ranking", "Nowhere", "__main__")
    with pytest.raises(UnknownName, match="which does not declare it here"):
        catalog._of_module("Nowhere", "ranking", "Nowhere", "json")
