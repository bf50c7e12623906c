"""What two submissions can share, and how rare it is.

Each kind of evidence says of a pair how much more often it would share what it shares if one had
been made from the other than if both were made apart: 1 / p, where p is how often such a thing is
met among the others; 0 where nothing is shared. Over pairs made apart its mean is at most 1, so
that products of it do not take chance for more than chance.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, Protocol

Kind = Literal["answer", "mistake", "choice", "numbers", "id", "comment", "name"]
WEIGHT_OF_KNOWN = 10  # students by whom the course's known answers count as written, together
WEIGHT_OF_OTHERS = 3  # students whose choices count as spread over all that can be chosen
SHARE_OF_FORM = 0.7  # how much of an exercise's evidence is the form of the answer, not its mistake
FEWEST, MOST_SHARE = 5, 0.02  # holders of a thing beyond which it makes nobody a candidate
TOLD_FROM = 4.0  # things that are met less often than once in so many are told


@dataclass(frozen=True)
class Shared:
    """One thing that both of a pair have.

    Attributes:
        kind: what it is.
        assignment: where.
        exercise: the exercise or the question; empty for comments and names of a whole notebook.
        what: the thing, in a few words: a mistake's slug, an answer, a comment, a name.
        holders: how many have it.
        among: of how many.
        one_in: how rare it is: met about once in so many submissions made apart.
        giver: whose numbers or id the other used; empty for other kinds.
    """

    kind: Kind
    assignment: str
    exercise: str
    what: str
    holders: int
    among: int
    one_in: float
    giver: str = ""


class Evidence(Protocol):
    """One kind of evidence in one place."""

    def candidates(self) -> Iterator[tuple[str, str]]:
        """Pairs that share something rare, in order of their names."""

    def ratio(self, one: str, other: str) -> float | None:
        """How much more often a copy than chance shares this; None where it tells nothing."""

    def shared(self, one: str, other: str) -> Iterator[Shared]:
        """What the two share that is rare."""


@dataclass(frozen=True)
class Written:
    """A student's answer to an exercise, as far as it can be shared.

    Attributes:
        form: the loose form.
        outcome: how hidden tests came out, and which mistake that is; empty where that is unknown.
        mistake: the mistake in words; empty for right answers.
    """

    form: str
    outcome: str
    mistake: str


class Code:
    """Answers to one exercise in code.

    Args:
        assignment: the assignment's name.
        exercise: the exercise.
        written: the answer of each student who wrote one.
        known: the loose forms of the course's known answers: anybody may write them.
        right: those of them that are right. They count as much as all the wrong ones together, so
            that a course that knows more mistakes makes no right answer rarer.
    """

    def __init__(
        self,
        assignment: str,
        exercise: str,
        written: Mapping[str, Written],
        known: frozenset[str],
        right: frozenset[str] = frozenset(),
    ) -> None:
        self._assignment, self._exercise = assignment, exercise
        self._written = written
        groups = [group for group in (right, known - right) if group]
        self._known = {
            form: WEIGHT_OF_KNOWN / len(groups) / len(group) for group in groups for form in group
        }
        self._forms = Counter(one.form for one in written.values())
        self._outcomes = Counter(one.outcome for one in written.values())
        times = Counter(count for form, count in self._forms.items() if form not in known)
        # Where nearly all that the course does not know was written once, nobody writes the same
        # by chance: the discount of a Pitman-Yor process, estimated from what stands once or twice.
        self._discount = times[1] / (times[1] + 2 * times[2]) if times[1] else 0.0

    def chance(self, form: str) -> float:
        """How often one more student, working apart, would write an answer of a form."""
        others = len(self._written) - 1 + WEIGHT_OF_KNOWN
        before = self._forms[form] - 1
        if form in self._known:
            return (before + self._known[form]) / others
        return max(before - self._discount, 1 / (2 * others)) / others

    def candidates(self) -> Iterator[tuple[str, str]]:
        """Pairs with one form that few have."""
        groups: dict[str, list[str]] = defaultdict(list)
        for student, one in self._written.items():
            groups[one.form].append(student)
        yield from _pairs(groups.values(), len(self._written))
        mistakes: dict[str, list[str]] = defaultdict(list)
        for student, one in self._written.items():
            if one.mistake:
                mistakes[one.outcome].append(student)
        yield from _pairs(mistakes.values(), len(self._written))

    def ratio(self, one: str, other: str) -> float | None:
        """The form, and beside it what is wrong, whatever the form."""
        if one not in self._written or other not in self._written:
            return None
        a, b = self._written[one], self._written[other]
        form = 1 / self.chance(a.form) if a.form == b.form else 0.0
        outcome = self._one_in(a.outcome) if a.outcome == b.outcome else 0.0
        return SHARE_OF_FORM * form + (1 - SHARE_OF_FORM) * outcome

    def shared(self, one: str, other: str) -> Iterator[Shared]:
        """The form where both have one; else the mistake."""
        if one not in self._written or other not in self._written:
            return
        a, b = self._written[one], self._written[other]
        place, among = (self._assignment, self._exercise), len(self._written)
        if a.form == b.form:
            holders, one_in = self._forms[a.form], 1 / self.chance(a.form)
            if one_in >= TOLD_FROM:
                yield Shared("answer", *place, a.mistake, holders, among, one_in)
        elif a.mistake and a.outcome == b.outcome and self._one_in(a.outcome) >= TOLD_FROM:
            holders, one_in = self._outcomes[a.outcome], self._one_in(a.outcome)
            yield Shared("mistake", *place, a.mistake, holders, among, one_in)

    def _one_in(self, outcome: str) -> float:
        return (len(self._written) + 1) / self._outcomes[outcome]


class Choices:
    """Answers to one quiz question that is the same for everybody.

    Args:
        assignment: the assignment's name.
        question: the question's name.
        answered: the answer of each student who gave one.
        right: the students whose answer is right.
    """

    def __init__(
        self, assignment: str, question: str, answered: Mapping[str, str], right: frozenset[str]
    ) -> None:
        self._assignment, self._question = assignment, question
        self._answered, self._right = answered, right
        self._times = Counter(answered.values())

    def candidates(self) -> Iterator[tuple[str, str]]:
        """Pairs with one wrong answer that few gave."""
        groups: dict[str, list[str]] = defaultdict(list)
        for student, answer in self._answered.items():
            if student not in self._right:
                groups[answer].append(student)
        yield from _pairs(groups.values(), len(self._answered))

    def ratio(self, one: str, other: str) -> float | None:
        """The answer, right or wrong."""
        if one not in self._answered or other not in self._answered:
            return None
        same = self._answered[one] == self._answered[other]
        return self._one_in(self._answered[one]) if same else 0.0

    def shared(self, one: str, other: str) -> Iterator[Shared]:
        """A wrong answer that few gave."""
        answer = self._answered.get(one)
        if answer is None or answer != self._answered.get(other) or one in self._right:
            return
        if self._one_in(answer) >= TOLD_FROM:
            place, among = (self._assignment, self._question), len(self._answered)
            times, one_in = self._times[answer], self._one_in(answer)
            yield Shared("choice", *place, answer, times, among, one_in)

    def _one_in(self, answer: str) -> float:
        return (len(self._answered) - 1 + WEIGHT_OF_OTHERS) / self._times[answer]


class Numbers:
    """Answers to a personal question that are right for another student's numbers alone.

    Args:
        assignment: the assignment's name.
        question: the question's name.
        fits: of each student whose answer is wrong, the answer and whose numbers it is right for.
        among: how many answered.
        kind: `numbers`, or `id` where the notebook names another student's id.
    """

    def __init__(
        self,
        assignment: str,
        question: str,
        fits: Mapping[str, tuple[str, frozenset[str]]],
        among: int,
        kind: Kind = "numbers",
    ) -> None:
        self._assignment, self._question, self._kind = assignment, question, kind
        self._fits, self._among = fits, among

    def candidates(self) -> Iterator[tuple[str, str]]:
        """Who used numbers that few have, with each of those."""
        for student, (_, owners) in self._fits.items():
            if len(owners) <= _most(self._among):
                yield from (_ordered(student, owner) for owner in owners if owner != student)

    def ratio(self, one: str, other: str) -> float | None:
        """Numbers of either that are the other's; None where both used their own."""
        if one not in self._fits and other not in self._fits:
            return None
        found = list(self.shared(one, other))
        return max((thing.one_in for thing in found), default=0.0)

    def shared(self, one: str, other: str) -> Iterator[Shared]:
        """Whose numbers were used by whom."""
        for user, owner in ((one, other), (other, one)):
            answer, owners = self._fits.get(user, ("", frozenset()))
            if owner in owners:
                place, count = (self._assignment, self._question), len(owners)
                one_in = self._among / count
                yield Shared(self._kind, *place, answer, count, self._among, one_in, owner)


