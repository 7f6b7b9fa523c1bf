"""Pictures of ranked lists."""
