"""What users pass, as frames: and files whose reading fails."""
