"""Commands about judgments and clicks: ratings, clicks, interleave."""
