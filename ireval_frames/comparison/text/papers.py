"""The tables of a comparison as people put them into papers: Markdown, LaTeX, and HTML."""

from __future__ import annotations

import html as escaping
import re
from collections.abc import Iterable, Sequence

from ireval_frames.comparison.text.tables import BETTER, WORSE, Block, Cell, Tables

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "|": r"\textbar{}", "[": "{[}", "*": "{*}", "`": "{`}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "↓": r"$\downarrow$", "<": "$<$", ">": "$>$",
    "–": r"\textendash{}", "Δ": r"$\Delta$", "−": "$-$",
}  # fmt: skip
# What LaTeX makes one sign of.
_DOUBLED = r"([-'])(?=\1)"
_MARKS = {BETTER: r"\blacktriangle", WORSE: r"\blacktriangledown", "≡": r"\equiv"}


def markdown(tables: Tables) -> str:
    """Systems by measures: the best is bold, the second emphasised, marks are superscripts."""
    block = tables.overview
    is_number = [i >= block.words for i in range(len(block.header))]
    lines = _markdown_lines(block.header, is_number, ([_in_markdown(cell) for cell in row] for row in block.rows))
    return "\n".join([*lines, "", *(_bar(note) for note in tables.notes)]) + "\n"


def markdown_table(header: Sequence[str], is_number: Sequence[bool], rows: Iterable[Sequence[str]]) -> str:
    r"""A table of texts; columns of numbers are aligned at the right.

    Example:
        >>> print(markdown_table(["run_id", "AP"], [False, True], [["bm25", "0.3084"]]), end="")
        | run\_id | AP |
        | --- | ---: |
        | bm25 | 0.3084 |
    """
    return "\n".join(_markdown_lines(header, is_number, (map(_bar, row) for row in rows))) + "\n"


def _markdown_lines(header: Iterable[str], is_number: Iterable[bool], rows: Iterable[Iterable[str]]) -> list[str]:
    return [_row(map(_bar, header)), _row("---:" if n else "---" for n in is_number), *map(_row, rows)]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _bar(text: str) -> str:
    """Text in a cell: signs that Markdown reads are escaped."""
    for sign in "\\|*_`<[&~$":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", " ")


def _in_markdown(cell: Cell) -> str:
    text = _bar(cell.text)
    text = f"**{text}**" if cell.best else f"<u>{text}</u>" if cell.second else text
    return f"{text}<sup>{cell.mark}</sup>" if cell.mark else text


def latex(tables: Tables) -> str:
    """Systems by measures for the packages booktabs and amssymb: the best is bold, the second underlined."""
    block = tables.overview
    aligned = "l" * block.words + "r" * (len(block.header) - block.words)
    lines = [rf"\begin{{tabular}}{{{aligned}}}", r"\toprule", _line([_plain(h) for h in block.header]), r"\midrule"]
    lines += [_line([_in_latex(cell) for cell in row]) for row in block.rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*lines, *(f"% {note}".replace("\n", " ") for note in tables.notes)]) + "\n"


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _plain(text: str) -> str:
    text_of_signs = "".join(_LATEX.get(sign, sign) for sign in text).replace("\n", " ")
    return re.sub(_DOUBLED, r"\1{}", text_of_signs)


def _in_latex(cell: Cell) -> str:
    text = _plain(cell.text)
    text = rf"\textbf{{{text}}}" if cell.best else rf"\underline{{{text}}}" if cell.second else text
    mark = _MARKS.get(cell.mark) or (rf"\mathrm{{{cell.mark}}}" if cell.mark else "")
    return f"{text}$^{{{mark}}}$" if mark else text


def html(tables: Tables) -> str:
    """All tables; every text is escaped, and there is no script."""
    blocks = [_block(block) for block in (tables.overview, *tables.details)]
    return "\n".join([*blocks, *(f"<p>{escaping.escape(note)}</p>" for note in tables.notes)]) + "\n"


def _block(block: Block) -> str:
    head = "".join(f'<th scope="col">{escaping.escape(h)}</th>' for h in block.header)
    rows = "\n".join(f"<tr>{''.join(_in_html(c, i, block) for i, c in enumerate(row))}</tr>" for row in block.rows)
    caption = f"<caption>{escaping.escape(block.title)}</caption>" if block.title else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>"


def _in_html(cell: Cell, place: int, block: Block) -> str:
    text = escaping.escape(cell.text)
    text = f"<b>{text}</b>" if cell.best else f"<u>{text}</u>" if cell.second else text
    text += f"<sup>{escaping.escape(cell.mark)}</sup>" if cell.mark else ""
    return f"<td>{text}</td>" if place < block.words else f'<td style="text-align: right">{text}</td>'
