"""The hints of errors as this command writes them: options instead of arguments."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping

from ireval_frames.errors import Argument, Hint

# Arguments whose option has another name, and takes one value at a time.
NAMED = {"probabilities": "probability", "columns": "column", "storage_options": "storage-option"}
# Lists that one option takes, with commas between.
JOINED = ("features", "categories", "raters")


def rendered(hint: str, options: Collection[str]) -> str:
    """A hint, its arguments as options where the command has them, such as `--positive yes`."""
    return hint.rendered(lambda argument: option(argument, options)) if isinstance(hint, Hint) else hint


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
