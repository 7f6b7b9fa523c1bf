"""Preferences between documents, from grades or stated by assessors."""
