"""Why two runs differ on a topic: their lists side by side, what each document adds, and what is not judged."""
