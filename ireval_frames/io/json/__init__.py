"""JSON documents as tables."""
