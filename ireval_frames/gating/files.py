"""Rules from a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ireval_frames.errors import FileError, MalformedFile, UnknownName, nearest
from ireval_frames.gating.rules import rules_of

# What a file may say besides its rules: arguments of `ir.gate`.
OPTIONS = ("by", "cluster", "confidence", "lower_is_better", "test")


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
        InvalidParameter: a rule is none.
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
            raise UnknownName(f"{path} says {name!r}.", nearest(name, (*OPTIONS, "rules", "rule")))
    both = [part for part in (said.pop("rules", []), said.pop("rule", [])) if part]
    return {**said, "rules": rules_of(both)}
