"""What mistakes of one kind have in common, over all exercises in which they are made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import Formatter

from autograder.bank.mistake import Mistake


@dataclass(frozen=True)
class Family:
    """Mistakes of one kind: their name, their words and, where it is always the same, the way.

    A family is called with an exercise and gives the mistake in that exercise.

    Attributes:
        slug: the name of each of its mistakes.
        diagnosis: what the answer does; `{result}` is a blank, which each exercise fills in.
        hint: a question or a pointer, which may have blanks as well.
        made: how the mistake is made of a right text, which stands for `{}`: `{}.detach()`.
        usual: what stands in a blank where an exercise does not say anything else.
        costs_nothing: whether its mistakes are remarks, which are told and cost nothing.
    """

    slug: str
    diagnosis: str
    hint: str
    made: str = ""
    usual: Mapping[str, str] = field(default_factory=dict, hash=False)
    costs_nothing: bool = False

    def __call__(
        self,
        exercise: str,
        *,
        code: str = "",
        change: tuple[tuple[str, str], ...] = (),
        around: str = "",
        diagnosis: str = "",
        hint: str = "",
        **nouns: str,
    ) -> Mistake:
        """The family's mistake in an exercise.

        Args:
            exercise: the exercise.
            code: the cell as a student who makes the mistake would write it.
            change: instead of code, replacements in the reference's source.
            around: instead of both, the text of the reference that the mistake is `made` of.
            diagnosis: the exercise's own, where the family's would not be true of it.
            hint: the exercise's own, where the family's would not fit.
            nouns: what stands in the blanks.
        Raises:
            TypeError: a blank is not filled, a noun has no blank, an exception is none, or there is
                no way around a text.
        """
        usual = {"diagnosis": self.diagnosis, "hint": self.hint, **self.usual}
        own = {"diagnosis": diagnosis, "hint": hint, **nouns}
        if same := sorted(name for name, said in own.items() if said and said == usual.get(name)):
            raise TypeError(f"{self.slug} in {exercise} says what its family says: {same}.")
        told = diagnosis or self.diagnosis, hint or self.hint
        blanks = {name for text in told for name in _blanks(text)}
        filled = {name: self.usual[name] for name in blanks & self.usual.keys()} | nouns
        if blanks != filled.keys():
            raise TypeError(
                f"{self.slug} in {exercise} has blanks for {sorted(blanks)}, not {sorted(filled)}."
            )
        if around:
            if not self.made or code or change:
                raise TypeError(f"{self.slug} in {exercise} is not made around a text.")
            change = ((around, self.made.format(around)),)
        said, asked = (text.format(**filled) if _blanks(text) else text for text in told)
        costs_nothing = self.costs_nothing
        return Mistake(exercise, self.slug, said, asked, code, change, self, costs_nothing)


def _blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}
