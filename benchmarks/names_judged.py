"""Whether the names of a made wrong answer are right, compared with what was made in it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial

from autograder.bank import Mistake, variants
from autograder.judging.answers import reference_source, source_of, student_with
from autograder.judging.bank import KnownMistake, bank_of
from autograder.judging.behaviour import Behaviour, Observed, alike, observe, stops
from autograder.judging.combining import combined
from autograder.judging.diagnosis import named_from
from autograder.judging.draw import Draw
from autograder.judging.plugin import Found, Graders
from benchmarks.as_strangers_write import Rewrite, all_made
from benchmarks.names_counted import NOT_MADE
from benchmarks.wrong_answers import WrongAnswer, made, runs, with_mistakes


def earns_all(found: Iterable[Found]) -> bool:
    """Whether no test failed; those that wait for a GPU do not count."""
    return all(one.remark or one.outcome in ("passed", "pending") for one in found)


def is_made(graders: Graders, answer: WrongAnswer) -> bool:
    """Whether the mistakes are in the answer; what is made in another one may miss its place there.

    They are not where rewriting took them out, where the answer is right but for its slips, and
    where it stops wherever a mistake shows that stops nowhere there.
    """
    if not answer.rewrites and answer.base == reference_source(answer.exercise):
        return True
    if answer.is_lost:
        return False
    if answer.slips:
        bare = partial(student_with, answer.exercise, answer.bare)
        if earns_all(graders.run(answer.exercise, bare)):
            return False
    known = {one.entry: one for one in bank_of(answer.exercise).mistakes}
    entries = [known[entry] for entry in answer.made]
    seen = observe(answer.exercise, made(answer))
    for entry in entries:
        shows = [
            name
            for name in seen
            if entry.errs(name) and not any(stops(one.see(name)) for one in entries)
        ]
        if shows and all(stops(seen[name]) for name in shows):
            return False
    return True


def judged(answer: WrongAnswer, named: Sequence[Mistake], is_made: bool = True) -> str:
    """Which of `names_counted.OUTCOMES` the names are, or that nothing was to be named."""
    known = {one.slug for one in answer.made} if is_made else set()
    slips = slips_among(answer, [one for one in named if one.slug not in known])
    slugs = {one.slug for one in named if one not in slips}
    if not slugs:
        return "symptom" if is_made else NOT_MADE
    if slugs == known:
        return "right"
    if slugs < known:
        return "one of two"
    return "alike" if behaves_like(answer, named, slips) else "wrong"


def slips_among(answer: WrongAnswer, named: Iterable[Mistake]) -> list[Mistake]:
    """The names that are those of slips in the rewrites, and show somewhere in the answer.

    A slip's names are what any right answer to the exercise is called with it: a known mistake that
    is made in another cell brings what a slip changes, such as a dtype, where the base has none.
    They show where the mistake of that name does, and the answer does otherwise without its slips.
    """
    called = slips_of(answer.exercise, answer.base, answer.slips)
    slips = [one for one in named if one.slug in called]
    if not slips:
        return []
    with fresh_inputs():
        right = Observed(answer.exercise, reference_source(answer.exercise))
        bare = Observed(answer.exercise, answer.bare)
        seen = observe(answer.exercise, made(answer))
        changed = [name for name, one in seen.items() if not alike(name, one, bare.see(name))]
        return [one for one in slips if any(map(KnownMistake(one, right).errs, changed))]


@cache
def slips_of(exercise: str, base: str, slips: tuple[Rewrite, ...]) -> set[str]:
    """What a right answer is called with all these slips, and what any is with each of them."""
    right = [reference_source(exercise), *(source_of(one) for one in variants(exercise))]
    ways = [(base, slips), *((source, (slip,)) for slip in slips for source in right)]
    return {slug for source, some in ways for slug in _called_with(exercise, source, some)}


@cache
def _called_with(exercise: str, source: str, slips: tuple[Rewrite, ...]) -> set[str]:
    source, done = all_made(source, slips, len(slips))
    if not done or not runs(exercise, source):
        return set()
    behaviour = observe(exercise, student_with(exercise, source))
    return {one.slug for one in named_from(bank_of(exercise), behaviour)}


def behaves_like(
    answer: WrongAnswer, named: Sequence[Mistake], slips: Collection[Mistake] = ()
) -> bool:
    """Whether an answer does as the named mistakes and its slips do, on inputs that no probe has.

    It is alike where every observation of it is, but for rounding, that of one answer with all of
    them. Where they cannot be written into one, such as an idea and the dtype of its result, it is
    to do as one that shows wherever any of them does, and to be right elsewhere. And none of the
    names is idle: without it, the others are not what the answer does.

    Args:
        answer: the answer.
        named: the mistakes that it is said to make.
        slips: those among them that its rewrites brought.
    """
    ideas = [one for one in named if one not in slips]
    with fresh_inputs():
        seen = observe(answer.exercise, made(answer))
        return _explains(answer, ideas, slips, seen) and not any(
            _explains(answer, [one for one in ideas if one is not idle], slips, seen)
            for idle in ideas
        )


def _explains(
    answer: WrongAnswer, ideas: Sequence[Mistake], slips: Collection[Mistake], seen: Behaviour
) -> bool:
    """Whether an answer with these mistakes, and the slips of another, does what was seen of it."""
    if not ideas:
        source: str | None = answer.base
    elif len(ideas) == 1:
        source = source_of(ideas[0])
    elif len(ideas) == 2:
        source = combined(*ideas)
    else:
        source = with_mistakes(reference_source(answer.exercise), tuple(ideas))
    if source is not None:
        source, _ = all_made(source, answer.slips, len(answer.slips))
        if Observed(answer.exercise, source).behaves_like(seen):
            return True
        if not slips:
            return False
    right = Observed(answer.exercise, reference_source(answer.exercise))
    known = [KnownMistake(one, right) for one in (*ideas, *slips)]
    for name, one in seen.items():
        showing = [other.see(name) for other in known if other.errs(name)]
        if not any(alike(name, one, other) for other in showing or [right.see(name)]):
            return False
    return True


@contextmanager
def fresh_inputs() -> Iterator[None]:
    """Within this context, probes draw other inputs."""
    usual = Draw.__init__

    def other(self: Draw, secret: bytes, test: str) -> None:
        usual(self, b"fresh " + secret, test)

    Draw.__init__ = other  # type: ignore[method-assign]
    try:
        yield
    finally:
        Draw.__init__ = usual  # type: ignore[method-assign]
