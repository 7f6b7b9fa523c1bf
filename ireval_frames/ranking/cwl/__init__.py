"""The C/W/L family: readers of a list, what they measure, and readers of one's own."""
