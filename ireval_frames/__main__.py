"""`python -m ireval_frames` is the command `ireval`."""

from ireval_frames.cli import main

if __name__ == "__main__":
    main()
