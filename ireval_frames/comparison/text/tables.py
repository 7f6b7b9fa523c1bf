"""A comparison as tables of text: systems by measures with marks of significance, and each pair with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.options import ComparisonOptions
from ireval_frames.comparison.rows import OF_THE_TEST
from ireval_frames.comparison.values.grids import INTERSECT, Grid
from ireval_frames.stats.letters import letter
from ireval_frames.stats.sample import Array

# More pairs than these are not listed; `table()` has them.
MOST_PAIRS = 15
# Sums of the same values in another order differ by less.
ROUNDING = 1e-12
BETTER, WORSE, UNDEFINED = "▲", "▼", "–"


@dataclass(frozen=True)
class Cell:
    """A text, whether it is the best or the second of its column, and a superscript."""

    text: str
    best: bool = False
    second: bool = False
    mark: str = ""


@dataclass(frozen=True)
class Block:
    """A table: the first `words` columns are text, the others numbers."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    words: int


@dataclass(frozen=True)
class Tables:
    """The systems by measures, the pairs, and the legend."""

    overview: Block
    details: tuple[Block, ...]
    notes: tuple[str, ...]


def tables_of(
    grids: Sequence[Grid],
    options: ComparisonOptions,
    table: pl.DataFrame,
    by: Sequence[str],
    system: str,
    notes: Sequence[str] = (),
) -> Tables:
    """The tables of a comparison, with notes below; marks are of the first test that distinguishes pairs."""
    marking = "" if options.marking is None else options.marking.name
    overview = _overview(grids, options, table.filter(pl.col("test") == marking), by, system)
    details = tuple(_details(grids, options, table, by))
    return Tables(overview, details, (*_notes(grids, options, table), *notes))


def _overview(
    grids: Sequence[Grid], options: ComparisonOptions, table: pl.DataFrame, by: Sequence[str], system: str
) -> Block:
    # It loads SciPy, which the command need not for what has no comparison.
    from ireval_frames.comparison.systems import moments_of_systems

    measures = list(dict.fromkeys(g.measure for g in grids))
    groups = list(dict.fromkeys(g.group for g in grids))
    arrows = {g.measure: "↓" if g.lower_is_better else "" for g in grids}
    marks = _marks(grids, options, table, by)
    lettered = options.baseline is None
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        of = {g.measure: (g, moments_of_systems(g, options).mean) for g in grids if g.group == group}
        names = sorted({name for g, _ in of.values() for name in g.systems}, key=str)
        for i, name in enumerate(names):
            words = [*(Cell(shown(v)) for v in group), *([Cell(letter(i))] if lettered else []), Cell(shown(name))]
            rows.append((*words, *(_mean(of.get(m), name, marks.get((m, group, name), "")) for m in measures)))
    heads = (f"{shown(m)}{arrows[m]}" for m in measures)
    header = (*map(shown, by), *([""] if lettered else []), shown(system), *heads)
    return Block("", header, tuple(rows), len(by) + lettered + 1)


def _mean(of: tuple[Grid, Array] | None, name: object, mark: str) -> Cell:
    if of is None or name not in (names := of[0].systems.to_list()):
        return Cell("–")
    grid, means = of
    texts = [number(m) for m in means]
    best, second = best_two(texts, lower_is_better=grid.lower_is_better)
    text = texts[names.index(name)]
    return Cell(text, text == best, text == second, mark)


def best_two(texts: Iterable[str], *, lower_is_better: bool) -> tuple[str | None, str | None]:
    """The best of some numbers as they are written, and the second if there are three or more."""
    order = sorted({t for t in texts if t != UNDEFINED}, key=float, reverse=not lower_is_better)
    return order[0] if order else None, order[1] if len(order) > 2 else None


def _marks(
    grids: Sequence[Grid], options: ComparisonOptions, table: pl.DataFrame, by: Sequence[str]
) -> dict[tuple[str, tuple[object, ...], object], str]:
    """The superscript of each measure, group and system: which systems it is significantly better or worse than."""
    lower_is_better = {g.measure for g in grids if g.lower_is_better}
    place = {(g.group, name): None for g in grids for name in g.systems}
    letters = {
        key: letter(i)
        for group in dict.fromkeys(g.group for g in grids)
        for i, key in enumerate(sorted((k for k in place if k[0] == group), key=lambda k: str(k[1])))
    }
    out: dict[tuple[str, tuple[object, ...], object], list[str]] = {}
    for row in table.filter(pl.col("significant")).iter_rows(named=True):
        measure, key, baseline, system = row["measure"], tuple(row[n] for n in by), row["baseline"], row["system"]
        better = _better(row, options, lower_is_better=measure in lower_is_better)
        if options.baseline is not None:
            out[measure, key, system] = [BETTER if better else WORSE]
        else:
            winner, loser = (system, baseline) if better else (baseline, system)
            out.setdefault((measure, key, winner), []).append(letters[key, loser])
    between = " " if any(len(mark) > 1 for mark in letters.values()) else ""
    return {key: between.join(sorted(marks, key=lambda m: (len(m), m))) for key, marks in out.items()}


