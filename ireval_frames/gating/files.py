"""Rules from a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ireval_frames.errors import FileError, InvalidParameter, MalformedFile, UnknownName, nearest
from ireval_frames.gating.rules import Rule, rules_of

# What a file may say besides its rules, arguments of `ir.gate`: the types, in words, and a line to write.
OPTIONS: dict[str, tuple[Any, str, str]] = {
    "by": ((str, list), "a column or a list of them", 'by = ["lang"]'),
    "cluster": (str, "a column", 'cluster = "user_id"'),
    "confidence": (float, "a number between 0 and 1", "confidence = 0.95"),
    "lower_is_better": ((str, list), "a measure or a list of them", 'lower_is_better = ["latency"]'),
    "test": (str, "auto, t or randomization", 'test = "auto"'),
}


def read_rules(path: str | Path) -> dict[str, Any]:
    """The rules of a TOML file, and the arguments of `ir.gate` that it names.

    ```
    confidence = 0.95
    by = ["lang"]
    rules = ["no harm over all units", "nDCG@10 drop <= 0.05 in each segment"]

    [[rule]]
    rule = "AP not worse by 0.02"
    undecided = "passes"
    ```

    Raises:
        FileError: there is no such file.
        MalformedFile: it is no TOML.
        UnknownName: it says what gates do not have.
        InvalidParameter: a rule is none, or a value has another type.
    """
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}.", "Name a TOML file of rules.") from None
    except UnicodeDecodeError:
        raise MalformedFile(f"{path} is not UTF-8 text.", "Name a TOML file of rules.") from None
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MalformedFile(f"{path} is no TOML: {error}.", 'Write, for example, rules = ["no harm"]') from None
    for name in said:
        if name not in (*OPTIONS, "rules", "rule"):
            raise UnknownName(f"{_place(path, text, name)} says {name!r}.", nearest(name, (*OPTIONS, "rules", "rule")))
    for name, (kinds, allowed, line) in OPTIONS.items():
        if name in said and not (isinstance(said[name], kinds) and not isinstance(said[name], bool)):
            raise InvalidParameter(
                f"{_place(path, text, name)}: {name} is {said[name]!r}; it is {allowed}.", f"Write {line}"
            )
        if isinstance(said.get(name), list) and not all(isinstance(one, str) for one in said[name]):
            raise InvalidParameter(
                f"{_place(path, text, name)}: {name} is {said[name]!r}; it is {allowed}.", f"Write {line}"
            )
    found = [rule for name in ("rules", "rule") for rule in _rules(path, text, name, said.pop(name, []))]
    if not found:
        raise InvalidParameter(f"{path} names no rule.", 'Write rules = ["no harm"]')
    return {**said, "rules": rules_of(found)}


def _rules(path: str | Path, text: str, name: str, given: Any) -> list[Rule]:
    """The rules that stand under a name.

    Raises:
        InvalidParameter, UnknownName: one is none; the error says its line.
    """
    out: list[Rule] = []
    for part in given if isinstance(given, list) else [given]:
        try:
            out += rules_of(part)
        except (InvalidParameter, UnknownName) as error:
            of = part.get("rule", name) if isinstance(part, dict) else part
            place = _place(path, text, of if isinstance(of, str) else name)
            raise type(error)(f"{place}: {error.what}", error.hint) from None
    return out


def _place(path: str | Path, text: str, sought: str) -> str:
    """The file, and the line where a name or a text stands first."""
    for number, line in enumerate(text.splitlines(), start=1):
        name = line.partition("=")[0].strip().strip("\"'[]")
        if name == sought or f'"{sought}"' in line or f"'{sought}'" in line:
            return f"{path}, line {number}"
    return str(path)
