"""The Pythons in which a release is tried: those of this machine, and those of Debians in folders.

`python -m tests.release.pythons FOLDER SUITE 3.14 …` makes such a folder by debootstrap, as root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

LOWEST = (3, 11)
MIRROR = "http://deb.debian.org/debian"
# Suites that are newer than this machine's debootstrap are made as the unstable one is.
SCRIPT = "/usr/share/debootstrap/scripts/sid"
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
# What an interpreter must be able to do to be tried, and its version.
ABILITIES = "import ensurepip, ssl, sys, venv; print(*sys.version_info[:3])"


@dataclass(frozen=True)
class Python:
    """An interpreter, on this machine or in a folder that is a system of its own."""

    version: tuple[int, ...]
    path: str
    root: Path = Path("/")

    def __str__(self) -> str:
        return ".".join(map(str, self.version)) + ("" if self.root == Path("/") else f" of {self.root.name}")

    @property
    def minor(self) -> str:
        """The version without its last number."""
        return f"{self.version[0]}.{self.version[1]}"

    def run(self, *command: str | Path, folder: str | Path = "/") -> subprocess.CompletedProcess[str]:
        """Run a program of its system in a folder of it, without this Python's settings."""
        system = self.root != Path("/")
        words = [*(("chroot", str(self.root)) if system else ()), "/usr/bin/env", "-C", str(folder), *map(str, command)]
        return subprocess.run(words, env=_environment(in_folder=system), capture_output=True, text=True, check=False)


def _environment(*, in_folder: bool) -> Mapping[str, str]:
    if not in_folder:
        return {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV", "IREVAL"))}
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return {"PATH": path, "HOME": "/root", "LANG": "C.UTF-8", "PIP_CERT": f"/{CERTIFICATES}"}


def available(debians: Sequence[Path]) -> list[Python]:
    """The newest interpreter of each minor version that the package allows, those of this machine first."""
    found: dict[str, Python] = {}
    for path, root in _candidates(debians):
        python = _opened(path, root)
        if python is None or python.version < LOWEST:
            continue
        known = found.get(python.minor)
        if known is None or (known.root == python.root and known.version < python.version):
            found[python.minor] = python
    return sorted(found.values(), key=lambda p: p.version)


def _candidates(debians: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    yield sys.executable, Path("/")
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    folders = [*map(Path, os.get_exec_path()), *versions.glob("*/bin")]
    yield from ((str(path), Path("/")) for folder in folders for path in _interpreters(folder))
    for debian in debians:
        for path in _interpreters(debian / "usr" / "bin"):
            yield f"/usr/bin/{path.name}", debian.resolve()


def _interpreters(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.glob("python3.*")) if path.name.removeprefix("python3.").isdigit())


def _opened(path: str, root: Path) -> Python | None:
    try:
        done = Python((), path, root).run(path, "-I", "-c", ABILITIES)
    except OSError:
        return None
    return None if done.returncode else Python(tuple(map(int, done.stdout.split())), path, root)


def bootstrap(folder: Path, suite: str, versions: Sequence[str]) -> None:
    """Make a folder that is a Debian of this suite with these versions of Python.

    Raises:
        SystemExit: this user may not, or debootstrap fails.
    """
    if os.geteuid() or not shutil.which("debootstrap"):
        raise SystemExit("A Debian in a folder needs root, and the package debootstrap.")
    packages = ["ca-certificates", *(f"python{v}{end}" for v in versions for end in ("", "-venv"))]
    command = [
        "debootstrap",
        "--variant=minbase",
        f"--include={','.join(packages)}",
        suite,
        str(folder),
        MIRROR,
        SCRIPT,
    ]
    if subprocess.run(command, check=False).returncode:
        raise SystemExit(f"debootstrap failed; {folder}/debootstrap/debootstrap.log says why.")
    for path in ("etc/resolv.conf", CERTIFICATES):
        shutil.copyfile(f"/{path}", folder / path)


if __name__ == "__main__":
    bootstrap(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
