"""A store as a page in the browser: its tables, with the views and macros that `store.sql` has."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ireval_frames.browser import PageTable, TablesPage, write_page
from ireval_frames.engines.quoting import string
from ireval_frames.store import frames
from ireval_frames.store.folder import files
from ireval_frames.store.folder.files import Listing
from ireval_frames.store.tables import TABLES
from ireval_frames.store.views import statements

# The parts of a flat JSON object: a text, and any value.
_TEXT = r'"(?:[^"\\]|\\.)*"'
_VALUE = rf'(?:{_TEXT}|\[[^\[\]]*\]|\{{[^{{}}]*\}}|[^",{{}}\[\]\s]+)'
# The page has no JSON: it is an extension of DuckDB, which would be loaded from another host.
TEXT_OF_JSON = (
    """CREATE MACRO text_of_json(value) AS CASE
WHEN value IN ('', 'null') THEN NULL
WHEN value[1] <> '"' THEN value
ELSE replace(replace(replace(replace(replace(replace(value[2:-2], '\\\\', chr(1)), '\\"', '"'), '\\/', '/'),
    '\\n', chr(10)), '\\t', chr(9)), chr(1), '\\')
END""",
    f"""CREATE MACRO "->>"(object, key) AS text_of_json(regexp_extract(object,
'^\\s*\\{{(?:\\s*{_TEXT}\\s*:\\s*{_VALUE}\\s*,)*?\\s*"'
|| regexp_escape(replace(replace(regexp_replace(key, '^\\$\\.', ''), '\\', '\\\\'), '"', '\\"'))
|| '"\\s*:\\s*({_VALUE})', 1))""",
)

# Evaluations of the same judgments and conventions have the same text.
CONDITIONS = f"""CREATE VIEW conditions AS
SELECT evaluation_id, policy || coalesce(judged, '') AS part
FROM evaluations LEFT JOIN (
    SELECT evaluation_id, string_agg(name || ' ' || digest_kind || ' ' || digest, ' ' ORDER BY name, digest) AS judged
    FROM (SELECT *, count(*) OVER (PARTITION BY evaluation_id) AS n FROM inputs)
    WHERE n > 1 AND name NOT IN ({", ".join(map(string, frames.ANSWERS))}) GROUP BY evaluation_id
) USING (evaluation_id)"""  # noqa: S608 - names of ours


def write_store_page(path: Path, folder: str | os.PathLike[str], title: str, **options: Any) -> Path:
    """Write the page of the store in a folder; the options are those of `write_page`."""
    return files.run(path, lambda listing: write_page(folder, _store_page(listing, title), **options))


def _store_page(listing: Listing, title: str) -> TablesPage:
    """The page of a store: every table, and the leaderboard."""
    board = frames.leaderboard(listing, None, None)
    tables = [PageTable(name, f"A row is {table.description}.", listing.scan(name)) for name, table in TABLES.items()]
    tables.append(PageTable("leaderboard", "The last value of every run, the best first.", board))
    # The page shows what is small before it has loaded what is not.
    tables.sort(key=lambda table: table.name in ("values", "units"))
    return TablesPage(title, "store", tables, (*TEXT_OF_JSON, CONDITIONS, *statements()))