def _better(row: dict[str, Any], options: ComparisonOptions, *, lower_is_better: bool) -> bool:
    """Whether a test found the system above the baseline, and not below: by its estimate, else by the means."""
    nothing = next(test.nothing for test in options.tests if test.name == row["test"])
    above = (row["estimate"] or nothing) - nothing or row["difference"] or 0.0
    return bool((above > 0) != lower_is_better)


def _details(
    grids: Sequence[Grid], options: ComparisonOptions, table: pl.DataFrame, by: Sequence[str]
) -> Iterator[Block]:
    levels = table["confidence"].unique().sort().to_list()
    interval = f"{levels[0] * 100:g}% interval" if len(levels) == 1 else "interval"
    posterior = ["lower/rope/higher"] if any(not test.p_values for test in options.tests) else []
    for grid in grids:
        here = pl.col("measure") == grid.measure
        for name, value in zip(by, grid.group, strict=True):
            here &= pl.col(name).eq_missing(value)
        rows = table.filter(here)
        if rows["baseline"].len() > MOST_PAIRS * len(options.tests):
            continue
        # The interval is of the estimate, which most tests have of the difference itself.
        other = bool(((rows["estimate"] - rows["difference"]).abs() > 1e-12).any())
        distinguishing = {test.name for test in options.tests if test.distinguishes}
        lines = []
        for row in rows.iter_rows(named=True):
            significant = row["significant"] and row["test"] in distinguishing
            better = significant and _better(row, options, lower_is_better=grid.lower_is_better)
            lines.append(
                (
                    Cell(shown(row["baseline"])),
                    Cell(shown(row["system"])),
                    *([Cell(row["test"])] if len(options.tests) > 1 else []),
                    Cell(str(row["n"])),
                    Cell(signed(row["difference"]), mark=(BETTER if better else WORSE) if significant else ""),
                    *([Cell(signed(row["estimate"]))] if other else []),
                    Cell(
                        interval_of(row["ci_low"], row["ci_high"])
                        + (f" ({row['confidence'] * 100:g}%)" if len(levels) > 1 else "")
                    ),
                    *([Cell(_posterior(row))] if posterior else []),
                    Cell("/".join(_count(row.get(c)) for c in ("wins", "ties", "losses"))),
                    Cell(p_value(row["p_value"])),
                    Cell(p_value(row["p_adjusted"])),
                    Cell(f"{row['effect_name']} {signed(row['effect'])}" if row.get("effect_name") else "–"),
                    Cell("" if row["status"] == "ok" else row["status"]),
                )
            )
        tests = ["test"] if len(options.tests) > 1 else []
        estimate = ["estimate"] if other else []
        numbers = ["n", "difference", *estimate, interval, *posterior, "wins/ties/losses", "p", "p adjusted", "effect"]
        header = ("baseline", "system", *tests, *numbers, "")
        group = ", ".join(f"{shown(n)} {shown(v)}" for n, v in zip(by, grid.group, strict=True))
        yield Block(f"{shown(grid.measure)}{f' ({group})' if group else ''}", header, tuple(lines), 2 + len(tests))


def _posterior(row: dict[str, Any]) -> str:
    """The posterior probabilities of a Bayesian test: that the system is lower, about as high, higher."""
    probabilities = [row.get(f"probability_{region}") for region in ("lower", "rope", "higher")]
    return "–" if None in probabilities else "/".join(f"{p:.4f}" for p in probabilities)


def _notes(grids: Sequence[Grid], options: ComparisonOptions, table: pl.DataFrame) -> Iterator[str]:
    sizes = sorted({size for g in grids for size in g.sizes})
    units = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    yield f"{units} {'unit' if sizes == [1] else 'units'}. {meaning(options)}"
    yield from _reservations(grids, options, table)
    if table.height > MOST_PAIRS * len(options.tests) * len(grids):
        yield f"{table.height} rows of pairs are in table()."


