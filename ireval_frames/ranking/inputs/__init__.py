"""The user's judgments and runs as canonical frames."""
