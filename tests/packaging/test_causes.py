"""What `make measure` says last."""

from tests.causes import LINES, REASONS, causes


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
    assert causes(["tests.kit.NoValues: a.b: 1"]) == ["1 × NoValues: a.b: 1"]
    assert causes([""]) == ["1 × no message"]
