"""Known mistakes in the exercises of `measures`."""

from graders.seeing_attention.measures import (
    mistakes_entropy,
    mistakes_patterns,
    mistakes_strongest_links,
)

MISTAKES = (
    *mistakes_entropy.MISTAKES,
    *mistakes_patterns.MISTAKES,
    *mistakes_strongest_links.MISTAKES,
)
