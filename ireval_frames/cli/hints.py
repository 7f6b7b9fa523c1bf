"""The hints of errors in words of the command line: options instead of arguments, commands instead of calls."""

from __future__ import annotations

import ast
import functools
import re
import shlex
from collections.abc import Collection, Iterator, Mapping

from ireval_frames.errors import Argument, Code, Hint

# Arguments whose option has another name, and takes one value at a time.
RENAMED = {
    "probabilities": "probability", "soft_labels": "soft-label", "columns": "column",
    "storage_options": "storage-option", "measures": "measure",
}  # fmt: skip
# Lists that an option takes comma-separated.
JOINED = (
    "features",
    "categories",
    "raters",
    "looks",
    "normal",
    "beta",
    "prior",
    "grades",
    "runs",
    "strata",
    "on",
    "undirected",
)
# Calls that are commands.
COMMANDS = {
    r"store\.(runs|evaluations)\(\)": "ireval store list",
    r"store\.check\(\)": "ireval store check",
    r"store\.compact\(\)": "ireval store compact",
    r'store\.sql\("(.*?)"\)': r'ireval store sql "\1"',
    r'store\.tag\("main", id\)': "ireval store tag main ID",
    r"store\.keep\(.*?\)": "ireval store add QRELS RUN… --keep",
    r"log\.check\(\)": "ireval clicks check LOG",
    r"ir\.gate\(baseline, candidate, rules\)": "ireval gate --baseline FILE --candidate FILE",
    r"ir\.evaluate\(qrels, run, measures\)": "ireval evaluate QRELS RUN -m MEASURE",
    r'ir\.evaluate\(qrels, run, "(.*?)"\)': r'ireval evaluate QRELS RUN -m "\1"',
    r'ir\.Impressions\(…\)\.evaluate\("(.*?)"\)': r'ireval clicks evaluate LOG "\1"',
}
# Words that mean nothing without the code after them.
INTRODUCTIONS = ("Write", "Say so", "Say which")
# The separators of the parts of a hint: sentences and alternatives.
_SEPARATOR = re.compile(r"\. (?=[A-Z])|; |, or (?!more)|\.$")
_CALL = re.compile(r"\b[a-z_]\w*\.[a-z_]\w*\(|\blambda\b|^@|\b(?:pl|ir|nw)\.\w|con ?= ?")
_KEYWORD = re.compile(
    r"(?<![\w.-])(?P<name>[a-z_]+)=(?P<value>True|False|None|float|\"[^\"]*\"|'[^']*'|\[.*?\]|\{.*?\}|\(.*?\)|-?[\d.]+\w*)"
)
# Measures, and options with their values, which are not Python.
_NOT_PYTHON = re.compile(r"(?<![\w.])[A-Z]\w*(?<!Policy)\([^()]*\)(?:@\d+)?|--[\w-]+(?: |=)(?:\"[^\"]*\"|'[^']*'|\S+)")


def rendered(hint: str, options: Collection[str]) -> str:
    """A hint without Python: arguments are options, such as `--positive yes`, if the command has them."""
    text = hint.rendered(lambda part: render_part(part, options)) if isinstance(hint, Hint) else str(hint)
    parts: list[str] = []
    for part, end in _parts(commands(text)):
        text = _KEYWORD.sub(lambda match: _render_keyword(match, options), part) if is_python(part) else part
        if not is_python(text):
            parts += [text, end]
            continue
        # The words before code that cannot be rendered stay, if they mean something without it; a condition does not.
        words, _, code = text.partition(": ")
        is_meant = words not in INTRODUCTIONS and not words.startswith("If ")
        if code and is_meant and not is_python(words) and not any(sign in words for sign in "([{"):
            parts += [words, end or "."]
    return "".join(parts).strip().removesuffix(", or").removesuffix(";")


def commands(text: str) -> str:
    """A text with commands in place of the equivalent calls."""
    for call, command in COMMANDS.items():
        text = re.sub(call, command, text)
    return text


def is_python(text: str) -> bool:
    """Whether a text has a call or an argument of Python; measures, their parameters, and options are none."""
    rest = _NOT_PYTHON.sub("", text)
    names = [match["name"] for match in _KEYWORD.finditer(rest)]
    return bool(_CALL.search(rest) or (names and not {*names} <= _measure_parameters()))


@functools.cache
def _measure_parameters() -> frozenset[str]:
    """The names of the parameters of measures, which are the same in Python and on the command line: `P(rel=2)`."""
    from ireval_frames import catalog

    return frozenset(name for one in catalog.definitions() for name in one.parameters)


def render_part(part: Argument | Code, options: Collection[str]) -> str:
    """An argument as an option of the command, or in Python if the command has none; code in words."""
    return part.words if isinstance(part, Code) else option(part, options)


def option(argument: Argument, options: Collection[str]) -> str:
    """An argument as an option of the command, or in Python if the command has none."""
    name, value = argument.option or (RENAMED.get(argument.name, argument.name), argument.value)
    word = "--" + name.replace("_", "-")
    table, _, is_format = name.rpartition("-")
    if word not in options and is_format == "format" and "--kind" in options:
        return f"--kind {table} --format {value}"
    if word not in options and name == "column" and isinstance(value, Mapping):
        return ", ".join(f"write {ours} in place of {theirs}" for ours, theirs in value.items())
    if word not in options:
        return str(argument)
    if value is True:
        return word
    if isinstance(value, Mapping):
        return " ".join(f"{word} {shlex.quote(f'{k}={v}')}" for k, v in value.items())
    values = list(value) if isinstance(value, list | tuple) else [value]
    if name in JOINED:
        values = [",".join(map(str, values))]
    return " ".join(f"{word} {shlex.quote(str(v))}" for v in values)


def _render_keyword(match: re.Match[str], options: Collection[str]) -> str:
    """An argument in a text as an option, if the command has it."""
    try:
        value = ast.literal_eval(match["value"])
    except (SyntaxError, ValueError, RecursionError):
        return match[0]
    return option(Argument(match["name"], value, written=match[0].replace("{", "{{").replace("}", "}}")), options)


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """The sentences and alternatives of a text, each with its end; separators in brackets and quotes do not count."""
    start = depth = 0
    quote = ""
    for i, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign == '"' or (sign == "'" and (i == 0 or not text[i - 1].isalnum())):
            quote = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif depth == 0 and (end := _SEPARATOR.match(text, i)):
            yield text[start:i], end[0]
            start = end.end()
    if start < len(text):
        yield text[start:], ""
