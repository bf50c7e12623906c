"""Which submissions share more than chance explains: a reason to look, never a verdict."""

from autograder.similar.pairs import Pair, Similarity, similarity_of

__all__ = ["Pair", "Similarity", "similarity_of"]
