"""Measures of scores and probabilities."""
