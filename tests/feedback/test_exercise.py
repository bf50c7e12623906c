"""What a student reads about one exercise."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from samples import CLAIMS, EVERYTHING, FUSED, HOSTILE, VERDICTS, result, weights

from autograder.course.reveal import Reveal
from autograder.feedback import marks_of, render_exercise
from autograder.feedback.cell_marks import CellMarks
from autograder.feedback.reasons import REASONS, reason_of
from autograder.feedback.told import message_of, with_hints
from autograder.verdicts.attempted import NO_CHOICE
from autograder.verdicts.verdict import ExerciseVerdict, Remark, SubmissionVerdict, TestResult

MARKS_ALONE = Reveal(tests=False, symptoms=False, hints=False, pictures=False)


def feedback(name: str, reveal: Reveal = EVERYTHING, asked: str | None = None, **changes) -> str:
    verdict = replace(VERDICTS[name], **changes)
    return render_exercise(verdict, reveal=reveal, asked=asked)


class Page(HTMLParser):
    """What a browser sees: elements with their attributes, and the text outside of style sheets."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in ("br", "col"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.mark.parametrize("name", VERDICTS)
def test_every_element_is_closed_in_order(name):
    assert Page(feedback(name)).open == []


def test_the_style_sheet_can_be_left_to_another_fragment_of_the_page():
    styled = feedback("partial")
    plain = render_exercise(VERDICTS["partial"], reveal=EVERYTHING, styled=False)
    assert re.sub("<style>.*</style>\n", "", styled) == plain != styled


@pytest.mark.parametrize("name", VERDICTS)
def test_a_stored_verdict_gives_the_same_bytes(name):
    stored = ExerciseVerdict.from_json(json.loads(json.dumps(VERDICTS[name].to_json())))
    assert render_exercise(stored, reveal=EVERYTHING) == feedback(name)


@pytest.mark.parametrize("name", VERDICTS)
def test_nothing_runs_and_nothing_is_loaded(name):
    for tag, attributes in Page(feedback(name)).elements:
        assert tag not in ("script", "link", "iframe", "object", "form", "img")
        assert not any(attribute.startswith("on") for attribute in attributes)
        assert not {"href", "src"} & set(attributes)
        assert "url" not in (attributes.get("style") or "")


def test_hostile_text_shows_as_text():
    page = Page(feedback("hostile"))
    assert page.text.count("<script>alert(1)</script>") >= 5
    assert "{{ 7 * 7 }}" in page.text
    assert not [tag for tag, _ in page.elements if tag in ("script", "img")]


def test_hostile_text_cannot_steer_a_terminal_or_turn_text_round():
    shown = feedback("hostile")
    assert not set(shown) & set("\x1b\u202e\u2066\ud800")
    assert "\u0335" * 5 not in shown
    shown.encode("utf-8")


def test_right_to_left_and_chinese_text_stays():
    html = feedback("hostile")
    assert "מָסֵכָה" in html
    assert "注意力" in html


def test_the_page_stays_small_whatever_the_student_prints():
    assert len(HOSTILE * 5000) > 500_000
    assert len(feedback("hostile")) < 20_000
    many = tuple(result(f"{HOSTILE} {place}", "failed", 0.01) for place in range(1000))
    assert len(feedback("hostile", tests=many)) < 60_000


def test_printed_text_keeps_its_indentation():
    assert "a\n    b" in feedback("perfect", printed="a\n    b")


def test_marks_and_points_that_wait_are_told():
    page = Page(feedback("pending"))
    assert "3 of 6 points · 3 points wait for a GPU" in page.text
    assert "Right so far" in page.text
    assert "1 point waits for a GPU" in Page(feedback("only gpu")).text


def test_what_a_missing_package_holds_up_is_told_with_the_package():
    page = Page(feedback("absent"))
    assert "0 of 2 points · 2 points wait for a later grading" in page.text
    assert "Waits for a later grading" in page.text
    assert "not checked yet, 0 of 0.5 points" in page.text
    assert "Triton is not installed where this was graded." in page.text
    assert "GPU" not in page.text


