"""The page of tests, effect sizes and corrections, `docs/significance.md`, from their declarations."""

from __future__ import annotations

from ireval_frames.comparison.listing import DESIGNS, corrections, effects, tests
from ireval_frames.stats.sample import STATUS
from tests.docs.generators.markdown import escaped

INTRODUCTION = """\
# Tests, effect sizes, corrections

The tests, effect sizes and corrections of `ir.compare` ([comparing](comparing.md)) by name; `ir.comparison.tests()`,
`ir.comparison.effects()` and `ir.comparison.corrections()` are these tables as frames.

Differences are system − baseline.
P-values are two-sided by default; `alternative="greater"` tests whether the system is better, in the measure's
direction.
P-values of resampling are (1 + exceeding draws) / (1 + draws), never 0; sums that differ by rounding are ties.
"""


def page() -> str:
    """The text of the page."""
    lines = [INTRODUCTION]
    table = tests()
    for design, text in DESIGNS.items():
        lines += [f"## {text[0].upper()}{text[1:]}", ""]
        lines += ["| `test=` | description | statistic | options | effect size | source |", f"|{'---|' * 6}"]
        for row in table.filter(design=design).iter_rows(named=True):
            description = f"{row['description']}{' P-values are adjusted already.' if row['adjusted'] else ''}"
            options = f"`{row['options']}`" if row["options"] else ""
            effect = f"`{row['effect']}`" if row["effect"] else ""
            lines.append(
                f"| `{row['test']}` | {escaped(description)} | {escaped(row['statistic'])} | {options} | {effect} | "
                f"{escaped(row['source'])} |"
            )
        lines.append("")
    lines += ["## Effect sizes", "", "| `effect=` | description | units | source |", "|---|---|---|---|"]
    for row in effects().iter_rows(named=True):
        units = "different" if row["design"] == "unpaired" else "the same"
        lines.append(f"| `{row['effect']}` | {escaped(row['description'])} | {units} | {escaped(row['source'])} |")
    lines += ["", "## Corrections", "", "For the N p-values of a family in order: p(1) ≤ … ≤ p(N).", ""]
    lines += ["| `correction=` | corrected p(i) | controls | for tests that are | source |", "|---|---|---|---|---|"]
    for row in corrections().iter_rows(named=True):
        lines.append(
            f"| `{row['correction']}` | {escaped(row['description'])} | {row['controls']} | {row['dependence']} | "
            f"{escaped(row['source'])} |"
        )
    lines += ["", "## Status", "", "| `status` | meaning |", "|---|---|"]
    lines += [f"| `{word}` | {escaped(text)} |" for word, text in STATUS.items()]
    return "\n".join(lines) + "\n"
