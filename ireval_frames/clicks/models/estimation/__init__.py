"""Estimates of parameters, and their intervals."""
