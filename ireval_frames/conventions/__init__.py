"""A family's conventions as a value, each choice with its sentence and its source."""
