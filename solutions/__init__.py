"""What full marks look like: one module an assignment; quiz keys stand in `quiz/`."""
