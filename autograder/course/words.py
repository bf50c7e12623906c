"""What a course says of itself to its students, where the engine's own pages leave room for it."""

from traitlets import Dict, Unicode
from traitlets.config import Configurable


class CourseWords(Configurable):
    """Sentences and parts of sentences for the start page and for the word to assistants.

    Line breaks are kept, so long texts are broken where they should be.
    """

    about = Unicode(
        "Here you learn by building things yourself.",
        help="What students will do; the start page begins with it.",
    ).tag(config=True)
    expected = Unicode(
        "Nothing is expected but Python and a first look at arrays.",
        help="What students should know before.",
    ).tag(config=True)
    subject = Unicode(
        "the subject", help="What they learn by writing it: they are here to learn ..."
    ).tag(config=True)
    smallest_case = Unicode("the fewest rows and columns", help="A case to try by hand.").tag(
        config=True
    )
    sizes = Unicode("rows, columns and widths", help="What differs in hidden tests.").tag(
        config=True
    )
    questions = Unicode(
        "What does each axis list? What should this be for the smallest input?",
        help="What a tutor may ask of anybody's code.",
    ).tag(config=True)
    experiment = Unicode(
        "try the smallest input, compare a sum with your own", help="What a tutor may point to."
    ).tag(config=True)

    times = Dict(
        value_trait=Unicode(),
        key_trait=Unicode(),
        help="How long an assignment takes, by its name: 'an hour and a half'.",
    ).tag(config=True)
    address = Unicode(
        "",
        help="Where the releases stand in public, such as https://github.com/me/course/tree/main: "
        "from GitHub, Google Colab opens them.",
    ).tag(config=True)

    def fill(self, text: str) -> str:
        """The text with these words where it names them, such as `{about}`."""
        for name, trait in self.traits(config=True).items():
            if isinstance(trait, Dict):
                continue
            text = text.replace(f"{{{name}}}", getattr(self, name))
        return text
