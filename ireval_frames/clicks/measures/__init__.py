"""The measures of click logs."""
