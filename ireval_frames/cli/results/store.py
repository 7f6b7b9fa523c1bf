"""`ireval store`: evaluations kept in a folder, and read again."""

from __future__ import annotations

from ireval_frames.cli.options.command import group
from ireval_frames.cli.results import store_adding as adding
from ireval_frames.cli.results import store_reading as reading
from ireval_frames.cli.results import store_upkeep as upkeep
from ireval_frames.cli.results.store_examples import EXAMPLES

store = group(
    "store",
    "Keep evaluations in a folder, and read them again.",
    EXAMPLES,
    [
        adding.add, reading.list_, reading.show, reading.history, reading.leaderboard, reading.diff, reading.sql,
        reading.report, adding.import_, reading.export, adding.merge, upkeep.check, upkeep.compact, upkeep.tag,
        upkeep.remove, adding.keep, reading.findings,
    ],
)  # fmt: skip
