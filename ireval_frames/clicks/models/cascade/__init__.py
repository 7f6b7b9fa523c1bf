"""Cascade models: users go down the list, and stop."""
