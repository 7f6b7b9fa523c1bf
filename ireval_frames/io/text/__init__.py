"""Parsers of lines of text, and the errors of bad lines."""
