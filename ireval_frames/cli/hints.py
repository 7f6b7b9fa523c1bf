"""The hints of errors as this command writes them: options instead of arguments, commands instead of calls."""

from __future__ import annotations

import ast
import functools
import re
import shlex
from collections.abc import Collection, Iterator, Mapping

from ireval_frames.errors import Argument, Code, Hint

# Arguments whose option has another name, and takes one value at a time.
NAMED = {
    "probabilities": "probability", "columns": "column", "storage_options": "storage-option", "measures": "measure",
}  # fmt: skip
# Lists that one option takes, with commas between.
JOINED = ("features", "categories", "raters", "looks", "normal", "beta", "prior", "grades", "runs", "strata")
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
}
# Words that say nothing without the code behind them.
WITHOUT_WORDS = ("Write", "Say so", "Say which")
# What stands between the parts of a hint: sentences, and ways out.
_BETWEEN = re.compile(r"\. (?=[A-Z])|; |, or (?!more)|\.$")
_CALL = re.compile(r"\b[a-z_]\w*\.[a-z_]\w*\(|\blambda\b|^@|\b(?:pl|ir|nw)\.\w|con ?= ?")
_KEYWORD = re.compile(
    r"(?<![\w.-])(?P<name>[a-z_]+)=(?P<value>True|False|None|float|\"[^\"]*\"|'[^']*'|\[.*?\]|\{.*?\}|\(.*?\)|-?[\d.]+\w*)"
)
# Measures, and the values of options, have their own words.
_OURS = re.compile(r"(?<![\w.])[A-Z]\w*(?<!Policy)\([^()]*\)(?:@\d+)?|--[\w-]+(?: |=)(?:\"[^\"]*\"|'[^']*'|\S+)")


def rendered(hint: str, options: Collection[str]) -> str:
    """A hint, its arguments as options where the command has them, such as `--positive yes`; no Python is left."""
    text = hint.rendered(lambda part: written(part, options)) if isinstance(hint, Hint) else str(hint)
    kept: list[str] = []
    for part, end in _parts(commands(text)):
        said = _KEYWORD.sub(lambda found: _said(found, options), part) if is_python(part) else part
        if not is_python(said):
            kept += [said, end]
            continue
        # What to do is said in words before the code, or not at all.
        words, _, code = said.partition(": ")
        if code and not is_python(words) and words not in WITHOUT_WORDS and not any(sign in words for sign in "([{"):
            kept += [words, end or "."]
    return "".join(kept).strip().removesuffix(", or").removesuffix(";")


def commands(text: str) -> str:
    """A text with the commands in place of the calls that do the same."""
    for call, command in COMMANDS.items():
        text = re.sub(call, command, text)
    return text


def is_python(text: str) -> bool:
    """Whether a text holds a call or an argument of Python; measures, their parameters, and options are none."""
    rest = _OURS.sub("", text)
    given = [found["name"] for found in _KEYWORD.finditer(rest)]
    return bool(_CALL.search(rest) or (given and not {*given} <= _of_measures()))


@functools.cache
def _of_measures() -> frozenset[str]:
    """The names of the parameters of measures, which are written the same everywhere: `P(rel=2)`."""
    from ireval_frames import catalog

    return frozenset(name for one in catalog.definitions() for name in one.parameters)


def written(part: Argument | Code, options: Collection[str]) -> str:
    """An argument as an option of the command, or as Python writes it if the command has none; code in words."""
    return part.words if isinstance(part, Code) else option(part, options)


def option(argument: Argument, options: Collection[str]) -> str:
    """An argument as an option of the command, or as Python writes it if the command has none."""
    name, value = argument.option or (NAMED.get(argument.name, argument.name), argument.value)
    word = "--" + name.replace("_", "-")
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


def _said(found: re.Match[str], options: Collection[str]) -> str:
    """An argument in a text as an option, where the command has it."""
    try:
        value = ast.literal_eval(found["value"])
    except (SyntaxError, ValueError, RecursionError):
        return found[0]
    return option(Argument(found["name"], value, written=found[0].replace("{", "{{").replace("}", "}}")), options)


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """What stands between the ends of sentences and ways out, outside brackets and quotes, with these ends."""
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
        elif depth == 0 and (end := _BETWEEN.match(text, i)):
            yield text[start:i], end[0]
            start = end.end()
    if start < len(text):
        yield text[start:], ""
