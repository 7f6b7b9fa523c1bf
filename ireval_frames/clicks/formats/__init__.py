"""Files of click logs, in the layouts in which they are published."""
