"""Where files lie, and how they are read and written as bytes."""
