"""Which tests stay on one worker: those of a suite of the contract kit, of a half of what asks Spark, and of a file.

What they share (evaluations, oracles, tables, Spark's session) is made once then.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

from tests import spark
from tests.contract import kit


class Sharing(LoadScopeScheduling):
    """Hands out Spark, suites and files, in their order."""

    def _split_scope(self, nodeid: str) -> str:
        if spark.uses_session(nodeid):
            # Two sessions beside each other; the catalog takes about as long as all the rest, of which the tests that
            # end the session come last.
            return "spark, catalog" if nodeid.startswith("tests/contract/") else "spark"
        file, _, case = nodeid.partition("[")
        if file.startswith("tests/contract/"):
            for suite in kit.all_suites():
                if case.startswith((f"{suite}-", f"{suite}]")):
                    return str(suite)
        return file.partition("::")[0]
