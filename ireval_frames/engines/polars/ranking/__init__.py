"""Ranking on Polars."""
