"""`make release-check`: what must hold before a release.

    python -m tests.release [--debian FOLDER] [--python 3.13] [--fast]

`--debian` names a folder with a Debian and its Pythons (`python -m tests.release.pythons`), `--python` the versions to
try, `--fast` leaves the environments out.  Each line says what holds; at the first that does not, it ends with 1.
"""

from __future__ import annotations

import argparse
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import ireval_frames
from tests.release import building, licences
from tests.release.environments import RESOLUTIONS, Environment, resolved
from tests.release.pythons import Python, available

FOLDER = building.HOUSE / "build" / "release"
DEBIAN = building.HOUSE / "build" / "debian"


def of_files(wheel: Path, sdist: Path) -> Iterator[tuple[str, str]]:
    """What holds of the two files."""
    again = building.build(FOLDER / "again")
    yield "built twice", building.is_the_same_again((wheel, sdist), again)
    yield "wheel", building.holds_the_package(wheel)
    yield "sdist", building.holds_the_tree(sdist)
    yield "metadata", building.says_what_the_project_says(wheel)
    yield "index", building.is_valid_for_the_index((wheel, sdist))
    yield "README", building.readme_is_rendered(wheel)
    yield "licences", licences.are_the_listed_ones(licences.environment(FOLDER / "all"))
    shutil.rmtree(FOLDER / "all")


def of_pythons(pythons: list[Python], wheel: Path, sdist: Path) -> Iterator[tuple[str, str]]:
    """What holds in each Python; of those that this machine lacks, that there are wheels for them."""
    for python in pythons:
        for resolution in RESOLUTIONS:
            environment = Environment.create(python, resolution, wheel, sdist)
            for title, outcome in environment.trials(wheel, ireval_frames.__version__):
                yield f"{environment}: {title}", outcome
            environment.remove()
    for version in sorted({*building.supported()} - {python.minor for python in pythons}):
        for resolution in RESOLUTIONS:
            packages = resolved(version, resolution)
            yield f"Python {version}, {resolution} dependencies", f"not tried; {len(packages)} packages have wheels"


def main() -> None:
    """Print what holds."""
    parser = argparse.ArgumentParser(prog="python -m tests.release")
    parser.add_argument("--debian", action="append", type=Path, default=[])
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--fast", action="store_true")
    options = parser.parse_args()
    start = time.monotonic()
    pythons = available(options.debian or sorted(DEBIAN.glob("*")))
    for folder in options.debian:
        if all(python.root != folder.resolve() for python in pythons):
            raise SystemExit(
                f"{folder}: no Python of it is used; it takes root to run one, and {__package__}.pythons makes one."
            )
    pythons = [python for python in pythons if not options.python or python.minor in options.python]
    print(f"Pythons: {', '.join(map(str, pythons))}")
    wheel, sdist = building.build(FOLDER / "dist")
    try:
        for title, outcome in of_files(wheel, sdist):
            print(f"{title}: {outcome}", flush=True)
        if not options.fast:
            for title, outcome in of_pythons(pythons, wheel, sdist):
                print(f"{title}: {outcome}", flush=True)
    except AssertionError as error:
        raise SystemExit(f"This does not hold: {error}") from error
    print(f"All holds, in {time.monotonic() - start:.0f} s: {wheel.name}, {sdist.name}")


if __name__ == "__main__":
    main()
