"""What `docs/security.md` says: each of its claims has a test, here or in the folder of its subject."""