def _reservations(grids: Sequence[Grid], options: ComparisonOptions, table: pl.DataFrame) -> Iterator[str]:
    """Further notes: the units of means, what one unit cannot show, and intervals by another method than the test's."""
    from ireval_frames.comparison.systems import of_areas

    if of_areas(options):
        yield "Numbers are areas under the ROC curve of the scores."
    if options.pairs_units and options.missing == INTERSECT and any(np.isnan(g.values).any() for g in grids):
        common = sorted({len(g.whole().values) for g in grids})
        if common[0]:
            units = f"{common[0]:,}" if len(common) == 1 else f"{common[0]:,} to {common[-1]:,}"
            yield f"Means of systems are over the {units} units that all have; each pair is compared on those of both."
        else:
            yield "No unit has all systems: their means are over their own units; pairs are compared on those of both."
    if {*table["status"]} == {"one_unit"}:
        yield "One unit has no test: name a column of units, or compare ir.resampling.bootstrap(…), which draws items."
    if "interval_method" in table.columns:
        other = table.filter(~pl.col("interval_method").is_in(OF_THE_TEST), pl.col("p_value").is_not_null())
        for test, method in other.select("test", "interval_method").unique(maintain_order=True).iter_rows():
            yield f"Intervals of {test} are of another method than p ({method}): near the level they may disagree."


def meaning(options: ComparisonOptions) -> str:
    """What the marks mean."""
    test = options.marking
    if test is None:
        names = ", ".join(one.name for one in options.tests)
        return f"No marks: what {names} finds is no difference of a pair that is significant."
    correction = "" if test.adjusted or options.correction == "none" else f", {options.correction}"
    return marked(options.baseline, f"{test.name}{correction}", options.confidence)


def marked(baseline: object, test: str, confidence: float) -> str:
    """What letters mean; with a baseline, what the signs mean."""
    by = f"({test}, p at most {1 - confidence:.3g})"
    if baseline is None:
        return f"A letter: significantly better than that system {by}."
    return f"{BETTER} {WORSE}: significantly better, worse than {shown(baseline)} {by}."


def text(tables: Tables) -> str:
    """Plain text, columns aligned."""
    parts = [_aligned(tables.overview)]
    parts += [f"{block.title}\n{_aligned(block)}" for block in tables.details]
    return "\n\n".join([*parts, "\n".join(tables.notes)])


def _aligned(block: Block) -> str:
    columns = list(zip(*padded(block), strict=True))
    widths = [max(map(len, column)) for column in columns]
    lines = []
    for row in padded(block):
        cells = zip(row, widths, strict=True)
        texts = [t.ljust(w) if i < block.words else t.rjust(w) for i, (t, w) in enumerate(cells)]
        lines.append("  ".join(texts).rstrip())
    return "\n".join(lines)


def padded(block: Block) -> list[list[str]]:
    """The texts of the header and of all rows; behind numbers there is room for the longest mark of their column."""
    marks = [max((len(row[i].mark) for row in block.rows), default=0) for i in range(len(block.header))]
    room = [0 if i < block.words else width for i, width in enumerate(marks)]
    header = [name + " " * width for name, width in zip(block.header, room, strict=True)]
    rows = [
        [c.text + superscript(c.mark).ljust(width) for c, width in zip(row, room, strict=True)] for row in block.rows
    ]
    return [header, *rows]


SUPERSCRIPTS = str.maketrans("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")


def superscript(mark: str) -> str:
    """Letters as small raised ones, where Unicode has them."""
    return mark.translate(SUPERSCRIPTS)


def shown(name: object) -> str:
    """A name in one line, without signs that a terminal acts on; one that is empty in quotation marks."""
    if name is None:
        return "null"
    signs = (sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in str(name))
    return "".join(signs) or '""'


def number(value: float | None) -> str:
    """Four decimals; large numbers with six digits."""
    if value is None or np.isnan(value):
        return UNDEFINED
    return f"{_whole(value):.4f}" if abs(value) < 1000 else f"{value:.6g}"


def _whole(value: float) -> float:
    """The value; 0 without a sign where all that is left are bits of rounding."""
    return 0.0 if abs(value) < ROUNDING else value


def signed(value: float | None) -> str:
    """A number with its sign."""
    return number(value) if value is None or _whole(value) <= 0 else f"+{number(value)}"


def p_value(value: float | None) -> str:
    """Four decimals; small ones as such."""
    return "–" if value is None else "<0.0001" if value < 0.0001 else f"{value:.4f}"


def interval_of(low: float | None, high: float | None) -> str:
    """Both ends, signed."""
    return "–" if low is None and high is None else f"[{signed(low)}, {signed(high)}]"


def _count(value: int | None) -> str:
    return "–" if value is None else str(value)
