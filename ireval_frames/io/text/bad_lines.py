"""The lines of a file that do not parse, in one error."""

from __future__ import annotations

from ireval_frames.errors import Hint, MalformedFile

SHOWN = 10
WIDTH = 100


class BadLines:
    """Bad lines of a file: the first ten with their text, the others counted."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        self._shown: list[str] = []
        self._hints: list[str] = []

    def add(self, number: int, line: bytes, wrong: str, hint: str = "") -> None:
        """Add a bad line.

        Args:
            number: the line's number in the file, from 1.
            line: its bytes.
            wrong: what is wrong with it.
            hint: what to do, shown once per error.
        """
        self.count += 1
        if self.count > SHOWN:
            return
        self._shown.append(f"line {number}: {wrong}: '{legible(line)}'")
        if hint and hint not in self._hints:
            self._hints.append(hint)

    def error(self) -> MalformedFile:
        """One error for all bad lines."""
        hint = Hint(*[part for hint in self._hints for part in ("\n  ", *getattr(hint, "parts", (hint,)))][1:])
        if self.count == 1:
            return MalformedFile(f"{self.name}, {self._shown[0]}", hint)
        more = [f"... and {self.count - SHOWN} more"] if self.count > SHOWN else []
        return MalformedFile(
            "\n    ".join([f"{self.name}: {self.count} lines do not parse:", *self._shown, *more]), hint
        )


def legible(line: bytes, width: int = WIDTH) -> str:
    """A line as printable text, bytes that are not UTF-8 and control characters escaped, cut to a width."""
    text = line[: 4 * width].rstrip(b"\r\n").decode("utf-8", "backslashreplace")
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return text if len(text) <= width else text[: width - 3] + "..."
