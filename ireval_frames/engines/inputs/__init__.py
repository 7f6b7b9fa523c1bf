"""What users hand in, as frames: and files whose reading fails."""
