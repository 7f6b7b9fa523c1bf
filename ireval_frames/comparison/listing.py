"""The tests, effect sizes and corrections of comparisons, as frames."""

from __future__ import annotations

import polars as pl

from ireval_frames.stats.corrections import CORRECTIONS
from ireval_frames.stats.registry import effect_sizes, significance_tests

DESIGNS = {
    "paired": "two systems on the same units",
    "unpaired": "two systems on different units",
    "all": "all systems on the same units, at once",
}


def tests() -> pl.DataFrame:
    """The tests of `ir.compare(test=…)`, a row each.

    Returns:
        test, description, design, adjusted (p holds for all pairs together, and no correction follows), one_sided
        (whether `alternative=` may be), effect (the effect size that goes with it), options (what it reads in addition,
        with defaults), statistic, source.

    Example:
        >>> import ireval_frames as ir
        >>> ir.comparison.tests().filter(test="welch").select("design", "effect").row(0)
        ('unpaired', 'hedges_g')
    """
    return pl.DataFrame(
        [
            {
                "test": test.name,
                "description": test.description,
                "design": test.design,
                "adjusted": test.adjusted,
                "one_sided": test.one_sided,
                "effect": test.effect or None,
                "options": ", ".join(f"{name}={parameter.default!r}" for name, parameter in test.reads.items()),
                "statistic": test.statistic,
                "source": test.source,
            }
            for _, test in sorted(significance_tests().items())
        ]
    )


def effects() -> pl.DataFrame:
    """The effect sizes of `ir.compare(effect=…)` and `Comparison.effects`, a row each.

    Returns:
        effect, description, design, source.

    Example:
        >>> import ireval_frames as ir
        >>> ir.comparison.effects().filter(effect="d_z")["design"].item()
        'paired'
    """
    return pl.DataFrame(
        [
            {"effect": effect.name, "description": effect.description, "design": effect.design, "source": effect.source}
            for _, effect in sorted(effect_sizes().items())
        ]
    )


def corrections() -> pl.DataFrame:
    """The corrections of `ir.compare(correction=…)`, a row each.

    Returns:
        correction, description (the formula over the sorted p-values), controls, dependence (between which tests),
        source.

    Example:
        >>> import ireval_frames as ir
        >>> ir.comparison.corrections().filter(correction="holm")["controls"].item()
        'FWER'
    """
    names = ("name", "description", "controls", "dependence", "source")
    rows = [{n: getattr(c, n) for n in names} for c in CORRECTIONS.values()]
    return pl.DataFrame(rows).rename({"name": "correction"})
