"""Spans of text that are marked and typed: entities and other things that are found in documents."""
