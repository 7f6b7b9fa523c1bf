"""Polars: frames in this process."""