class Words:
    """Comments, or names, of one assignment's notebooks.

    Args:
        kind: which of them.
        assignment: the assignment's name.
        used: those of each student, without what the course itself says.
    """

    def __init__(self, kind: Kind, assignment: str, used: Mapping[str, frozenset[str]]) -> None:
        self._kind, self._assignment, self._used = kind, assignment, used
        self._times = Counter(word for words in used.values() for word in words)
        users = sum(1 for words in used.values() if words)
        self._slots = max(1.0, sum(self._times.values()) / max(1, users))

    def candidates(self) -> Iterator[tuple[str, str]]:
        """Pairs with one that few use."""
        groups: dict[str, list[str]] = defaultdict(list)
        for student, words in self._used.items():
            for word in words:
                groups[word].append(student)
        yield from _pairs(groups.values(), len(self._used))

    def ratio(self, one: str, other: str) -> float | None:
        """How rare the shared ones are, over how many a student uses."""
        mine, theirs = self._used.get(one), self._used.get(other)
        if not mine or not theirs:
            return None
        return sum(map(self._one_in, mine & theirs)) / self._slots

    def shared(self, one: str, other: str) -> Iterator[Shared]:
        """Those that few use, the rarest first."""
        both = self._used.get(one, frozenset()) & self._used.get(other, frozenset())
        most = _most(len(self._used))
        for word in sorted(both, key=lambda word: (self._times[word], word)):
            if self._times[word] <= most and self._one_in(word) >= TOLD_FROM:
                times, among = self._times[word], len(self._used)
                yield Shared(
                    self._kind, self._assignment, "", word, times, among, self._one_in(word)
                )

    def _one_in(self, word: str) -> float:
        return (len(self._used) + 1) / self._times[word]


def _most(students: int) -> int:
    return max(FEWEST, int(MOST_SHARE * students))


def _pairs(groups: Iterable[list[str]], students: int) -> Iterator[tuple[str, str]]:
    for group in groups:
        if 1 < len(group) <= _most(students):
            yield from combinations(sorted(group), 2)


def _ordered(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
