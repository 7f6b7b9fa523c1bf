"""Packages that add measures and an engine by entry points, each installed as a folder on the path."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import ireval_frames

ROOT = Path(ireval_frames.__file__).parents[1]
MEASURES = '''
import ireval_frames as ir

@ir.measure("ranking", "HalfRecall", aliases=["HR2"], formula="R / 2", source="none")
def HalfRecall(q):
    """Half the number of relevant documents."""
    return q.num_relevant(1.0) / 2
'''
ENGINE = '''
import polars as pl
from ireval_frames.engines.polars.engine import PolarsEngine

class Rows(list):
    """A table as a list of dictionaries."""

class RowsEngine(PolarsEngine):
    """Polars, with tables that are lists of dictionaries."""

    name = "rows"

    @classmethod
    def is_table(cls, table):
        return isinstance(table, Rows)

    def open_table(self, table, name, read):
        return super().open_table(pl.DataFrame(list(table)) if isinstance(table, Rows) else table, name, read)
'''


def installed(folder: Path, name: str, code: str, entry_points: str) -> None:
    """A package of one module, with what an installer writes beside it."""
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(entry_points, encoding="utf-8")


def run(folder: Path, code: str, *options: str) -> list[str]:
    """What a fresh Python prints that finds the packages of the folder."""
    script = folder / "script.py"
    script.write_text(code, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, *options, str(script)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_measures(tmp_path: Path) -> None:
    installed(tmp_path, "half_recall", MEASURES, "[ireval_frames.measures]\nhalf = half_recall\n")
    out = run(
        tmp_path,
        """
import sys, ireval_frames as ir
tables = ir.examples.ranking()
ir.evaluate(*tables, "AP").summary()
print("half_recall" in sys.modules)
print(ir.evaluate(*tables, "HR2 AP").summary()["measure"].to_list())
print(ir.HalfRecall, "HalfRecall" in ir.measures("ranking")["name"].to_list(), ir.Measure.parse("halfrecall"))
""",
        "-Werror",
    )
    assert out == ["False", "['HalfRecall', 'AP']", "HalfRecall True HalfRecall"]


def test_measures_that_cannot_be_imported(tmp_path: Path) -> None:
    installed(tmp_path, "half_recall", MEASURES, "[ireval_frames.measures]\nhalf = half_recall\n")
    installed(tmp_path, "broken", "import nowhere", "[ireval_frames.measures]\nmine = broken\n")
    taken = MEASURES.replace("HalfRecall", "nDCG")
    installed(tmp_path, "taken", taken, "[ireval_frames.measures]\nother = taken\n")
    out = run(
        tmp_path,
        """
import warnings, ireval_frames as ir
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    names = ir.measures("ranking")["name"].to_list()
print("HalfRecall" in names, names.count("nDCG"))
print(*sorted(f"{w.category.__name__}: {w.message}".replace(chr(10), " ") for w in caught), sep=chr(10))
""",
    )
    assert out[0] == "True 1"
    assert "'mine' are missing: importing broken raises ModuleNotFoundError: No module named 'nowhere'" in out[1]
    assert "'other' are missing: importing taken raises InvalidParameter: ranking has a measure 'nDCG'" in out[2]
    assert len(out) == 3


def test_an_engine(tmp_path: Path) -> None:
    installed(tmp_path, "rows_engine", ENGINE, "[ireval_frames.engines]\nrows = rows_engine:RowsEngine\n")
    installed(tmp_path, "no_engine", "x = 1", "[ireval_frames.engines]\nnone = no_engine:x\n")
    out = run(
        tmp_path,
        """
import warnings, ireval_frames as ir
from rows_engine import Rows
qrels, run = ir.examples.ranking()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    ev = ir.evaluate(Rows(qrels.to_dicts()), Rows(run.to_dicts()), "nDCG@10")
print(*(w.message for w in caught))
print(ev.engine.name, ev.summary().equals(ir.evaluate(qrels, run, "nDCG@10").summary()))
print(ir.evaluate(qrels, run, "AP", engine="rows").engine.name)
try:
    ir.evaluate(qrels, run, "AP", engine="row")
except ir.errors.UnknownName as error:
    print(error.hint)
try:
    ir.evaluate(qrels, run, "AP", con=5)
except ir.errors.EngineError as error:
    print(error.what)
""",
    )
    assert out == [
        "The engine 'none' of an entry point is missing: no_engine:x is no subclass of Engine, or the name is ours.",
        "rows True",
        "rows",
        "Did you mean rows?",
        "con= must be a DuckDB connection or a session of Spark, or what the engine rows opens; it is of type int.",
    ]


SPAWNING = '''
import multiprocessing
import ireval_frames as ir
from own import Mine

@ir.measure("ranking", "InMain", formula="R", source="none")
def InMain(q):
    """The number of relevant documents."""
    return q.num_relevant(1.0)

def value(measure):
    return ir.evaluate(*ir.examples.ranking(), measure).summary()["value"].item()

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(value, [Mine, InMain]))
'''


def test_measures_of_your_own_in_a_spawned_process(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(MEASURES.replace("HalfRecall", "Mine"), encoding="utf-8")
    assert run(tmp_path, SPAWNING) == ["[1.5, 3.0]"]
