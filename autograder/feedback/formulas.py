r"""Formulas as MathML, made when a page is written: browsers show it without any program.

A formula may be a stranger's, and latex2mathml trusts what it reads: `\text{<script>}` becomes a
live script, `\href` and `\style` become attributes, `\def` can grow without end. So only listed
commands are let in, and of the tree that is made of them only listed elements and attributes are
written, with every text escaped. Any other formula stays what it is: text between dollars.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from xml.etree.ElementTree import Element

from latex2mathml.commands import FUNCTIONS, LIMIT
from latex2mathml.converter import convert_to_element
from latex2mathml.symbols_parser import SYMBOLS
from nbconvert.filters.markdown_mistune import IPythonRenderer

LONGEST, DEEPEST = 1500, 40
NARROW = 30  # characters of LaTeX that fit a narrow screen; what is longer may have to scroll
MOST_BACKWARDS = 12  # `\!`: with many, a formula would cover what stands before it

COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{([^}]*)\}")
COMMANDS = frozenset(
    r"""
    , ; : ! _ % & # $ { } | \ frac dfrac tfrac sqrt binom left right middle begin end operatorname
    quad qquad big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr
    text textbf textit textrm textsf texttt mathrm mathbf mathit mathsf mathtt mathbb mathcal
    mathfrak mathscr boldsymbol overset underset limits nolimits displaystyle textstyle bmod
    """.split()  # noqa: SIM905 - a list of them would take 60 lines
) | {name.removeprefix("\\") for name in (*SYMBOLS, *FUNCTIONS, *LIMIT) if name.startswith("\\")}
BLANKS = frozenset(" \n\t")
ENVIRONMENTS = {
    *("matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix", "array"),
    *("cases", "equation", "equation*", "align", "align*", "aligned", "split"),
}

# Elements, with the number of those inside, where each has its own place.
ELEMENTS = {
    **dict.fromkeys(("mi", "mn", "mo", "mtext", "mspace"), 0),
    **dict.fromkeys(("msub", "msup", "munder", "mover", "mfrac", "mroot"), 2),
    **dict.fromkeys(("msubsup", "munderover"), 3),
    **dict.fromkeys(("math", "mrow", "msqrt", "mtable", "mtr", "mtd", "mstyle"), None),
}
TRUTH = re.compile("true|false")
WIDTH = re.compile(r"-?[0-3]?(\.\d{1,3})?em")
ATTRIBUTES = {
    "display": re.compile("block|inline"),
    "form": re.compile("prefix|infix|postfix"),
    "linethickness": re.compile("0"),
    "mathvariant": re.compile("normal"),
    "scriptlevel": re.compile("[01]"),
    **dict.fromkeys(("accent", "displaystyle", "fence", "movablelimits", "stretchy"), TRUTH),
    **dict.fromkeys(("lspace", "maxsize", "minsize", "rspace", "width"), WIDTH),
}
# What browsers no longer know, in their own style sheets' words.
VARIANTS = {
    "bold": "font-weight:bold",
    "monospace": "font-family:monospace",
    "sans-serif": "font-family:sans-serif",
}
SPACES = {"negativethinmathspace": "-.167em", "thinmathspace": ".167em", "thickmathspace": ".278em"}
NO_OPERATORS = frozenset("∞∂∇∅∀∃")
SIGNS, BARS, PRIMES = frozenset("+-−±"), frozenset("|‖"), frozenset("′″‴")
ENDS = frozenset(")]}|‖⌋⌉⟩…⋯!") | PRIMES  # operators behind which a sign adds or subtracts
CHARACTER = re.compile(r"&#x([0-9A-Fa-f]{1,6});")
ESCAPED = re.compile(r"\\([_%&#${} ])")


@dataclass(frozen=True)
class Formula:
    """A formula of a Markdown text.

    Attributes:
        latex: what it says, without its dollars.
        block: whether it has a line of its own.
        typed: the same as it stood in the text.
    """

    latex: str
    block: bool
    typed: str


class FormulaRenderer(IPythonRenderer):
    """nbconvert's renderer of Markdown, with MathML for formulas and tables that keys reach."""

    def formula(self, formula: Formula) -> str:
        """What stands for a formula in the page."""
        return as_html(formula)

    def block_math(self, body: str) -> str:
        """A formula between two dollars each."""
        return self.formula(Formula(body, True, f"$${body}$$"))

    def inline_math(self, body: str) -> str:
        """A formula between dollars."""
        return self.formula(Formula(body, False, f"${body}$"))

    def latex_environment(self, name: str, body: str) -> str:
        """A formula that begins and ends by a name."""
        typed = f"\\begin{{{name}}}{body}\\end{{{name}}}"
        return self.formula(Formula(typed, True, typed))

    def table(self, text: str) -> str:
        """A table, which keys scroll where the page is too narrow for it."""
        return f'<table tabindex="0">\n{text}</table>\n'

    def table_cell(self, text: str, align: str | None = None, head: bool = False) -> str:
        """A cell; an empty one above a column of names is no heading."""
        tag = "th" if head and text else "td"
        style = f' style="text-align:{align}"' if align else ""
        return f"  <{tag}{style}>{text}</{tag}>\n"


