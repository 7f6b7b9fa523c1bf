"""Makes environments of the tools for recommenders, which need other NumPy and pandas than this package.

`python -m benchmarks.recommender_tools FOLDER` makes FOLDER/rectools (RecTools and RePlay), FOLDER/recommenders and
FOLDER/lenskit.  `python -m benchmarks recommenders --peers FOLDER/rectools/bin/python` then measures beside the first;
with each of them `python -m tests.reference.making_recommenders` writes the figures that the tests compare with.
"""

import subprocess
import sys
import venv
from pathlib import Path

ENVIRONMENTS = {
    "rectools": ("rectools==0.19.0", "replay-rec==0.22.0", "numpy<2", "pandas<3", "polars<2", "pyarrow"),
    "recommenders": ("recommenders==1.2.1", "pandas<3"),
    "lenskit": ("lenskit==2025.8.1", "pandas<3"),
}


def main(folder: Path) -> None:
    """Make the environments that are not there."""
    for name, packages in ENVIRONMENTS.items():
        python = folder / name / "bin" / "python"
        if not python.exists():
            venv.create(folder / name, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
