"""Names in a course's solutions, by which `autograder validate` makes mutants of them."""

from traitlets import List, Unicode
from traitlets.config import Configurable


class Vocabulary(Configurable):
    """What the names in solutions mean."""

    families = List(
        List(Unicode()),
        [["left", "right"], ["total", "output"], ["weight", "bias"], ["batch", "rows"]],
        help="Names of which a student may write one for another: each list is one family.",
    ).tag(config=True)
    modules = List(
        Unicode(),
        help="The course's own modules that solutions import, by name.",
    ).tag(config=True)
