"""What full marks look like: a folder an assignment."""
