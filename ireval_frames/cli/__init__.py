"""The command line `ireval`: evaluate, trec-eval, measures, sql."""


def main() -> None:
    """Run the command with the arguments of the process."""
    from ireval_frames.cli.app import app

    app(prog_name="ireval")
