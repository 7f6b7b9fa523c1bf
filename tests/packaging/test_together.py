"""A test over many cases names all that fail."""

import pytest

from tests.together import each_of


def test_all_that_fail_are_named() -> None:
    @each_of([1, 2, 3], lambda n: f"case {n}")
    def small(n: int) -> None:
        assert n < 2
        with pytest.raises(ValueError, match="x"):
            raise ValueError("x")

    with pytest.raises(AssertionError, match=r"2 of 3 fail:\ncase 2: AssertionError(.|\n)*case 3: AssertionError"):
        small()

    @each_of([("a", 1)])
    def refused(name: str, n: int) -> None:
        with pytest.raises(KeyError):
            assert (name, n) == ("a", 1)

    with pytest.raises(AssertionError, match=r"\('a', 1\): Failed: DID NOT RAISE"):
        refused()
