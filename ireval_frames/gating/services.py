"""What did not pass, in the commands that services of continuous integration read from the output.

GitHub: docs.github.com, Workflow commands.  Azure: Microsoft, Logging commands.  TeamCity: JetBrains, Service messages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from ireval_frames.errors import UnknownName, nearest
from ireval_frames.escaping import plain
from ireval_frames.gating.facts import Fact
from ireval_frames.gating.telling import Told

# GitHub shows ten of a kind per step, and silently no more.
MOST = 9


def lines(told: Told, service: str) -> str:
    """The commands, a line each, and what is not shown counted; empty if all passed.

    Raises:
        UnknownName: there is no such service.
    """
    if service not in SERVICES:
        raise UnknownName(f"There are no annotations for {service!r}.", nearest(str(service), SERVICES))
    write = SERVICES[service]
    bad = [one for one in told.ordered if not one.values["passed"]]
    shown = [(f"gate: {one.title}", _message(one)) for one in bad[:MOST]]
    if more := len(bad) - MOST:
        shown += [("gate", f"{more} more rules did not pass")] if more > 0 else []
    return "".join(f"{write(title, message)}\n" for title, message in shown)


def _message(one: Fact) -> str:
    return f"{one.verdict}, {plain(one.values['candidate'])}: {plain(one.values['reason'])}"


def _github(title: str, message: str) -> str:
    return f"::error title={_percent(title, ':,')}::{_percent(message)}"


def _percent(text: str, signs: str = "") -> str:
    return "".join(f"%{ord(c):02X}" if c in f"%\r\n{signs}" else c for c in text)


def _azure(title: str, message: str) -> str:
    text = f"{title}: {message}".replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")
    return f"##vso[task.logissue type=error;]{text}"


def _teamcity(title: str, message: str) -> str:
    identity = "ireval_" + hashlib.sha256(title.encode()).hexdigest()[:16]
    return f"##teamcity[buildProblem description='{_barred(f'{title}: {message}'[:3900])}' identity='{identity}']"


def _barred(text: str) -> str:
    """Text with TeamCity's escapes."""
    signs = {"|": "||", "'": "|'", "[": "|[", "]": "|]", "\n": "|n", "\r": "|r"}
    return "".join(signs.get(c, c if ord(c) < 128 else _unicode(c)) for c in text)


def _unicode(sign: str) -> str:
    """The sign by its 16-bit units."""
    units = sign.encode("utf-16-be")
    return "".join(f"|0x{units[i]:02X}{units[i + 1]:02X}" for i in range(0, len(units), 2))


SERVICES: dict[str, Callable[[str, str], str]] = {"github": _github, "azure": _azure, "teamcity": _teamcity}
