"""Deprecated names warn at the line that uses them, and go in time."""

from __future__ import annotations

import ast
import warnings

import pytest

from ireval_frames.deprecation import deprecated, removed_in
from ireval_frames.version import __version__
from tests.packaging.imports import files


class Subject:
    """Has a deprecated method, and one with a deprecated argument."""

    @deprecated("0.1", "subject.values()")
    def numbers(self, n: int = 1) -> int:
        """A number."""
        return n

    @deprecated("1.9", "replicates=", arguments={"draws": "replicates"})
    def values(self, *, replicates: int = 0) -> int:
        """A number."""
        return replicates


def test_a_deprecated_method_warns_and_works() -> None:
    with pytest.warns(
        DeprecationWarning, match=r"Subject.numbers is deprecated since 0.1 and goes with 0.3. Write"
    ) as w:
        assert Subject().numbers(4) == 4
    assert w[0].filename == __file__
    assert Subject.numbers.__doc__ == "A number."


def test_an_old_argument_is_the_new_one() -> None:
    with pytest.warns(DeprecationWarning, match=r"draws= of Subject.values is deprecated since 1.9 and goes with 1.11"):
        assert Subject().values(draws=7) == 7
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Subject().values(replicates=7) == 7
    with pytest.raises(TypeError, match="its old name"):
        Subject().values(replicates=7, draws=7)


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])


def test_nothing_stays_longer_than_it_says() -> None:
    late = [
        f"{name}:{node.lineno}"
        for name, path in files().items()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "deprecated"
        if numbers(removed_in(ast.literal_eval(node.args[0]))) <= numbers(__version__)
    ]
    assert late == [], "Remove these: the version that no longer has them is here"