def test_a_claim_that_waits_for_a_gpu_is_listed_once():
    html = feedback("pending")
    assert all(html.count(claim) == 1 for claim in FUSED)
    assert "passed on the CPU" in html


def test_devices_that_agree_share_a_line():
    html = feedback("gpu failed")
    assert html.count(FUSED[0]) == 1
    assert "passed on the CPU and GPU, 2 of 2 points" in html
    assert html.count(FUSED[2]) == 2
    assert "not passed on the GPU, 0 of 1 point" in html


def test_outcomes_are_words_and_symbols_not_colour_alone():
    page = Page(feedback("partial"))
    assert "passed, 0.5 of 0.5 points" in page.text
    assert "not passed, 0 of 0.5 points" in page.text
    assert "✓" in page.text
    assert "✗" in page.text


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_has_a_sentence_and_something_to_do(code):
    page = Page(feedback("timeout", reason=code))
    reason = REASONS[code]
    assert reason.state in page.text
    assert reason.sentence in page.text.replace(" , ", ", ")
    assert len(reason.advice) > 20


def test_a_reason_nobody_named_is_still_told_kindly():
    reason = reason_of("struck_by_lightning")
    assert reason.sentence in Page(feedback("timeout", reason="struck_by_lightning")).text


def test_checks_that_got_no_answer_do_not_read_as_wrong():
    html = feedback("crashed")
    assert html.count("no answer, 0 of 0.5 points") == 3
    assert "signal 11" in html


def test_what_a_broken_grader_said_stays_with_the_instructor():
    secret = "AssertionError: expected tensor([0.1234])"
    shown = feedback("grader fault", reason="grader_error", detail=secret)
    assert "0.1234" not in shown
    assert "not yours" in shown


def test_an_exercise_whose_grader_broke_waits_for_a_person_and_shows_no_marks_of_checks():
    page = Page(feedback("grader fault"))
    assert "Waits for your instructor" in page.text
    assert "2 points wait for your instructor" in page.text
    assert "passed" not in page.text


def without_points(outcome: str) -> TestResult:
    return result("It is fast", outcome, 0.0, symptom="it is slow", device="cuda", name="fast")


def test_a_check_without_points_is_told_and_takes_no_full_marks():
    also = replace(without_points("failed"), name="small")
    html = feedback(
        "perfect", tests=(result(CLAIMS[0], points=2.0), without_points("failed"), also)
    )
    page = Page(html)
    assert "Full marks" in page.text
    assert "not passed on the GPU; it carries no points" in page.text
    assert "passed on the CPU, 2 of 2 points" in page.text
    assert page.text.count("It is slow") == 2  # with the checks, and not as what is wrong
    assert 'class="agf-say agf-finding"' not in html


def test_checks_that_did_not_run_and_carry_no_points_are_told_in_one_line():
    unrun = replace(without_points("pending"), symptom=None)
    page = Page(feedback("perfect", tests=(result(CLAIMS[0], points=2.0), unrun, unrun)))
    assert "Full marks" in page.text
    assert "Not run: 2 checks on a GPU, without points." in page.text
    assert "waits for a GPU" not in page.text
    assert "Not run" not in feedback("perfect", MARKS_ALONE, tests=(unrun,))


def test_an_untouched_stub_is_not_called_wrong():
    page = Page(feedback("untouched"))
    assert "Not attempted yet" in page.text
    assert "What will be checked" in page.text
    assert "not passed" not in page.text
    assert "NotImplementedError" not in page.text


def test_one_check_that_still_raises_not_implemented_is_an_attempt():
    tests = (result(CLAIMS[0]), result(CLAIMS[1], "failed", symptom="NotImplementedError"))
    assert "Partly right" in feedback("untouched", tests=tests)


