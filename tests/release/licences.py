"""The licences of the packages that ours needs, from the metadata of an environment that has all extras.

`python -m tests.release.licences` makes one and writes `docs/licences.md`; `make release-check` compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.release.building import HOUSE, PROJECT, tool

PAGE = HOUSE / "docs" / "licences.md"
TITLE = """# Licences

ireval-frames has the licence Apache-2.0. It contains no other package. These are the licences of the packages that it
needs and of those that its extras bring, directly or through another one, as the metadata of their newest versions
name them. `make release-check` compares this page with the packages, and fails at a licence that is neither
permissive nor MPL-2.0, whose terms apply to its own files alone.

| package | comes with | licence |
|---|---|---|
"""
# Words of older metadata, and what they mean.
OLDER = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "ISC License (ISCL)": "ISC",
    "ISC license": "ISC",
    "MIT License": "MIT",
}
ALLOWED = {
    "0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "CNRI-Python", "ISC", "MIT", "MPL-2.0",
    "PSF-2.0", "Zlib",
}  # fmt: skip
LONGEST = 60


def licence(package: Distribution) -> str:
    """The licence as an expression; older metadata have it in words, as a whole text, or as a classifier."""
    about = package.metadata
    classifiers = [c.rpartition(" :: ")[2] for c in about.get_all("Classifier", []) if c.startswith("License ::")]
    words = about.get("License", "")
    written = "" if words in ("", "UNKNOWN", "BSD", "Dual License") or len(words) > LONGEST or "\n" in words else words
    expression = about.get("License-Expression") or written or " OR ".join(OLDER.get(c, c) for c in classifiers)
    return OLDER.get(expression, expression)


def is_allowed(expression: str) -> bool:
    """Whether each part of an expression of licences is allowed; of alternatives, one."""
    return all(any(one.strip("() ") in ALLOWED for one in part.split(" OR ")) for part in expression.split(" AND "))


def installed(folder: Path) -> dict[str, Distribution]:
    """The packages of an environment."""
    (site,) = folder.glob("lib/python3*/site-packages")
    return {canonicalize_name(d.name): d for d in distributions(path=[str(site)])}


def needed(requirements: list[str], packages: Mapping[str, Distribution]) -> set[str]:
    """The names of the packages that meet these requirements, and of those that they need."""
    seen: set[tuple[str, frozenset[str]]] = set()
    todo = [Requirement(r) for r in requirements]
    while todo:
        requirement = todo.pop()
        name, extras = canonicalize_name(requirement.name), frozenset(requirement.extras)
        if (name, extras) in seen or name == PROJECT["name"]:
            continue
        seen.add((name, extras))
        todo += [
            below
            for below in map(Requirement, packages[name].requires or [])
            if below.marker is None or any(below.marker.evaluate({"extra": extra}) for extra in ("", *extras))
        ]
    return {name for name, _ in seen}


def rows(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Each package, what it comes with, and its licence."""
    packages = installed(folder)
    core = needed(PROJECT["dependencies"], packages)
    extras = {
        extra: needed(requirements, packages) - core
        for extra, requirements in PROJECT["optional-dependencies"].items()
        if extra != "all"
    }
    for name in sorted(core.union(*extras.values())):
        # What an extra of an extra brings stands at the first alone.
        with_it = (
            ["always"] if name in core else [f"`{extra}`" for extra, names in sorted(extras.items()) if name in names]
        )
        yield packages[name].name, ", ".join(with_it), licence(packages[name])


def page(folder: Path) -> str:
    """The page of an environment."""
    return TITLE + "".join(f"| {' | '.join(row)} |\n" for row in rows(folder))


def environment(folder: Path) -> Path:
    """A new environment with the newest versions of all that the extras need."""
    tool("uv", "venv", "--quiet", "--clear", "--no-python-downloads", folder)
    tool("uv", "pip", "install", "--quiet", "--python", folder / "bin" / "python", f"{HOUSE}[all]")
    return folder


def are_the_listed_ones(folder: Path) -> str:
    table = list(rows(folder))
    refused = [row for row in table if not is_allowed(row[2])]
    assert not refused, refused
    assert page(folder) == PAGE.read_text("utf-8"), "docs/licences.md is older: python -m tests.release.licences"
    return f"{len(table)} packages, {len({row[2] for row in table})} licences, as docs/licences.md has them"


if __name__ == "__main__":
    PAGE.write_text(page(environment(HOUSE / "build" / "release" / "all")), encoding="utf-8", newline="\n")
