"""What `make measure` says last."""

from types import SimpleNamespace

from tests.causes import LINES, REASONS, causes, told


def test_each_reason_once_the_most_frequent_first() -> None:
    differs = "AssertionError: {} of 9 differ on {}:\n  a: 1 instead of 2\n\n  b: 1 instead of 3\nassert not 2"
    raised = "FailingMeasure: The function of P@1 raises TypeError: no"
    messages = [differs.format(3, "polars"), *[raised] * 45, differs.format(4, "duckdb")]
    assert causes(messages) == [
        f"45 × {raised}",
        "2 × AssertionError: 3 of 9 differ on polars:",
        "      a: 1 instead of 2",
        "      b: 1 instead of 3",
    ]
    many = causes(f"ValueError: {'abcdefgh'[i]}" for i in range(REASONS + 2))
    assert (len(many), many[-1]) == (REASONS + 1, "and 2 other reasons, above")
    assert len(causes(["ValueError: " + "\nline" * 2 * LINES])) == LINES
    of_variants = causes(["Failing: P(rel=2)@5 fails", "Failing: P@1 fails"])
    assert of_variants == ["2 × Failing: P(rel=2)@5 fails"]
    assert causes(["tests.kit.NoValues: a.b: 1"]) == ["1 × NoValues: a.b: 1"]
    assert causes([""]) == ["1 × no message"]


def test_the_line_of_an_oracle_is_told() -> None:
    crash = SimpleNamespace(path="/here/tests/oracles/gain.py", lineno=7, message="ZeroDivisionError: by zero")
    assert told(crash) == "ZeroDivisionError: by zero\ntests/oracles/gain.py:7"
    crash.path = "/here/tests/contract/test_oracle.py"
    assert told(crash) == "ZeroDivisionError: by zero"
