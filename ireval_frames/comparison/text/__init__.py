"""A comparison as tables to read."""
