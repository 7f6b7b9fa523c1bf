"""No measure leaves its declared range, and none gives NaN."""

from __future__ import annotations

from tests.contract.kit import ENGINES, Kind, each, names

# What rounding of the last bits may add.
SLACK = 1e-12


@each()
def test_stays_in_its_range(kind: Kind, engine: str) -> None:
    wrong = []
    for name in names(kind):
        for where in kind.worlds:
            for measure in kind.of(where, name):
                low, high = kind.bounds(measure)
                for key, value in kind.found(where, engine)[str(measure)].items():
                    if value is None:
                        if measure.definition.undefined is not None:
                            wrong.append(f"{where}: {key} is undefined")
                    elif not low - SLACK <= value <= high + SLACK:
                        wrong.append(f"{where}: {key} is {value}, outside of {low} to {high}")
    assert not wrong, f"{len(wrong)} values:\n" + "\n".join(wrong[:10])


@each(engines=False)
def test_takes_several_values(kind: Kind) -> None:
    """A measure that never moves would pass every comparison of ranges."""
    wrong = []
    for name in names(kind):
        found = {
            round(value, 9)
            for where in kind.worlds
            for engine in ENGINES
            for measure in kind.of(where, name)
            for value in kind.found(where, engine)[str(measure)].values()
            if value is not None
        }
        if (len(found) == 1) != (name in kind.constant):
            wrong.append(f"{name}: {found}")
    assert not wrong, "\n".join(wrong)
