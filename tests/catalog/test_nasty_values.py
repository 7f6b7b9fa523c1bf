"""Whatever is written for a parameter of any measure: it is taken and written again, or refused in our words."""

from __future__ import annotations

import math
from typing import Any

import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure
from ireval_frames.errors import InvalidParameter, IrevalError
from ireval_frames.parameters import REQUIRED, Parameter

DEFINITIONS = catalog.definitions()
HUGE = 10**5000
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, math.nan, math.inf, -math.inf, HUGE, -HUGE, 2**53, 2**70, 1e308, 5e-324, "", "x",
    "nan", "1", b"x", [], (), {}, [0.5], [[1, 2]], [[1, 2, 3]], [(1,)], ["ab"], {"a": 1}, {1: "a"}, {1: None},
    {None: 1}, {1: math.nan}, {1: HUGE}, {HUGE: 1}, [None], [math.nan], [math.inf], set(), {1, 2}, object(), len,
    range(3), 1j, {1: [1]}, {(1, 2): 3}, [[[]]], [{}], "log2", Exception,
)  # fmt: skip


def tried(definition: Definition, name: str) -> list[str]:
    """What is wrong with the values of one parameter."""
    wrong = []
    for value in (*VALUES, iter([1])):
        try:
            measure = Measure.of(definition, {name: value})
        except IrevalError as error:
            message = str(error)
            if not isinstance(error, InvalidParameter) or f"{name} of {definition.name} is " not in message:
                wrong.append(message)
            continue
        hash(measure)
        if catalog.parse(str(measure), definition.family) != measure:
            wrong.append(f"{measure} is not read again")
    return wrong


@pytest.mark.parametrize("family", sorted({d.family for d in DEFINITIONS}))
def test_taken_or_refused(family: str) -> None:
    requested = [d for d in DEFINITIONS if d.family == family]
    wrong = [w for d in requested for name in d.parameters for w in tried(d, name)]
    wrong += [w for d in requested for w in tried(d, "aggregation")]
    assert not wrong, "\n".join(wrong[:10])


def raising(error: Exception) -> Parameter:
    """A parameter whose author did not think of what comes."""

    def convert(value: object) -> object:
        if value == 1:
            return value
        raise error

    return Parameter(1, "a number that is one", convert)


@pytest.mark.parametrize(
    "error", [TypeError("t"), KeyError("k"), AttributeError("a"), OverflowError("o"), ZeroDivisionError("z")], ids=repr
)
def test_errors_of_a_conversion_are_ours(error: Exception) -> None:
    parsed = Definition(family="ranking", name="Odd", function=lambda _, n: n, parameters={"n": raising(error)})
    with pytest.raises(InvalidParameter, match=r"n of Odd is 'x'; it is a number that is one"):
        parsed(n="x")


def test_a_value_that_cannot_be_hashed_is_refused() -> None:
    parsed = Definition(
        family="ranking",
        name="Odd",
        function=lambda _, n: n,
        parameters={"n": Parameter(1, "words", lambda value: value)},
    )
    with pytest.raises(InvalidParameter, match=r"n of Odd is \['a'\]; it is words"):
        parsed(n=["a"])


def test_whole_numbers_and_numbers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    assert ir.P @ numpy.int64(5) == ir.P @ 5
    assert ir.P(rel=numpy.float32(0.5)) @ 5 == ir.P(rel=0.5) @ 5
    assert str(ir.P @ numpy.int64(5)) == "P@5"


def test_long_values_are_cut_in_the_error() -> None:
    for value in ("x" * 1000, HUGE):
        with pytest.raises(InvalidParameter) as error:
            ir.P(cutoff=value)
        assert len(str(error.value)) < 300
    with pytest.raises(InvalidParameter, match=r"a size between 1e-100 and 1e\+100"):
        ir.P(rel=1e200, cutoff=5)


@pytest.mark.parametrize(
    "requested, line",
    [(ir.P, "Write P@10."), (ir.IPrec, "Write IPrec@0.5."), (ir.ranking.INST, r"Write INST\(max_rel=…\).")],
    ids=str,
)
def test_what_is_needed_says_what_it_is_and_how_to_write_it(requested: Measure, line: str) -> None:
    """A measure without its cutoff stays a measure, to be given one: `ir.P @ 5`."""
    needed = next(p.what for p in requested.definition.parameters.values() if p.default is REQUIRED)
    with pytest.raises(InvalidParameter, match=rf"{requested.name} needs a \w+: {needed}\.\n  {line}"):
        ir.evaluate(*ir.examples.ranking(), requested)
