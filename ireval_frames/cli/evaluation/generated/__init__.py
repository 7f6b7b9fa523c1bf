"""Commands that evaluate generated answers."""
