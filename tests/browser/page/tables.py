"""Tables of Polars in the page's database."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from typing import Any

import polars as pl

_INSERT = """async tables => {
  for (const [name, text, kind] of tables) {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    await ireval.database.run(`DROP TABLE IF EXISTS "${name}"`);
    await ireval.database.next(c => c.insertArrowFromIPCStream(bytes, {name, create: true}));
    if (kind) ireval.tables.set(name, {name, kind, source: name, columns: [], rows: 1, notes: []});
  }
  ireval.changed("tables");
}"""


def load(page: Any, tables: Mapping[str, pl.DataFrame], kinds: Mapping[str, str] | None = None) -> None:
    """Puts tables into the page's database; those that have a kind are what measures read."""
    texts = []
    for name, frame in tables.items():
        stream = io.BytesIO()
        frame.write_ipc_stream(stream, compat_level=pl.CompatLevel.oldest())
        texts.append([name, base64.b64encode(stream.getvalue()).decode(), (kinds or {}).get(name, "")])
    page.evaluate(_INSERT, texts)