def test_an_error_of_the_cell_is_shown_once_with_what_it_means():
    message = "Your cell stopped before causal_mask was defined: " + str(
        VERDICTS["syntax error"].error
    )
    page = Page(feedback("syntax error", message=message))
    assert "Stopped by an error" in page.text
    assert "Python could not read this cell" in page.text
    assert page.text.count("was never closed") == 1
    assert "not bound" not in page.text


def test_a_symptom_that_all_checks_share_is_said_once():
    tests = tuple(
        result(claim, "failed", symptom="it has more axes than it should") for claim in CLAIMS
    )
    for message in (None, "It has more axes than it should."):
        html = feedback("partial", tests=tests, message=message)
        assert html.lower().count("it has more axes than it should") == 1


def test_a_quiz_question_shows_its_explanation_and_no_checklist():
    wrong, right = Page(feedback("quiz wrong")), Page(feedback("quiz right"))
    assert "so its spread grows" in wrong.text
    assert "Not right yet" in wrong.text
    assert "Right" in right.text
    assert not [tag for tag, _ in wrong.elements + right.elements if tag in ("ul", "h4")]


def test_a_quiz_question_without_an_answer_is_not_called_wrong():
    shown = feedback("quiz wrong", message=NO_CHOICE, misconceptions=())
    assert "No answer yet" in shown
    assert NO_CHOICE in shown


def test_a_wrong_answer_without_a_known_mistake_is_called_wrong_and_shown():
    shown = feedback("quiz wrong", exercise="k1", answered="7.5 <b>MB", misconceptions=())
    assert "Not right yet" in shown
    assert "7.5 &lt;b&gt;MB" in shown
    assert "Your answer: 7.5 <b>MB" in Page(shown).text


def test_a_question_with_anothers_numbers_waits_for_the_instructor():
    shown = feedback("another id")
    assert "1 point waits for your instructor" in Page(shown).text
    assert "GPU" not in shown
    assert "bob" not in shown  # the detail is the instructor's
    assert "Your answer: (2, 3)" in Page(shown).text


def test_a_question_with_ones_own_numbers_is_shown_as_the_notebook_shows_one():
    shown = feedback("quiz wrong", MARKS_ALONE, asked="With `d_k` 7, *how* many of $2^{ 3 }$?")
    assert "With <code>d_k</code> 7, <em>how</em> many of <math" in shown
    assert "<msup><mn>2</mn>" in shown
    assert "The question with your numbers" not in feedback("quiz wrong")


def test_nothing_in_a_question_runs_or_draws_marks():
    asked = f'{HOSTILE}\n\n<section class="agf" data-earned="9">\n<b onclick="alert(1)">b</b>'
    shown = feedback("quiz wrong", asked=asked)
    elements = Page(shown).elements
    assert [tag for tag, _ in elements].count("section") == 1
    assert not {"script", "svg"} & {tag for tag, _ in elements}
    assert not [name for _, attributes in elements for name in attributes if name.startswith("on")]
    assert len(feedback("quiz wrong", asked=HOSTILE * 5000)) < 40_000


@pytest.mark.parametrize("name", VERDICTS)
def test_marks_alone_tell_nothing_about_the_tests(name):
    verdict = VERDICTS[name]
    shown = feedback(name, MARKS_ALONE)
    told = [verdict.message, verdict.hint, *(test.claim for test in verdict.tests)]
    told += [test.symptom for test in verdict.tests]
    for text in filter(None, told):
        if name != "hostile":
            assert text not in Page(shown).text
    assert "<ul" not in shown
    assert "<table" not in shown


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("tests", CLAIMS[1]),
        ("symptoms", "down the columns"),
        ("symptoms", "another axis"),
        ("hints", "Which axis lists the keys?"),
        ("pictures", "<table"),
    ],
)
def test_each_part_can_be_held_back(part, text):
    assert text in feedback("misconception")
    assert text not in feedback("misconception", replace(EVERYTHING, **{part: False}))


