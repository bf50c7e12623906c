"""What understanding an exercise is made of: each hidden test asks for one of these aspects."""

ERRORS = "errors"
"""Of tests that ask whether arguments that make no sense are refused: their share is fixed."""

ASPECTS = {
    "values": "Values",
    "form": "Shape and type",
    "gradient": "Gradient",
    "numerics": "Numerics",
    "generality": "Generality",
    "structure": "How it runs",
    ERRORS: "Error handling",
}
"""By the name that a test's marker gives: what a student reads, in this order. A course may name
others: `FeedbackPolicy.aspects`."""
