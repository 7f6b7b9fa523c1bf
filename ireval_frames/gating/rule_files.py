"""Rules from a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ireval_frames.errors import FileError, InvalidParameter, MalformedFile, UnknownName, UsageError, nearest
from ireval_frames.gating.options import GateOptions
from ireval_frames.gating.rules import NO_LOSS, Rule, parse_rules

# The options of a gate that a file may set.
OPTIONS = ("by", "cluster", "confidence", "lower_is_better", "test")


def read_rules(path: str | Path) -> tuple[tuple[Rule, ...], dict[str, Any]]:
    """The rules of a TOML file, and the options of the gate that it sets.

    ```
    confidence = 0.95
    by = ["lang"]
    rules = ["no significant loss over all units", "nDCG@10 drop <= 0.05 in each segment"]

    [[rule]]
    rule = "AP non-inferior within 0.02"
    undecided = "passes"
    ```

    Raises:
        FileError: there is no such file.
        MalformedFile: it is not TOML.
        UnknownName: it has a key that gates do not have.
        InvalidParameter: a rule or a value is not allowed.
    """
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}.", "Name a TOML file of rules.") from None
    except UnicodeDecodeError:
        raise MalformedFile(f"{path} is not UTF-8 text.", "Name a TOML file of rules.") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MalformedFile(f"{path} is no TOML: {error}.", f'Write, for example, rules = ["{NO_LOSS}"]') from None
    known = (*OPTIONS, "rules", "rule")
    for name in values:
        if name not in known:
            raise UnknownName(f"{_line(path, text, name)} has {name!r}.", nearest(name, known))
    parameters = GateOptions.parameters()
    options = {name: values[name] for name in OPTIONS if name in values}
    for name, value in options.items():
        try:
            parameters[name].check(name, value)
        except UsageError as error:
            raise type(error)(f"{_line(path, text, name)}: {error.what}", error.hint) from None
    rules = [rule for name in ("rules", "rule") for rule in _rules(path, text, name, values.get(name, []))]
    if not rules:
        raise InvalidParameter(f"{path} names no rule.", f'Write rules = ["{NO_LOSS}"]')
    return parse_rules(rules), options


def _rules(path: str | Path, text: str, name: str, value: Any) -> list[Rule]:
    """The rules under a key.

    Raises:
        InvalidParameter, UnknownName: one is not a rule; the error names its line.
    """
    rules: list[Rule] = []
    for part in value if isinstance(value, list) else [value]:
        try:
            rules += parse_rules(part)
        except (InvalidParameter, UnknownName) as error:
            rule = part.get("rule", name) if isinstance(part, dict) else part
            line = _line(path, text, rule if isinstance(rule, str) else name)
            raise type(error)(f"{line}: {error.what}", error.hint) from None
    return rules


def _line(path: str | Path, text: str, key: str) -> str:
    """The file, and the first line with a key or a text."""
    for number, line in enumerate(text.splitlines(), start=1):
        name = line.partition("=")[0].strip().strip("\"'[]")
        if name == key or f'"{key}"' in line or f"'{key}'" in line:
            return f"{path}, line {number}"
    return str(path)
