"""Lines with the fields of a format in another order, detected by which field differs from line to line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

from ireval_frames.errors import Argument, Hint, MalformedFile
from ireval_frames.io.text.grammar import DECIMAL, INTEGER

Rows = Sequence[Sequence[str]]

BY_ORDER = Argument("score_from", "order", "ir.io.scan_run(path, {})")
BY_RANK = Argument("score_from", "rank", "ir.io.scan_run(path, {})")


def fields_of(line: str) -> list[str]:
    """The fields between blanks and tabs; other white space, such as a no-break space, is part of a field."""
    return [field for field in line.replace("\t", " ").split(" ") if field]


def second_is_document(rows: Rows) -> bool:
    """Whether four fields are a query, a document and two numbers: no two lines of a query have the same second field.

    Subtopics and assessors, which judgments may have there, return for other documents.
    """
    several = len({row[0] for row in rows}) < len(rows) and _n_values(rows, 1) > 1
    pairs = {(row[0], row[1]) for row in rows}
    return several and len(pairs) == len(rows) and all(DECIMAL.fullmatch(row[2]) for row in rows)


def as_format(name: str, table: str = "qrels") -> Argument:
    """The argument that names the format of a file."""
    return Argument("format", name, f"ir.io.scan_{table}(path, {{}})", (f"{table}-format", name))


def refuse_other_order(name: str, kind: str, n: int, rows: Rows) -> None:
    """Refuse lines whose document is in another field than the format has it.

    Args:
        name: the file's name in messages.
        kind: "qrels" or "run".
        n: the number of fields of its lines.
        rows: the fields of the first lines.

    Raises:
        MalformedFile: they are; the message says what they look like.
    """
    if not rows:
        return
    if n == 4 and second_is_document(rows) and _are_ranks(rows, 2, lambda row: row[0]):
        raise MalformedFile(
            f"{name} seems to have a run in four fields (query, document, rank, score): the third numbers the "
            "documents of each query.",
            Hint(
                f'Write the fields of a run: awk \'{{print $1, "Q0", $2, $3, $4, "run"}}\' {name} > new.txt. '
                "To read them as judgments: ",
                as_format("trec"),
            ),
        )
    if (kind == "qrels" and n == 4) or (kind == "run" and n == 6):
        _refuse_second(name, kind, rows)


def _refuse_second(name: str, kind: str, rows: Rows) -> None:
    """The document is the third of the fields of judgments and of runs."""
    second, third, way = _n_values(rows, 1), _n_values(rows, 2), as_format("trec", kind)
    if kind == "run":
        _refuse_rank_behind_score(name, rows, way)
        wrong = third == 1 and second > 1
    else:
        one_each = len({(row[0], row[1]) for row in rows}) == len(rows)
        # Where the fourth is 0 as well, these are judgments of SMART's collections.
        smart = not any(field.strip("0.") for row in rows for field in row[2:])
        zeros = all(row[2] == "0" for row in rows) and any(row[1] != "0" for row in rows)
        grades = all(row[2].lstrip("+-").isdigit() and len(row[2].lstrip("+-")) == 1 for row in rows)
        wrong = not smart and (
            zeros or second_is_document(rows) or (one_each and second > third and grades and _n_values(rows, 3) == 1)
        )
        if not smart and second > 1 and {row[0] for row in rows} <= {"0", "Q0"}:
            raise MalformedFile(
                f"{name}: the first field, where judgments have the topic, is {rows[0][0]!r} on the first {len(rows)} "
                f"lines, and the second has {second} different values: the topics seem to be in the second.",
                Hint(
                    f"Reorder the fields: awk '{{print $2, $1, $3, $4}}' {name} > new.txt. To read them as they are: ",
                    way,
                ),
            )
    if not wrong:
        return
    of_runs = "awk '{print $1, \"Q0\", $2, $4, $5, $6}'"
    raise MalformedFile(
        f"{name}: the third field, where {'runs' if kind == 'run' else 'judgments'} have the document, has "
        f"{_distinct(third, rows[0][2])} on the first {len(rows)} lines, and the second "
        f"{_distinct(second, rows[0][1])}: the documents seem to be in the second.",
        Hint(
            f"Reorder the fields: {of_runs if kind == 'run' else _of_judgments(rows)} {name} > new.txt. "
            "To read them as they are: ",
            way,
        ),
    )


def _are_ranks(rows: Rows, place: int, list_of: Callable[[Sequence[str]], Hashable]) -> bool:
    """Whether a field numbers the lines of each list from 0 or 1; the last list may go on."""
    if not all(INTEGER.fullmatch(row[place]) for row in rows):
        return False
    ranks = defaultdict(list)
    for row in rows:
        ranks[list_of(row)].append(int(row[place]))
    first = min(map(min, ranks.values()))
    return first in (0, 1) and all(sorted(one) == [*range(first, first + len(one))] for one in ranks.values())


def _refuse_rank_behind_score(name: str, rows: Rows, way: Argument) -> None:
    """The rank stands before the score, and is a whole number."""
    if all(INTEGER.fullmatch(row[3]) for row in rows) or not all(DECIMAL.fullmatch(row[3]) for row in rows):
        return
    if not _are_ranks(rows, 4, lambda row: (row[0], row[5])):
        return
    raise MalformedFile(
        f"{name}: the fifth field, where runs have the score, numbers the documents of each query, and the fourth has "
        f"other numbers, such as {rows[0][3][:40]!r}: the scores seem to be in the fourth.",
        Hint(
            f"Reorder the fields: awk '{{print $1, $2, $3, $5, $4, $6}}' {name} > new.txt. To read them as they are: ",
            way,
        ),
    )


def _of_judgments(rows: Rows) -> str:
    """The command that reorders judgments; without a field of grades all are relevant."""
    grade = "$3" if _n_values(rows, 2) > 1 else "$4" if _n_values(rows, 3) > 1 else "1"
    return f"awk '{{print $1, 0, $2, {grade}}}'"


def _distinct(n: int, first: str) -> str:
    return f"the one value {first[:40]!r}" if n == 1 else f"{n} different values"


def _n_values(rows: Rows, place: int) -> int:
    return len({row[place] for row in rows})