def test_a_picture_is_a_table_whose_cells_have_headers():
    page = Page(feedback("misconception"))
    scopes = [attributes["scope"] for tag, attributes in page.elements if tag == "th"]
    assert scopes == ["col", "colgroup", "col", *["col"] * 5, *["row"] * 4]
    assert "attention_weights(scores)" in page.text
    assert "queries (attending) keys (attended to) sum The cat sat down . The 0.24" in page.text


def test_the_box_of_a_wide_table_can_be_scrolled_with_the_keyboard():
    (box,) = [a for _, a in Page(feedback("perfect")).elements if "tabindex" in a]
    assert box["tabindex"] == "0"
    assert box["aria-label"] == "attention_weights(scores)"


def test_a_result_that_cannot_be_drawn_is_told():
    shown = feedback("not to be drawn")
    text = Page(shown).text
    assert "No picture of attention_weights(scores): what came back does not fit it" in text
    assert "Your result on the example" not in text


def test_printed_text_is_held_back_unless_asked_for():
    assert "hello there" not in feedback("partial", Reveal(), printed="hello there")
    assert "hello there" in feedback("partial", printed="hello there")


def test_only_plain_fields_of_the_verdict_reach_the_page():
    """A new field of the verdict could hold hidden values: it is looked at before it is shown."""
    shown = {"exercise", "max_points", "tests", "reason", "detail", "misconceptions", "message"}
    shown |= {"hint", "picture", "printed", "error", "answered", "sandbox", "bonus", "judged_with"}
    shown |= {
        "remarks",
        "ruling",
        "stops",
        "out_of_time",
        "judged_cell",
        "at_its_check",
        "right_picture",
    }
    assert set(ExerciseVerdict.__dataclass_fields__) == shown


def test_a_definition_that_is_judged_elsewhere_is_told_in_a_sentence():
    page = feedback("partial", Reveal(), judged_cell="def f(x): <b>")
    assert "own cell of" in page
    assert "holds no answer, so its last definition is judged" in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page.partition("its last definition")[2][:80]


def test_a_remark_is_told_beside_full_marks_and_costs_nothing():
    looks_at = TestResult("no_heads", "No heads raise ValueError.", "failed", 0.0, "cpu")
    right = replace(VERDICTS["bonus"], bonus=False, message=None)
    remarked = replace(
        right,
        tests=(*right.tests, replace(looks_at, remark=True, symptom="no error is raised")),
        remarks=(Remark("no-heads", "Numbers below 1 fall through `your` check."),),
    )
    text = Page(render_exercise(remarked, reveal=EVERYTHING)).text
    assert "Full marks" in text
    assert "A remark, which costs nothing. Numbers below 1 fall through your check." in text
    assert "worth a remark; it carries no points" in text
    assert "A remark" not in Page(render_exercise(right, reveal=EVERYTHING)).text


def test_a_bonus_is_called_one_and_what_waits_of_it_too():
    assert "2 of 2 bonus points" in Page(feedback("bonus")).text
    part = Page(feedback("bonus in part")).text
    assert "0.5 of 2 bonus points · 1 bonus point waits for a GPU" in part


@pytest.mark.parametrize("reason", [None, "missing_cell"])
def test_a_bonus_that_was_left_out_is_optional_and_waits_for_nothing(reason):
    shown = feedback("bonus left out", reason=reason)
    text = Page(shown).text
    assert "A bonus, not tried" in text
    assert text.count("optional") == 1
    assert "you lose nothing by leaving it out" in text
    left_out = marks_of(replace(VERDICTS["bonus left out"], reason=reason), EVERYTHING)
    assert (left_out.pending, left_out.mood) == (0, "untried")
    assert "NotImplementedError" not in text
    assert "Cell missing" not in text


