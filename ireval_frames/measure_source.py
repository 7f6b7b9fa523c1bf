"""The source of a measure's function, and what it returns, for errors."""

from __future__ import annotations

import ast
import inspect
import textwrap
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ireval_frames import expr
from ireval_frames.errors import nearest

# Libraries in whose expressions a measure may have been written.
_OTHERS = ("narwhals", "polars")


def place(function: Callable[..., Any], error: BaseException | None) -> str:
    """The file and line of a function; of an error that it raises, the last line of its file that was called."""
    code = getattr(_undecorated(function), "__code__", None)
    if code is None:
        return repr(function)
    frames = traceback.walk_tb(error.__traceback__ if error else None)
    lines = [line for frame, line in frames if frame.f_code.co_filename == code.co_filename]
    return f"{code.co_filename}:{lines[-1] if lines else code.co_firstlineno}"


def in_our_expressions(function: Callable[..., Any]) -> str:
    """What to write where a function returns an expression of another library; nothing where that is not seen."""
    function = _undecorated(function)
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, RecursionError):
        return ""
    returned = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None]
    ours = _Ours(getattr(function, "__globals__", {}))
    lines = [f"return {ast.unparse(ours.visit(value))}" for value in returned]
    if not ours.words:
        return ""
    return f"Write it as: {'; '.join(lines)}\nwith: from ireval_frames.expr import {', '.join(sorted(ours.words))}"


class _Ours(ast.NodeTransformer):
    """`col("n")` as `col("n")`, whatever the module is called."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names
        self.words: set[str] = set()

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """An attribute of a module."""
        self.generic_visit(node)
        of = self._names.get(node.value.id) if isinstance(node.value, ast.Name) else None
        foreign = isinstance(of, ModuleType) and of.__name__.partition(".")[0] in _OTHERS
        if not foreign or node.attr not in expr.__all__:
            return node
        self.words.add(node.attr)
        return ast.Name(node.attr)


def _undecorated(function: Callable[..., Any]) -> Any:
    """The function as it was written, without its decorators."""
    return inspect.unwrap(getattr(function, "func", function))


def meant(error: Exception, context: Any) -> str:
    """The attribute of the context that was meant; nothing where another error was raised."""
    if not isinstance(error, AttributeError) or error.obj is not context:
        return ""
    return nearest(error.name, (name for name in dir(context) if not name.startswith("_")))
