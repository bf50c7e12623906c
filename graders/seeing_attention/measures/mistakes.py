"""Known mistakes in the exercises of `measures`."""

from graders.seeing_attention.measures import mistakes_measures, mistakes_strongest_links

MISTAKES = (
    *mistakes_measures.MISTAKES,
    *mistakes_strongest_links.MISTAKES,
)
