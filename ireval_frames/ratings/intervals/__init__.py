"""Intervals of coefficients, from the influence of each item."""
