"""Measures of agreement."""