def test_slugs_of_misconceptions_are_not_shown():
    assert "softmax-over-queries" not in feedback("misconception")


def test_the_marks_stand_beside_the_fragment_as_data():
    assert marks_of(VERDICTS["pending"], EVERYTHING) == CellMarks(
        3, 6, 3, None, "waiting", "Right so far"
    )
    assert marks_of(VERDICTS["another id"], EVERYTHING).waits == "person"
    assert marks_of(VERDICTS["absent"], EVERYTHING).waits == "later"


@pytest.mark.parametrize("reveal", [EVERYTHING, MARKS_ALONE, Reveal(tests=False)])
@pytest.mark.parametrize("name", VERDICTS)
def test_whoever_lost_marks_is_told_something_and_nobody_else_is(name, reveal):
    marks = marks_of(VERDICTS[name], reveal)
    lost = marks.earned + marks.pending < marks.available
    assert bool(marks.told) == (lost and marks.mood != "untried")
    assert len(f"{marks.told}{marks.hint}") < 2000


def test_what_cost_marks_is_told_first_in_short():
    told = {name: marks_of(VERDICTS[name], EVERYTHING) for name in VERDICTS}
    assert told["misconception"].told.startswith("Your rows sum to 1 down the columns")
    assert told["misconception"].hint.endswith("Which axis lists the keys?")
    assert told["syntax error"].told.endswith("`SyntaxError: '(' was never closed (line 2)`")
    assert told["timeout"].told == reason_of("timeout").sentence
    assert told["timeout"].hint == reason_of("timeout").advice
    claim = "One matrix product makes queries, keys and values."
    assert told["gpu failed"].told == f'A tensor was made on the CPU. This fails: "{claim}"'
    marks_alone = marks_of(VERDICTS["quiz wrong"], MARKS_ALONE)
    assert "the marks" in marks_alone.told
    assert marks_alone.hint is None


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("reason", [None, "timeout", "missing_cell", "not_attempted", "unheard_of"])
def test_where_points_are_lost_there_is_a_message(name: str, reason: str | None) -> None:
    """Also where nothing was named, and the cell was stopped, or is as it was released."""
    for message in (VERDICTS[name].message, None):
        one = replace(VERDICTS[name], message=message, bonus=False)
        one = one if reason is None else replace(one, reason=reason)
        lost = one.score + one.pending_points < one.max_points
        assert bool(message_of(one)) == lost or message


def test_who_is_judged_without_the_cells_below_reads_so():
    page = render_exercise(replace(VERDICTS["bonus"], at_its_check=True), reveal=EVERYTHING)
    assert "A cell further down changes something that this answer reads." in page


def test_a_right_result_stands_beside_ones_own():
    both = feedback("misconception", right_picture=weights(1))
    assert both.count("<table") == 2
    assert "A right answer's result on it" in Page(both).text
    assert "A right answer's result on it" not in Page(feedback("misconception")).text
    hidden = feedback("misconception", MARKS_ALONE, right_picture=weights(1))
    assert "<table" not in hidden


def test_a_mistake_without_a_name_gets_the_first_hint_of_the_ladder(tmp_path):
    (tmp_path / "assignments" / "01-sample").mkdir(parents=True)
    (tmp_path / "assignments" / "01-sample" / "hints.toml").write_text(
        "[softmax]\nquestion = 'Which *axis* sums to one?'\npointer = 'p'\nminiature = 'm'\n"
    )
    unnamed = replace(VERDICTS["partial"], hint=None, misconceptions=(), message="It is wrong.")
    died = replace(unnamed, reason="timeout", message=None)
    named = VERDICTS["partial"]
    right = VERDICTS["perfect"]
    verdict = SubmissionVerdict("ada", "01-sample", (unnamed, died, named, right))
    hints = [one.hint for one in with_hints(tmp_path, verdict).exercises]
    assert hints == ["Which axis sums to one?", None, named.hint, None]
