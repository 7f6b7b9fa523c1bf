"""The page of tests, effect sizes and corrections, `docs/significance.md`, made from their declarations."""

from __future__ import annotations

from ireval_frames.comparison.listing import DESIGNS, corrections, effects, tests
from ireval_frames.stats.sample import STATUS
from tests.docs.markdown import escaped

INTRODUCTION = """\
# Tests, effect sizes, corrections

What `ir.compare` can be asked ([comparing](comparing.md)), each by its name; `ir.comparison.tests()`,
`ir.comparison.effects()` and `ir.comparison.corrections()` are these tables as frames.

Differences are system − baseline.
Where nothing else is said p-values are two-sided; `alternative="greater"` asks whether the system is better, by the
measure's direction.
P-values of draws are (1 + exceeding draws) / (1 + draws), never 0; sums that differ by rounding are ties.
"""


def page() -> str:
    """The text of the page."""
    lines = [INTRODUCTION]
    table = tests()
    for design, said in DESIGNS.items():
        lines += [f"## {said[0].upper()}{said[1:]}", ""]
        lines += ["| `test=` | what it asks | statistic | options | effect size | source |", f"|{'---|' * 6}"]
        for row in table.filter(design=design).iter_rows(named=True):
            told = f"{row['says']}{' P-values are adjusted already.' if row['adjusted'] else ''}"
            options = f"`{row['options']}`" if row["options"] else ""
            effect = f"`{row['effect']}`" if row["effect"] else ""
            lines.append(
                f"| `{row['test']}` | {escaped(told)} | {escaped(row['statistic'])} | {options} | {effect} | "
                f"{escaped(row['source'])} |"
            )
        lines.append("")
    lines += ["## Effect sizes", "", "| `effect=` | what it is | units | source |", "|---|---|---|---|"]
    for row in effects().iter_rows(named=True):
        units = "different" if row["design"] == "unpaired" else "the same"
        lines.append(f"| `{row['effect']}` | {escaped(row['says'])} | {units} | {escaped(row['source'])} |")
    lines += ["", "## Corrections", "", "Of the N p-values of a family, sorted: p(1) ≤ … ≤ p(N).", ""]
    lines += ["| `correction=` | corrected p(i) | controls | for tests that are | source |", "|---|---|---|---|---|"]
    for row in corrections().iter_rows(named=True):
        lines.append(
            f"| `{row['correction']}` | {escaped(row['says'])} | {row['controls']} | {row['dependence']} | "
            f"{escaped(row['source'])} |"
        )
    lines += ["", "## Status", "", "| `status` | what it says |", "|---|---|"]
    lines += [f"| `{word}` | {escaped(said)} |" for word, said in STATUS.items()]
    return "\n".join(lines) + "\n"
