"""Judgments and runs as handed in, as canonical frames."""
