"""Keeping results: a folder of Parquet files that many may write at once, asked in SQL or as lazy frames."""

from ireval_frames.store.store import Store

__all__ = ["Store"]
