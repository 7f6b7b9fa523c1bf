"""Values of measures' parameters as texts and errors write them."""

from __future__ import annotations

from typing import Any

from ireval_frames.parameters import Parameter


def example(parameter: Parameter) -> str:
    """A value that may be written after the `@`."""
    for value in (10, 0.5):
        try:
            return str(parameter.convert(value))
        except ValueError:
            continue
    return "…"


def shown(value: Any) -> str:
    """A value as an error shows it: long ones cut."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write integers of thousands of digits.
        text = f"of type {type(value).__name__}"
    return text if len(text) <= 100 else f"{text[:97]}…"


def literal(value: Any) -> str:
    """A value as it is written: mappings are kept as pairs."""
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return "{" + ", ".join(f"{k!r}: {literal(v)}" for k, v in value) + "}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)
