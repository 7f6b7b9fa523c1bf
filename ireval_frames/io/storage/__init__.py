"""Locating files, and reading and writing their bytes."""
