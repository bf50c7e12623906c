"""Formulas as MathML: all of our own, and nothing live of anybody's."""

import re
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from bleach._vendor import html5lib
from hypothesis import given, settings
from hypothesis import strategies as st
from nbconvert.filters.markdown_mistune import MarkdownWithMath

from autograder.feedback.formulas import ELEMENTS, Formula, FormulaRenderer, mathml
from autograder.feedback.safe_markdown import markdown2html

ROOT = Path(__file__).parents[2]
RELEASED = [*ROOT.glob("release/*/*.ipynb"), *ROOT.glob("examples/*/release/*/*.ipynb")]
LIVE = r'"><script>alert(1)</script><img src=x onerror=alert(2)>'
ALLOWED = {"display", "form", "linethickness", "mathvariant", "scriptlevel", "accent", "style"} | {
    *("displaystyle", "fence", "movablelimits", "stretchy"),
    *("lspace", "maxsize", "minsize", "rspace", "tabindex", "width"),
}


def elements(html: str) -> list[tuple[str, list[str]]]:
    found = []
    reader = HTMLParser()
    reader.handle_starttag = lambda tag, attrs: found.append((tag, [name for name, _ in attrs]))
    reader.feed(html)
    return found


class Collecting(FormulaRenderer):
    def __init__(self) -> None:
        super().__init__(escape=False)
        self.met: list[Formula] = []

    def formula(self, formula: Formula) -> str:
        self.met.append(formula)
        return ""


def test_all_formulas_of_the_courses_are_mathml_without_a_command_left():
    renderer = Collecting()
    for path in RELEASED:
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                MarkdownWithMath(renderer=renderer).render(cell.source)
    shown = {one.typed: mathml(one.latex, block=one.block) for one in renderer.met}
    assert len(shown) > 140
    assert [typed for typed, html in shown.items() if html is None or "\\" in html] == []


@pytest.mark.parametrize("command", ["text", "texttt", "textsf"])
def test_an_escaped_underscore_is_one_in_words_within_a_formula(command):
    assert ">num_values&amp;<" in mathml(rf"\{command}{{num\_values\&}}", block=False)


def test_what_browsers_dropped_from_mathml_is_said_in_css():
    assert 'style="font-family:sans-serif"' in mathml(r"k^{\mathsf T}", block=False)
    assert 'style="font-family:monospace"' in mathml(r"\texttt{x}", block=False)
    assert 'width="-.167em"' in mathml(r"\operatorname{softmax}\!\left(x\right)", block=False)


def test_a_sign_after_an_operator_is_no_subtraction():
    assert mathml("a = -b", block=False).count('form="prefix"') == 1
    assert "prefix" not in mathml("a - b", block=False)
    assert "prefix" not in mathml(r"1 + \dots + n", block=False)


@pytest.mark.parametrize(
    "latex",
    [
        r"\href{javascript:alert(1)}{x}",
        r"\style{position:fixed}{x}",
        r"\class{agf}{x}",
        r"\color{red}{x}",
        r"\def\a{\a\a}\a",
        r"\newcommand{\a}{x}\a",
        r"\rule{90em}{90em}",
        r"\hspace{-90em}",
        r"\raise{90em}{x}",
        r"\unicode{x202e}",
        r"\verb|x|",
        r"\begin{a}x\end{a}",
        r"\!" * 20,
        "x" * 2000,
        "{" * 400 + "x" + "}" * 400,
        "x" + "^{x" * 100 + "}" * 100,
        r"\sqrt" * 250 + " x",
        r"\left(" * 90 + r"\right)" * 90,
        r"\begin{matrix}" * 60 + r"\end{matrix}" * 60,
        r"\frac{",
        r"\text{red " + "\u202e}",
        "\x00",
        "\ud800",
    ],
)
def test_what_is_not_listed_stays_as_it_was_typed(latex):
    assert mathml(latex, block=True) is None
    shown = markdown2html({}, f"so ${latex}$ it is")
    assert "<math" not in shown
    assert {tag for tag, _ in elements(shown)} <= {"p"}


