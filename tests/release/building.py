"""The wheel and the sdist: built twice, and what is in them."""

from __future__ import annotations

import email
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Sequence
from email.message import Message
from pathlib import Path

from packaging.requirements import Requirement

import ireval_frames

HOUSE = Path(__file__).parents[2]
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["project"]
PACKAGE = "ireval_frames"
# PyPI shows neither pictures nor pages whose address is relative.
RELATIVE = re.compile(r'(?:href|src)="(?!https?:|#|mailto:)([^"]*)"')
LARGEST = 5_000_000


def supported() -> list[str]:
    """The versions of Python that the classifiers name."""
    return re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))


def tool(*command: str | Path) -> str:
    """What a program of this environment prints; its errors are ours."""
    done = subprocess.run(
        [Path(sys.executable).with_name(str(command[0])), *command[1:]],
        cwd=HOUSE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(folder: Path) -> tuple[Path, Path]:
    """The wheel and the sdist of the tree; the wheel is built from the sdist, as PyPI's users may do."""
    shutil.rmtree(folder, ignore_errors=True)
    tool("uv", "build", "--quiet", "--no-python-downloads", "--out-dir", folder)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def is_the_same_again(paths: Sequence[Path], again: Sequence[Path]) -> str:
    for one, other in zip(paths, again, strict=True):
        digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (one, other)]
        assert digests[0] == digests[1], f"{one.name} has other bytes when it is built again"
    return "two builds have the same bytes"


def holds_the_package(wheel: Path) -> str:
    """The wheel has every file of the package, its licence and metadata, and nothing else."""
    expected = {p.relative_to(HOUSE).as_posix() for p in (HOUSE / PACKAGE).rglob("*") if p.is_file()}
    expected = {name for name in expected if "__pycache__" not in name}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    about = {name for name in names if name.partition("/")[0].endswith(".dist-info")}
    assert names - about == expected, (names - about) ^ expected
    assert any(name.endswith("licenses/LICENSE") for name in about), about
    assert wheel.stat().st_size < LARGEST
    return f"{len(names)} files, {wheel.stat().st_size / 1e6:.1f} MB"


def holds_the_tree(sdist: Path) -> str:
    """The sdist has every file under version control that it should have, and no other."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=HOUSE, capture_output=True, text=True, check=False)
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()} - {"", "PKG-INFO"}
    if listed.returncode == 0:
        tracked = {name for name in listed.stdout.split("\0") if name and not name.startswith((".ci/", ".git"))}
        assert names - {".gitignore"} == tracked, f"not in both: {sorted((names ^ tracked) - {'.gitignore'})[:10]}"
    return f"{len(names)} files, {sdist.stat().st_size / 1e6:.1f} MB"


def metadata(wheel: Path) -> Message:
    """The metadata of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(name))


def says_what_the_project_says(wheel: Path) -> str:
    about = metadata(wheel)
    assert (about["Name"], about["Version"]) == (PROJECT["name"], ireval_frames.__version__)
    assert about["Requires-Python"] == PROJECT["requires-python"]
    assert about["License-Expression"] == PROJECT["license"]
    assert sorted(about.get_all("Classifier", [])) == sorted(PROJECT["classifiers"])
    required = [Requirement(r) for r in about.get_all("Requires-Dist", [])]
    core = {str(r) for r in required if r.marker is None}
    assert core == {str(Requirement(r)) for r in PROJECT["dependencies"]}
    assert set(about.get_all("Provides-Extra", [])) == set(PROJECT["optional-dependencies"])
    return (
        f"{about['Name']} {about['Version']} needs {len(core)} packages; {len(PROJECT['optional-dependencies'])} extras"
    )


def is_valid_for_the_index(paths: Sequence[Path]) -> str:
    tool("twine", "check", "--strict", *paths)
    return "twine check --strict passes"


def readme_is_rendered(wheel: Path) -> str:
    """The README as PyPI renders it has its tables, code and titles; what it links by a relative address is told."""
    from readme_renderer import markdown

    text = str(metadata(wheel).get_payload())
    html = markdown.render(text)
    assert html is not None
    blocks = len(re.findall(r"^```", text, re.MULTILINE)) // 2 + len(re.findall(r"\n\n {4}", text))
    assert html.count("<pre") == blocks, (html.count("<pre"), blocks)
    assert html.count("<h2") == len(re.findall(r"^## ", text, re.MULTILINE))
    relative = RELATIVE.findall(html)
    return f"{blocks} blocks of code" + (f"; PyPI cannot follow {len(relative)} relative links" if relative else "")
