"""Clean environments of a Python with the wheel, and what is tried in them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.release.building import HOUSE
from tests.release.pythons import Python

# Those whose packages are wheels on every Python, and which need no program besides.
EXTRAS = ("bleu", "delta", "plots", "report", "sql")
PLATFORM = "x86_64-manylinux_2_28"
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
NOTHING_BUT_TESTS = "import sys; sys.path.append(sys.argv[1])"
SURFACE = f"""{NOTHING_BUT_TESTS}
from tests.packaging.test_surface import test_the_surface_is_the_stored_one
test_the_surface_is_the_stored_one()"""
# Without the settings of a tree above, which would put its package first.
DOCTESTS = (
    *("-q", "-c", "/dev/null", "--rootdir=.", "-p", "no:cacheprovider", "--doctest-modules", "--import-mode=importlib"),
    *("-o", "doctest_optionflags=NORMALIZE_WHITESPACE ELLIPSIS"),
)


def resolved(version: str, resolution: str) -> dict[str, str]:
    """The versions of all packages that are chosen, from wheels alone, for a version of Python.

    Raises:
        AssertionError: there is no such choice.
    """
    uv = Path(sys.executable).with_name("uv")
    extras = [word for extra in EXTRAS for word in ("--extra", extra)]
    command = [
        *(uv, "pip", "compile", "pyproject.toml", *extras, "--resolution", RESOLUTIONS[resolution]),
        *("--python-version", version, "--python-platform", PLATFORM, "--only-binary", ":all:"),
        *("--no-python-downloads", "--no-header", "--no-annotate", "--quiet"),
    ]
    done = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(line.split("==") for line in done.stdout.splitlines())


@dataclass(frozen=True)
class Environment:
    """A folder with the wheel, the tests without the package, and an environment; paths are those its Python sees."""

    python: Python
    resolution: str
    folder: Path

    @classmethod
    def create(cls, python: Python, resolution: str, wheel: Path, sdist: Path) -> Environment:
        """The environment, empty, and its files."""
        root = HOUSE / "build" / "release" if python.root == Path("/") else python.root / "opt" / "release"
        folder = root / f"{python.minor}-{resolution}"
        out = cls(python, resolution, Path("/") / folder.relative_to(python.root))
        out.remove()
        folder.mkdir(parents=True)
        shutil.copy(wheel, folder)
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        (tree,) = (path for path in folder.iterdir() if path.is_dir())
        shutil.rmtree(tree / "ireval_frames")
        tree.rename(folder / "tree")
        shutil.copy(Path(__file__).with_name("trial.py"), folder)
        out.run(python.path, "-m", "venv", out.folder / "env")
        return out

    def run(self, *command: str | Path) -> str:
        """What a program prints that is run in the folder.

        Raises:
            AssertionError: it fails.
        """
        done = self.python.run(*command, folder=self.folder)
        assert done.returncode == 0, (
            f"{self}: {' '.join(map(str, command))[:200]}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
        return done.stdout

    def remove(self) -> None:
        """Remove the folder, which has half a gigabyte."""
        shutil.rmtree(self.python.root / self.folder.relative_to("/"), ignore_errors=True)

    def install(self, *requirements: str) -> None:
        """Install wheels: as pip chooses, or the lowest versions."""
        chosen: Sequence[str] = ()
        if self.resolution == "lowest":
            pins = self.python.root / self.folder.relative_to("/") / "lowest.txt"
            versions = resolved(self.python.minor, self.resolution)
            pins.write_text("".join(f"{name}=={v}\n" for name, v in versions.items()), encoding="utf-8")
            chosen = ("-c", "lowest.txt")
        self.run(
            "env/bin/python",
            "-m",
            "pip",
            "install",
            "-q",
            "--no-compile",
            "--only-binary",
            ":all:",
            *chosen,
            *requirements,
        )

    def trials(self, wheel: Path, version: str) -> Iterator[tuple[str, str]]:
        """Each thing that is tried, and what came out: first with the wheel alone, then with its extras."""
        python = "env/bin/python"
        self.install(wheel.name)
        yield "alone", "; ".join(self.run(python, "-I", "trial.py", version).splitlines())
        self.install(f"{wheel.name}[{','.join(EXTRAS)}]", "pandas", "pytest")
        yield "with extras", self.run(python, "-I", "trial.py", version).splitlines()[-1]
        self.run(python, "-I", "tree/data/demo.py", "demo")
        yield "demonstration", "every family, and a report"
        self.run(python, "-I", "-c", SURFACE, "tree")
        yield "surface", "as tests/packaging/surface.txt has it"
        site = next(iter(self.run(python, "-I", "-c", "import ireval_frames as i; print(*i.__path__)").splitlines()))
        yield "examples", self.run(python, "-I", "-m", "pytest", *DOCTESTS, *leaving_out(site), site).splitlines()[-1]

    def __str__(self) -> str:
        return f"Python {self.python}, {self.resolution} dependencies"


def leaving_out(site: str) -> Iterator[str]:
    """The modules whose examples need another tool's package."""
    from tests.external import is_external

    for path in sorted((HOUSE / "ireval_frames").rglob("*.py")):
        name = path.relative_to(HOUSE).as_posix()
        if is_external(name):
            yield f"--ignore={Path(site).parent / name}"
