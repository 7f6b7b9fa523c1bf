"""Small faults that a line of code may have, and how one is put into a file again after it was moved.

A fault changes one line, and is stored as file, function, the line before and the line after: it applies wherever a
function of that name still has that line.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from pathlib import Path

FLIPPED = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
# Other names for the opposite.
OPPOSITE = {"min": "max", "max": "min", "is_null": "is_not_null", "is_not_null": "is_null", "any": "all", "all": "any"}
# Calls that may be forgotten: what is left is what they are called on.
FORGOTTEN = ("fill_null", "drop_nulls", "fill_nan", "unique", "filter")
Edit = tuple[str, int, int, int, str]
"""The fault, its row, from which column to which, and the new text."""
# What is written for people is no code.
PROSE = ("__repr__", "__str__", "_repr_html_")


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A fault: a line of a function, and what it is changed to."""

    file: str
    function: str
    fault: str
    before: str
    after: str
    caught_by: str | None = None
    """The test that fails of it, `ESCAPED`, or None where it was not tried."""

    def __str__(self) -> str:
        return f"{self.file}, {self.function or 'module'}, {self.fault}:\n    {self.before}\n    {self.after}"


def functions(tree: ast.Module) -> dict[str, ast.AST]:
    """The functions of a file by their names with those of their classes; the module by the empty name."""
    out: dict[str, ast.AST] = {"": tree}

    def walk(node: ast.AST, name: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = name
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{name}.{child.name}".removeprefix(".")
                if not isinstance(child, ast.ClassDef):
                    out[inner] = child
            walk(child, inner)

    walk(tree, "")
    return out


def mutants(file: str, source: str) -> list[Mutant]:
    """All faults of a file's functions whose line is the only such line of its function."""
    lines, out = source.splitlines(), {}
    for name, node in functions(ast.parse(source)).items():
        if not name or name.rpartition(".")[2] in PROSE:
            continue
        first, last = _span(node)
        own = [line.strip() for line in lines[first:last]]
        for fault, row, start, end, text in _edits(node, lines):
            line = lines[row - 1]
            if not line.isascii():
                continue  # The columns of `ast` are bytes.
            after = (line[:start] + text + line[end:]).strip()
            if own.count(line.strip()) == 1 and after != line.strip():
                out.setdefault((row, fault, after), Mutant(file, name, fault, line.strip(), after))
    return list(out.values())


def _span(function: ast.AST) -> tuple[int, int]:
    """From which line of the file to before which one a function goes, its decorators included."""
    first = min([function.lineno, *(d.lineno for d in function.decorator_list)])  # type: ignore[attr-defined]
    return first - 1, function.end_lineno  # type: ignore[attr-defined]


def _edits(function: ast.AST, lines: list[str]) -> Iterator[Edit]:
    for node in _code(function):
        if isinstance(node, ast.Compare):
            for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
                yield from _between("comparison", left, right, op, lines)
        elif isinstance(node, ast.BinOp):
            yield from _between("arithmetic", node.left, node.right, node.op, lines)
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from _between("and and or", left, right, node.op, lines)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            changed = (not node.value) if isinstance(node.value, bool) else node.value + 1
            yield from _whole("constant", node, node, str(changed))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield from _whole("dropped not", node, node, _text(node.operand, lines))
        elif isinstance(node, ast.If) and any(isinstance(n, ast.Raise) for n in node.body):
            yield from _whole("dropped check", node.test, node.test, "False")
        elif isinstance(node, ast.Call):
            yield from _of_call(node, lines)


def _of_call(node: ast.Call, lines: list[str]) -> Iterator[Edit]:
    called = node.func
    if len(node.args) > 1 and not any(isinstance(a, ast.Starred) for a in node.args[:2]):
        one, other = (_text(a, lines) for a in node.args[:2])
        if one and other:
            yield from _whole("swapped arguments", node.args[0], node.args[1], f"{other}, {one}")
    if isinstance(called, ast.Attribute) and called.attr in FORGOTTEN and (left := _text(called.value, lines)):
        yield from _whole(f"dropped {called.attr}", node, node, left)
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    if name in OPPOSITE and called.end_col_offset is not None and called.end_lineno is not None:
        yield "opposite", called.end_lineno, called.end_col_offset - len(name), called.end_col_offset, OPPOSITE[name]


def _text(node: ast.expr, lines: list[str]) -> str:
    """The text of what stands on one line; else none."""
    return lines[node.lineno - 1][node.col_offset : node.end_col_offset] if node.lineno == node.end_lineno else ""


def _between(fault: str, left: ast.expr, right: ast.expr, op: ast.AST, lines: list[str]) -> Iterator[Edit]:
    """A changed operator between two operands on one line."""
    if type(op) in FLIPPED and left.end_lineno == right.lineno and left.end_col_offset is not None:
        old, new = FLIPPED[type(op)]
        at = lines[right.lineno - 1].find(old, left.end_col_offset, right.col_offset)
        if at >= 0:
            yield fault, right.lineno, at, at + len(old), new


def _whole(fault: str, first: ast.expr, last: ast.expr, text: str) -> Iterator[Edit]:
    """Another text for nodes on one line."""
    if text and first.lineno == last.end_lineno and last.end_col_offset is not None:
        yield fault, first.lineno, first.col_offset, last.end_col_offset, text


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """What runs, without annotations, functions inside, and what is only written in an error."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            inner = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Raise | ast.JoinedStr
            if isinstance(child, ast.AST) and not isinstance(child, inner):
                yield child
                yield from _code(child)


def put(mutant: Mutant, package: Path) -> tuple[Path, str] | None:
    """The file that the fault is in, wherever it was moved to in the package, and its text with the fault.

    None if no function of that name, or several, have the line.
    """
    root, last = package.parent, mutant.function.rpartition(".")[2]
    here = root / mutant.file
    places = [here] if here.exists() else []
    found = [(p, text) for p in places if (text := _changed(mutant, p.read_text("utf-8"), mutant.function))]
    if not found:
        texts = {p: p.read_text("utf-8") for p in sorted(package.rglob("*.py"))}
        found = [
            (path, changed)
            for path, text in texts.items()
            if mutant.before in text
            for name in functions(ast.parse(text))
            if name.rpartition(".")[2] == last and (changed := _changed(mutant, text, name))
        ]
    return found[0] if len(found) == 1 else None


def _changed(mutant: Mutant, source: str, function: str) -> str | None:
    """The text with the fault, where that function has its line once."""
    node, lines = functions(ast.parse(source)).get(function), source.splitlines(keepends=True)
    if not node or not function:
        return None
    first, last = _span(node)
    at = [i for i in range(first, last) if lines[i].strip() == mutant.before]
    if len(at) != 1:
        return None
    lines[at[0]] = lines[at[0]].replace(mutant.before, mutant.after)
    return "".join(lines)
