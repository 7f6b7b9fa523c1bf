"""A family's conventions as a value: fields that hold one of a few choices, each with its sentence and its source."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ireval_frames.errors import Argument, Hint, InvalidParameter, UnknownName, nearest

Value = str | int | None
# The source of a convention that no other tool has.
OURS = "ireval-frames"


@dataclass(frozen=True)
class Choice:
    """What a field may hold, what that means, and who does it so."""

    value: Value
    sentence: str
    source: str

    @property
    def text(self) -> str:
        """The value as policies write it in text."""
        return written(self.value)


def one_of(default: Choice, *others: Choice) -> Any:
    """A field that has one of these values."""
    return dataclasses.field(default=default.value, metadata={"choices": (default, *others)})


def whole_or(default: Choice, number: Choice) -> Any:
    """A field that is the default or a whole number of at least 1, which replaces `{}` in the sentence."""
    return dataclasses.field(default=default.value, metadata={"choices": (default,), "number": number})


def known_units() -> Any:
    """The field `units`: what becomes of rows whose unit is null."""
    return one_of(
        Choice("error", "Rows without a unit are an error: those that are null would be one unit.", OURS),
        Choice("drop-null", "Rows without a unit are left out.", "SQL, inner join"),
    )


def of_two_tables() -> Any:
    """The field `overlap` of families that read two tables of the same ids."""
    return one_of(
        Choice("error", "Tables without an id in common are an error; tables with few give a warning.", OURS),
        Choice("allow", "Tables with few ids in common, or none, are evaluated without a warning.", "ir_measures"),
    )


def written(value: Value) -> str:
    """A value as policies write it in text: None is `null`."""
    return "null" if value is None else str(value)


@dataclass(frozen=True)
class Conventions:
    """A family's conventions.  In Python numbers are numbers and None is None; in text they are `0` and `null`."""

    presets: ClassVar[dict[str, Any]] = {}

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, self._choice(field).value)

    @classmethod
    def named(cls, preset: str) -> Self:
        """The preset of that name.

        Raises:
            UnknownName: there is no such preset.
        """
        if preset not in cls.presets:
            raise UnknownName(f"There is no policy preset {preset!r}.", nearest(preset, cls.presets))
        policy: Self = cls.presets[preset]
        return policy

    @classmethod
    def of(cls, policy: Self | str | Mapping[str, Any] | None) -> Self:
        """A policy from a policy, a text (a preset, `field=value`, or several with commas between), a mapping, or None.

        None is the default.

        Raises:
            UnknownName: no such preset or field.
            InvalidParameter: a value that a field does not allow, or another family's policy.
        """
        if policy is None:
            return cls._default()
        if isinstance(policy, Conventions):
            if not isinstance(policy, cls):
                raise InvalidParameter(
                    f"The policy is of type {type(policy).__name__}; here it must be of type {cls.__name__}.",
                    f"Write {cls.__name__}(…).",
                )
            return policy
        if not isinstance(policy, str | Mapping):
            raise InvalidParameter(
                f"policy is {policy!r}, which is not a policy.", f"Write {cls.__name__}(…), or field=value as text."
            )
        return cls._parsed(policy) if isinstance(policy, str) else cls().with_fields(dict(policy))

    @classmethod
    @functools.cache
    def _default(cls) -> Self:
        return cls()

    def with_fields(self, changes: dict[str, Any]) -> Self:
        """The policy with some fields changed."""
        known = [f.name for f in dataclasses.fields(self)]
        for name in changes:
            if name not in known:
                raise UnknownName(f"{type(self).__name__} has no field {name!r}.", nearest(name, known))
        return dataclasses.replace(self, **changes)

    def described(self) -> list[tuple[str, Value, str, str]]:
        """Each field with its value, and the sentence and the source of that value."""
        return list(self._described)

    @functools.cached_property
    def _described(self) -> list[tuple[str, Value, str, str]]:
        choices = [(f.name, self._choice(f)) for f in dataclasses.fields(self)]
        return [(name, c.value, c.sentence, c.source) for name, c in choices]

    @classmethod
    def choices(cls) -> dict[str, tuple[Choice, ...]]:
        """What each field may hold, the default first; a field of numbers ends in one for `N`."""
        out = {}
        for field in dataclasses.fields(cls):
            number = field.metadata.get("number")
            out[field.name] = (*field.metadata["choices"], *([_numbered(number, "N")] if number else []))
        return out

    def _choice(self, field: dataclasses.Field[Any]) -> Choice:
        """The choice of a field.

        Raises:
            InvalidParameter: its value is none of them.
        """
        value, number = getattr(self, field.name), field.metadata.get("number")
        if not isinstance(value, bool):
            for choice in field.metadata["choices"]:
                if choice.value == value:
                    out: Choice = choice
                    return out
            if number and isinstance(value, int) and value >= 1:
                return _numbered(number, value)
        raise _refused(type(self).__name__, field, value)

    @classmethod
    def _parsed(cls, text: str) -> Self:
        """`preset`, `field=value,…` or `preset,field=value,…`."""
        policy = cls()
        fields = {f.name: f for f in dataclasses.fields(cls)}
        for part in filter(None, (p.strip() for p in text.split(","))):
            name, equals, value = (p.strip() for p in part.partition("="))
            if not equals:
                policy = cls.named(name)
            else:
                policy = policy.with_fields({name: _read(fields[name], value) if name in fields else value})
        return policy


def _read(field: dataclasses.Field[Any], text: str) -> Any:
    """The value that a text writes, if the field has it; else the text, which is refused then."""
    known = {c.text: c.value for c in field.metadata["choices"]}
    if text in known:
        return known[text]
    if text == "None" and None in known.values():
        return None
    return int(text) if "number" in field.metadata and text.isdecimal() and len(text) < 19 else text


def _numbered(number: Choice, value: Value) -> Choice:
    return Choice(value, number.sentence.format(value), number.source)


def _refused(policy: str, field: dataclasses.Field[Any], value: Any) -> InvalidParameter:
    choices = field.metadata["choices"]
    allowed = ", ".join(c.text for c in choices)
    example = next((c.value for c in choices if c.text == value), choices[0].value)
    if "number" in field.metadata:
        allowed, example = f"{allowed}, or a whole number of at least 1", 1000
    line = Argument(field.name, example, f"{policy}({{}})", ("policy", f"{field.name}={written(example)}"))
    return InvalidParameter(f"Policy {field.name} is {value!r}; allowed: {allowed}.", Hint("Write ", line, "."))
