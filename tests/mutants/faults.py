"""Small faults of a line of code, and how they are applied, also after the line was moved.

A fault changes one line, and is stored as file, function, the line before and the line after: it applies wherever a
function of that name still has that line.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from pathlib import Path

SWAPPED_OPERATORS = {
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
# Names of opposites.
OPPOSITE = {"min": "max", "max": "min", "is_null": "is_not_null", "is_not_null": "is_null", "any": "all", "all": "any"}
# Calls that are replaced by their receiver.
DROPPED_CALLS = ("fill_null", "drop_nulls", "fill_nan", "unique", "filter")
Edit = tuple[str, int, int, int, str]
"""The fault, its row, its first and end column, and the new text."""
# Methods that only write text.
TEXT_METHODS = ("__repr__", "__str__", "_repr_html_")


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A fault: a line of a function, and its changed text."""

    file: str
    function: str
    fault: str
    before: str
    after: str
    caught_by: str | None = None
    """The test that fails, `ESCAPED`, or None if it was not tried."""

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
    """All faults of lines that are unique in their function."""
    lines, out = source.splitlines(), {}
    for name, node in functions(ast.parse(source)).items():
        if not name or name.rpartition(".")[2] in TEXT_METHODS:
            continue
        first, last = _span(node)
        own = [line.strip() for line in lines[first:last]]
        for fault, row, start, end, text in _edits(node, lines):
            line = lines[row - 1]
            if not line.isascii():
                continue  # Columns of `ast` are in bytes.
            after = (line[:start] + text + line[end:]).strip()
            if own.count(line.strip()) == 1 and after != line.strip():
                out.setdefault((row, fault, after), Mutant(file, name, fault, line.strip(), after))
    return list(out.values())


def _span(function: ast.AST) -> tuple[int, int]:
    """The first and end line of a function with its decorators."""
    first = min([function.lineno, *(d.lineno for d in function.decorator_list)])  # type: ignore[attr-defined]
    return first - 1, function.end_lineno  # type: ignore[attr-defined]


def _edits(function: ast.AST, lines: list[str]) -> Iterator[Edit]:
    for node in _code(function):
        if isinstance(node, ast.Compare):
            for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
                yield from _operator("comparison", left, right, op, lines)
        elif isinstance(node, ast.BinOp):
            yield from _operator("arithmetic", node.left, node.right, node.op, lines)
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from _operator("and and or", left, right, node.op, lines)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            changed = (not node.value) if isinstance(node.value, bool) else node.value + 1
            yield from _replace("constant", node, node, str(changed))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield from _replace("dropped not", node, node, _text(node.operand, lines))
        elif isinstance(node, ast.If) and any(isinstance(n, ast.Raise) for n in node.body):
            yield from _replace("dropped check", node.test, node.test, "False")
        elif isinstance(node, ast.Call):
            yield from _of_call(node, lines)


def _of_call(node: ast.Call, lines: list[str]) -> Iterator[Edit]:
    called = node.func
    if len(node.args) > 1 and not any(isinstance(a, ast.Starred) for a in node.args[:2]):
        first, second = (_text(a, lines) for a in node.args[:2])
        if first and second:
            yield from _replace("swapped arguments", node.args[0], node.args[1], f"{second}, {first}")
    if isinstance(called, ast.Attribute) and called.attr in DROPPED_CALLS and (receiver := _text(called.value, lines)):
        yield from _replace(f"dropped {called.attr}", node, node, receiver)
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    if name in OPPOSITE and called.end_col_offset is not None and called.end_lineno is not None:
        yield "opposite", called.end_lineno, called.end_col_offset - len(name), called.end_col_offset, OPPOSITE[name]


def _text(node: ast.expr, lines: list[str]) -> str:
    """The text of a node on one line, else an empty text."""
    return lines[node.lineno - 1][node.col_offset : node.end_col_offset] if node.lineno == node.end_lineno else ""


def _operator(fault: str, left: ast.expr, right: ast.expr, op: ast.AST, lines: list[str]) -> Iterator[Edit]:
    """A changed operator between two operands on one line."""
    if type(op) in SWAPPED_OPERATORS and left.end_lineno == right.lineno and left.end_col_offset is not None:
        old, new = SWAPPED_OPERATORS[type(op)]
        at = lines[right.lineno - 1].find(old, left.end_col_offset, right.col_offset)
        if at >= 0:
            yield fault, right.lineno, at, at + len(old), new


def _replace(fault: str, first: ast.expr, last: ast.expr, text: str) -> Iterator[Edit]:
    """A new text for nodes on one line."""
    if text and first.lineno == last.end_lineno and last.end_col_offset is not None:
        yield fault, first.lineno, first.col_offset, last.end_col_offset, text


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes that are executed, without annotations, inner functions and error texts."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            inner = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Raise | ast.JoinedStr
            if isinstance(child, ast.AST) and not isinstance(child, inner):
                yield child
                yield from _code(child)


def apply(mutant: Mutant, package: Path) -> tuple[Path, str] | None:
    """The file of the fault, also if it was moved in the package, and its text with the fault.

    None if no function of that name has the line, or several have.
    """
    root, last = package.parent, mutant.function.rpartition(".")[2]
    current = root / mutant.file
    paths = [current] if current.exists() else []
    changed_files = [(p, text) for p in paths if (text := _changed(mutant, p.read_text("utf-8"), mutant.function))]
    if not changed_files:
        texts = {p: p.read_text("utf-8") for p in sorted(package.rglob("*.py"))}
        changed_files = [
            (path, changed)
            for path, text in texts.items()
            if mutant.before in text
            for name in functions(ast.parse(text))
            if name.rpartition(".")[2] == last and (changed := _changed(mutant, text, name))
        ]
    return changed_files[0] if len(changed_files) == 1 else None


def _changed(mutant: Mutant, source: str, function: str) -> str | None:
    """The text with the fault, if the line is unique in the function."""
    node, lines = functions(ast.parse(source)).get(function), source.splitlines(keepends=True)
    if not node or not function:
        return None
    first, last = _span(node)
    at = [i for i in range(first, last) if lines[i].strip() == mutant.before]
    if len(at) != 1:
        return None
    lines[at[0]] = lines[at[0]].replace(mutant.before, mutant.after)
    return "".join(lines)
