"""Lines with as many fields as a format has, in another order: told by which field differs from line to line."""

from __future__ import annotations

from collections.abc import Sequence

from ireval_frames.errors import Argument, Hint, MalformedFile

Rows = Sequence[Sequence[str]]

BY_ORDER = Argument("score_from", "order", "ir.scan_run(path, {})")
_SAMPLED = "sampled judgments (topic, iteration, document, stratum, grade)"
_PRELS = "prels (topic, document, grade, method, probability)"


def as_format(name: str, table: str = "qrels") -> Argument:
    """The argument that says what a file is."""
    return Argument("format", name, f"ir.scan_{table}(path, {{}})", (f"{table}-format", name))


def refuse_other_order(name: str, kind: str, n: int, rows: Rows) -> None:
    """Refuse lines in which the field of the document holds something else.

    Args:
        name: the file's name in messages.
        kind: "qrels" or "run".
        n: how many fields its lines have.
        rows: the fields of the first lines.

    Raises:
        MalformedFile: saying what was seen, and what the lines look like.
    """
    if not rows:
        return
    if kind == "qrels" and n == 5:
        _refuse_samples(name, rows)
    elif (kind == "qrels" and n == 4) or (kind == "run" and n == 6):
        _refuse_second(name, kind, rows)


def _refuse_samples(name: str, rows: Rows) -> None:
    """Five fields are preferences (topic, assessor, group, document, level), or samples of judgments."""
    second, third, fourth = (_different(rows, i) for i in (1, 2, 3))
    groups_are_numbers = _numbers(rows, 1) and _numbers(rows, 2)
    if fourth > max(second, third) or (groups_are_numbers and not _numbers(rows, 3)):
        return
    prels = second > third or (_numbers(rows, 2) and not _numbers(rows, 1))
    raise MalformedFile(
        f"{name} has five fields a line, and the fourth, the document of preferences, has {fourth} different values"
        f" where the second has {second} and the third {third}. It looks like {_PRELS if prels else _SAMPLED}.",
        Hint(
            "Such samples of judgments are not read: what they leave out must be estimated. If the lines are "
            "preferences (topic, assessor, group, document, level): ",
            as_format("prefs"),
        ),
    )


def _refuse_second(name: str, kind: str, rows: Rows) -> None:
    """The document is the third of the fields of judgments and of runs."""
    second, third = _different(rows, 1), _different(rows, 2)
    if kind == "run":
        wrong = third == 1 and second > 1
    else:
        one_each = len({(row[0], row[1]) for row in rows}) == len(rows)
        zeros = all(row[2] == "0" for row in rows) and any(row[1] != "0" for row in rows)
        grades = all(row[2].lstrip("+-").isdigit() and len(row[2].lstrip("+-")) == 1 for row in rows)
        wrong = zeros or (one_each and second > third and grades and _different(rows, 3) == 1)
    if not wrong:
        return
    of_runs = "awk '{print $1, \"Q0\", $2, $4, $5, $6}'"
    raise MalformedFile(
        f"{name}: the third field, where {'runs' if kind == 'run' else 'judgments'} have the document, has "
        f"{_counted(third, rows[0][2])} on the first {len(rows)} lines, and the second {_counted(second, rows[0][1])}:"
        f" the documents seem to stand in the second.",
        Hint(
            f"Put them in order: {of_runs if kind == 'run' else _of_judgments(rows)} {name} > new.txt. "
            "As the lines stand: ",
            as_format("trec", kind),
        ),
    )


def _of_judgments(rows: Rows) -> str:
    """The line that makes judgments of them; where neither further field tells grades, all are relevant."""
    grade = "$3" if _different(rows, 2) > 1 else "1"
    return f"awk '{{print $1, 0, $2, {grade}}}'"


def _counted(n: int, first: str) -> str:
    return f"the one value {first[:40]!r}" if n == 1 else f"{n} different values"


def _different(rows: Rows, place: int) -> int:
    return len({row[place] for row in rows})


def _numbers(rows: Rows, place: int) -> bool:
    return all(row[place].lstrip("+-").isdigit() for row in rows)