def as_html(formula: Formula) -> str:
    """A formula as MathML, or as it was typed where it stays text."""
    shown = mathml(formula.latex, block=formula.block)
    if shown is not None and formula.block and len(formula.latex) > NARROW:
        shown = shown.replace("<math", '<math tabindex="0"', 1)  # so that keys scroll it, too
    return escape(formula.typed, quote=False) if shown is None else shown


class _NotShown(Exception):
    """The formula stays text."""


@lru_cache(maxsize=4096)  # a class shares its course's formulas
def mathml(latex: str, *, block: bool) -> str | None:
    """A formula as MathML, safe to stand in any text of a page; None where it stays text.

    Args:
        latex: the formula without its dollars, whoever wrote it.
        block: whether it has a line of its own.
    """
    try:
        _refuse_unlisted(latex)
        return _written(_tree(latex, block), 0)
    except _NotShown:
        return None


def _refuse_unlisted(latex: str) -> None:
    names = COMMAND.findall(latex)
    if (
        len(latex) > LONGEST
        or not all(name in COMMANDS or name in BLANKS for name in names)
        or not ENVIRONMENTS.issuperset(ENVIRONMENT.findall(latex))
        or names.count("!") > MOST_BACKWARDS
    ):
        raise _NotShown


def _tree(latex: str, block: bool) -> Element:
    latex = latex.replace("{align}", "{align*}")  # notebooks number no lines
    try:
        tree: Element = convert_to_element(latex, display="block" if block else "inline")
    except Exception as error:  # latex2mathml raises whatever comes up, RecursionError among it
        raise _NotShown from error
    return tree


def _written(element: Element, depth: int) -> str:
    if ELEMENTS.get(element.tag, -1) not in (None, len(element)) or depth > DEEPEST:
        raise _NotShown
    text = _text(element.text or "")
    if element.tag == "mo" and text in NO_OPERATORS:
        element.tag = "mi"
    _mend(element)
    attributes = "".join(f' {name}="{value}"' for name, value in _attributes(element, text))
    inside = escape(text) + "".join(_written(child, depth + 1) for child in element)
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>"


def _text(text: str) -> str:
    """What an element says: latex2mathml leaves characters as numbers, and escapes as typed."""
    said = CHARACTER.sub(lambda found: chr(int(found[1], 16)), text)
    said = ESCAPED.sub(r"\1", said)
    if not all(character.isprintable() or character == "\xa0" for character in said):
        raise _NotShown
    return said


def _mend(row: Element) -> None:
    """Space out what latex2mathml leaves to chance: signs, bars, names of functions, primes."""
    before = ""  # what the operator just before says
    for place, child in enumerate(row):
        said = _text(child.text or "")
        if child.tag in ("mi", "mo") and len(said) > 1 and said.isalpha():
            opens = place + 1 < len(row) and _text(row[place + 1].text or "") == "("
            child.tag = "mo"
            child.attrib |= {"lspace": ".167em", "rspace": "0em" if opens else ".167em"}
        elif child.tag == "mo" and said in SIGNS and before and before not in ENDS:
            child.set("form", "prefix")
        elif child.tag == "mo" and said in BARS:
            child.attrib |= {"lspace": "0em", "rspace": "0em"}
        elif child.tag == "msup" and len(child) == 2 and _text(child[1].text or "") in PRIMES:
            child.tag = "mrow"  # in most fonts a prime stands high already
            child[1].tag = "mo"
            child[1].attrib |= {"form": "postfix", "lspace": "0em", "rspace": "0em"}
        before = said if child.tag == "mo" else ""


def _attributes(element: Element, text: str) -> list[tuple[str, str]]:
    found = dict(element.attrib)
    variant = found.get("mathvariant", "")
    styles = [VARIANTS[variant]] if variant in VARIANTS else []
    if element.tag == "mi" and (styles or text in NO_OPERATORS):
        found["mathvariant"] = "normal"
    if found.get("columnalign") in ("left", "right", "center"):
        styles.append(f"text-align:{found['columnalign']}")
    if "width" in found:
        found["width"] = SPACES.get(found["width"], found["width"])
    kept = [(n, v) for n, v in found.items() if n in ATTRIBUTES and ATTRIBUTES[n].fullmatch(v)]
    return kept + ([("style", ";".join(styles))] if styles else [])
