"""What pyproject.toml, the requirement files and the package say of each other."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

import ireval_frames
from ireval_frames import version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CORE = PROJECT["project"]["dependencies"]


def pinned(name: str) -> dict[str, list[str]]:
    """The packages of a requirements file, with the versions it pins."""
    out: dict[str, list[str]] = {}
    for line in (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines():
        requirement = re.split(r"[#;]", line)[0].strip()
        if requirement:
            package, version_ = re.fullmatch(r"([A-Za-z0-9_.-]+)==([0-9][\w.]*)", requirement).groups()
            out.setdefault(plain(package), []).append(version_)
    return out


def plain(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package.lower())


def bounds(requirements: list[str]) -> dict[str, str]:
    """The lower bound of every requirement."""
    actual = [re.fullmatch(r"([A-Za-z0-9_.-]+)>=([0-9.]+)(?:,<[0-9.]+)?", r) for r in requirements]
    return {plain(m[1]): m[2] for m in actual if m}


def numbers(version_: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version_))


def test_core_dependencies() -> None:
    assert set(bounds(CORE)) == {
        "polars",
        "duckdb",
        "pyarrow",
        "narwhals",
        "numpy",
        "scipy",
        "threadpoolctl",
        "click",
        "rich",
    }
    assert len(CORE) == 9


def test_lowest_versions_are_those_of_the_project() -> None:
    lowest = pinned("lowest.txt")
    assert set(lowest) == set(bounds(CORE))
    for package, bound in bounds(CORE).items():
        (version_,) = lowest[package]
        assert numbers(version_)[: len(numbers(bound))] == numbers(bound)
        assert not any(numbers(version_)[len(numbers(bound)) :])


def test_locked_versions_are_allowed_and_complete() -> None:
    locked = pinned("locked.txt")
    groups = [r for g in PROJECT["dependency-groups"].values() for r in g if isinstance(r, str)]
    extras = [
        r for g in PROJECT["project"]["optional-dependencies"].values() for r in g if not r.startswith("ireval-frames")
    ]
    requested = bounds([*CORE, *groups, *extras])
    assert requested.keys() <= locked.keys()
    for package, bound in requested.items():
        assert all(numbers(v) >= numbers(bound) for v in locked[package]), package


def test_tests_run_with_the_newest_narwhals_below_its_ceiling() -> None:
    """`make lowest` runs them with the floor."""
    (floor, ceiling) = next(m.groups() for r in CORE if (m := re.fullmatch(r"narwhals>=([\d.]+),<(\d+)", r)))
    assert {v.partition(".")[0] for v in pinned("locked.txt")["narwhals"]} == {str(int(ceiling) - 1)}
    (lowest,) = pinned("lowest.txt")["narwhals"]
    assert numbers(floor) <= numbers(lowest) < numbers(ceiling)


def test_the_extra_all_is_all_of_them() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    assert everything == f"ireval-frames[{','.join(sorted(extras.keys() - {'all'}))}]"


@pytest.mark.parametrize(
    "path", ["pyproject.toml", "Makefile", ".ci/run", "requirements/locked.txt", "requirements/lowest.txt"]
)
def test_no_index_is_named(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    assert "--extra-index" not in text


def test_version_has_one_source() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "ireval_frames/version.py"
    assert ireval_frames.__version__ is version.__version__
    assert f"## [{version.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_package_is_typed() -> None:
    assert (ROOT / "ireval_frames" / "py.typed").is_file()


def test_the_command_leads_to_a_function() -> None:
    module, _, name = PROJECT["project"]["scripts"]["ireval"].partition(":")
    assert callable(getattr(importlib.import_module(module), name))