@pytest.mark.parametrize(
    "latex",
    [
        rf"\text{{{LIVE}}}",
        rf"\operatorname{{{LIVE}}}",
        rf"\mathbf{{{LIVE}}}",
        LIVE,
        r"\text{&#x3c;script&#x3e;} &#x3c;script&#x3e;",
        r"\text{&lt;script&gt;}",
        r"\text{</mtext></math><style><img src=x onerror=alert(1)>}",
        rf"\begin{{pmatrix}}{LIVE}\end{{pmatrix}}",
    ],
)
def test_markup_within_a_formula_is_its_text(latex):
    html = mathml(latex, block=False)
    assert html is not None
    assert {tag for tag, _ in elements(html)} <= set(ELEMENTS)
    assert {name for _, names in elements(html) for name in names} <= ALLOWED


PIECES = st.sampled_from(
    [
        *(r"\frac", r"\sqrt", r"\left(", r"\right)", r"\middle|", r"\hat", r"\binom", r"\overset"),
        *(r"\begin{pmatrix}", r"\end{pmatrix}", r"\begin{cases}", r"\end{cases}", r"\\", "&", "{"),
        *("}", "^", "_", "'", "x", "1", "+", "-", "|", "<", ">", '"', "%", " ", r"\!", r"\_", "$"),
        *(r"\text{", r"\text{<b>}", r"\mathbf{y}", r"\operatorname{<", r"\sum", r"\limits", r"\ln"),
        *(r"\textstyle", r"\bmod", r"\big", "&#x3c;", "&lt;", "<script>", "\ue0000\ue001", "\n\n"),
    ]
)
SOME = settings(max_examples=200, deadline=None, derandomize=True)


@SOME
@given(st.lists(PIECES, max_size=30).map("".join))
def test_whatever_is_typed_only_listed_elements_come_out(latex):
    html = mathml(latex, block=False) or ""
    assert {tag for tag, _ in elements(html)} <= set(ELEMENTS)
    assert {name for _, names in elements(html) for name in names} <= ALLOWED


@SOME
@given(st.lists(PIECES | st.sampled_from(["$$", '<b title="', "<i id='", "`"]), max_size=30))
def test_a_page_is_no_more_live_for_formulas_wherever_they_stand(pieces):
    """Parsed as browsers do: nothing but text, what formats it, and MathML where it belongs."""
    page = html5lib.parse(markdown2html({}, "".join(pieces)), namespaceHTMLElements=True)
    for element in page.iter():
        space, _, tag = str(element.tag).rpartition("}")
        assert not re.search(r"^on|href|src", " ".join(map(str, element.attrib)))
        assert tag not in ("script", "style", "img", "svg", "annotation-xml")
        assert ("MathML" in space) == (tag in ELEMENTS)


def test_a_formula_in_an_attribute_is_typed_out_there():
    attack = '<b title="\n$$\\text{" onmouseover=alert(1) x="}$$\n">bold</b>'
    html = markdown2html({}, attack)
    assert {tag for tag, _ in elements(html)} <= {"b", "p"}
    assert not [name for _, names in elements(html) for name in names if name.startswith("on")]
    assert "\ue000" not in html


def test_who_types_the_mark_of_a_formulas_place_gets_a_formula_or_nothing():
    assert markdown2html({}, "\ue0000\ue001 $x$").count("<math") == 2
    assert markdown2html({}, "\ue0007\ue001 $x$").count("<math") == 1


def test_a_formula_that_may_scroll_is_reached_by_keys():
    assert '<math tabindex="0"' in markdown2html({}, f"$${'x + ' * 20}y$$")
    assert "tabindex" not in markdown2html({}, f"$$x + y$$ and ${'x + ' * 20}y$")


def test_formulas_of_students_are_shown_as_ours_are():
    assert "<mfrac>" in markdown2html({}, r"Because $\frac{a}{b}$ and $$\sum_i x_i$$")
    assert "<mtr>" in markdown2html({}, "\\begin{align} a &= b \\\\ c &= d \\end{align}")
    assert "<code>$x$</code>" in markdown2html({}, "`$x$` costs \\$5")
