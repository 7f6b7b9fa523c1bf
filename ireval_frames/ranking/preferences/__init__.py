"""Preferences between documents: those that grades imply, and those that assessors state."""
