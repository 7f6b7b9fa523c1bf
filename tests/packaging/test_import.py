"""What importing the package costs, told by the modules that it loads."""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path

import pytest

import ireval_frames as ir

ROOT = Path(__file__).parents[2]
LATE = {
    "altair", "click", "duckdb", "ir_datasets", "jinja2", "matplotlib", "numpy", "pandas", "pyarrow", "pyspark", "rich",
    "scipy", "sklearn",
    "sqlite3", "vl_convert",
}  # fmt: skip


@functools.cache
def loaded(code: str) -> set[str]:
    """The top-level modules that a fresh Python has after running this code."""
    code += "\nimport sys; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_import_loads_nothing_slow() -> None:
    assert not loaded("import ireval_frames") & LATE


def test_import_loads_only_the_package() -> None:
    assert loaded("import ireval_frames") - loaded("") - sys.stdlib_module_names == {"ireval_frames"}


FAMILIES = (
    "answers",
    "timings",
    "nuggets",
    "citations",
    "verdicts",
    "ranking",
    "labels",
    "clusters",
    "coreference",
    "points",
    "organization",
    "ratings",
    "exposure",
    "recommendations",
    "similarity",
    "clicks",
    "relations",
    "segmentation",
    "spans",
    "links",
)


@pytest.mark.parametrize("name, family", [("nDCG@10", "ranking"), ("ndcg_cut_10", "ranking"), ("MCC", "labels")])
def test_a_name_of_a_measure_loads_its_family_alone(name: str, family: str) -> None:
    code = f"import ireval_frames as ir; ir.Measure.parse({name!r})\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {f for f in FAMILIES if f"ireval_frames.{f}" in done.stdout.split()} == {family}


EVALUATE = """
import polars as pl, ireval_frames as ir
qrels, run = ir.examples.ranking()
ir.evaluate(qrels, run, "nDCG@10 AP RR").summary()
"""


@pytest.mark.parametrize("name", ["pandas", "scipy", "altair", "pyspark", "duckdb", "click", "rich"])
def test_evaluating_frames_loads_no(name: str) -> None:
    assert name not in loaded(EVALUATE)


def test_comparing_loads_the_functions_of_scipy_and_not_its_statistics() -> None:
    code = (
        "import polars as pl, ireval_frames as ir, sys\n"
        "frame = pl.DataFrame({'query_id': [1, 2] * 2, 'run_id': [*'aabb'], 'value': [0.1, 0.3, 0.2, 0.5]})\n"
        "ir.compare(frame).table()\nprint(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "scipy.special" in done.stdout.split()
    assert "scipy.stats" not in done.stdout.split()


def test_the_command_prints_its_version_without_an_engine() -> None:
    code = (
        "import sys; sys.argv = ['ireval', '--version']\n"
        "from ireval_frames.cli import main\ntry: main()\nexcept SystemExit: pass"
    )
    assert not loaded(code) & {"altair", "duckdb", "pandas", "pyarrow", "pyspark", "scipy"}


@pytest.mark.parametrize("name", ["power", "bootstrap", "write_run"])
def test_a_name_of_a_module_says_where_it_is(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'; write ir\.[a-z]+\.{name}$"):
        getattr(ir, name)
