"""What `make release-check` does not need to build: the citation, the page of licences, the versions of Python."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ireval_frames import __version__
from ireval_frames.store.tables import FORMAT
from tests.packaging.test_project import PROJECT, ROOT, plain
from tests.release import licences, pythons, trial
from tests.release.building import supported

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_citation_is_of_this_version() -> None:
    assert CITATION["cff-version"] == "1.2.0"
    assert CITATION["version"] == __version__, "Write the version into CITATION.cff, too"
    assert {"message", "title", "authors"} <= CITATION.keys()


def test_the_citation_says_what_the_project_says() -> None:
    project = PROJECT["project"]
    assert (CITATION["title"], CITATION["abstract"]) == (project["name"], project["description"])
    assert CITATION["license"] == project["license"]
    assert CITATION["keywords"] == project["keywords"]
    assert [a["name"] for a in CITATION["authors"]] == [a["name"] for a in project["authors"]]


def test_the_versions_of_python_follow_each_other() -> None:
    lowest = ".".join(map(str, pythons.LOWEST))
    assert PROJECT["project"]["requires-python"] == f">={lowest}"
    assert supported() == [f"3.{pythons.LOWEST[1] + i}" for i in range(len(supported()))]


def test_the_page_of_stability_says_what_is_supported() -> None:
    page = (ROOT / "docs" / "stability.md").read_text("utf-8")
    assert f"({supported()[0]} to {supported()[-1]})" in page
    assert f"| a store (`ir.Store`) | a number in its file `FORMAT`, now {FORMAT} |" in page


def test_every_package_that_is_named_stands_on_the_page_of_licences() -> None:
    rows = re.findall(r"^\| (\S+) \| (.+) \| (.+) \|$", licences.PAGE.read_text("utf-8"), re.MULTILINE)[1:]
    listed = {plain(package): licence for package, _, licence in rows}
    project = PROJECT["project"]
    requirements = [*project["dependencies"], *(r for rs in project["optional-dependencies"].values() for r in rs)]
    named = {plain(re.split(r"[\[><=]", r)[0]) for r in requirements} - {project["name"]}
    assert named <= listed.keys()
    assert all(map(licences.is_allowed, listed.values()))
    always = {plain(package) for package, extra, _ in rows if extra == "always"}
    assert {plain(re.split(r"[><=]", r)[0]) for r in project["dependencies"]} <= always


@pytest.mark.parametrize(
    "expression, allowed",
    [
        ("MIT", "allowed"),
        ("MIT OR GPL-3.0-only", "allowed"),
        ("Apache-2.0 AND CNRI-Python", "allowed"),
        ("MIT AND GPL-3.0-only", "refused"),
        ("GPL-2.0-or-later", "refused"),
        ("", "refused"),
    ],
)
def test_licences(expression: str, allowed: str) -> None:
    assert licences.is_allowed(expression) == (allowed == "allowed")


def test_this_python_is_among_those_to_try(tmp_path: Path) -> None:
    ours = pythons.available([tmp_path])
    assert sys.version_info[:2] in {python.version[:2] for python in ours}
    assert len({python.minor for python in ours}) == len(ours)


def test_the_numbers_that_are_tried_are_equal_here() -> None:
    assert trial.engines_agree().endswith("are equal on Polars and DuckDB")


def test_the_trial_refuses_a_tree() -> None:
    script = ROOT / "tests" / "release" / "trial.py"
    command = [sys.executable, str(script), "0.0.0"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(ROOT)})
    assert done.returncode == 1
    assert "AssertionError" in done.stderr
