"""What a browser would make of HTML: elements, attributes, addresses; and what none may be."""

import html
import re
from html.parser import HTMLParser

# What Markdown becomes, and the plain tags that may stay.
PLAIN = {
    "a",
    "b",
    "blockquote",
    "br",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "h1",
}
PLAIN |= {"h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "input", "kbd", "li", "ol", "p", "pre"}
PLAIN |= {
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
}
ATTRIBUTES = {"href", "src", "alt", "title", "class", "id", "start", "type", "disabled", "target"}
ALIGNED = re.compile(r"text-align: ?(left|right|center);?|line-height: ?[\d.]+%;?")
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*(?=:)")
PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp)")
ACTIVE_FORMULA = re.compile(r"\\(href|url|style|class|cssId|bbox|require|csname)(?![A-Za-z])")
TAG = re.compile(r"<(/?[A-Za-z][^\s/>]*|[!?][^\s>]*)")


# What of MathML draws a formula and does nothing else.
FORMULA = frozenset(
    """
    math mrow mi mn mo mtext mspace msub msup msubsup munder mover munderover mfrac msqrt mroot
    mtable mtr mtd mstyle
    """.split()  # noqa: SIM905
)
DRAWN = re.compile(
    r"(display|form|linethickness|mathvariant|scriptlevel|accent|displaystyle|fence|movablelimits|"
    r"stretchy|lspace|maxsize|minsize|rspace|width)=[a-z0-9.-]{1,8}|"
    r"style=(font-family|font-weight|text-align):[a-z-]+"
)


def is_drawn(tag: str, name: str, value: str | None) -> bool:
    """Whether an attribute says how a part of a formula looks, or lets keys scroll a table."""
    if (tag, name, value) == ("table", "tabindex", "0"):
        return True
    return tag in FORMULA and DRAWN.fullmatch(f"{name}={value}") is not None


class Seen(HTMLParser):
    """The elements of a page with their attributes, and its text.

    Args:
        page: HTML.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Note text."""
        self.text += data

    def handle_comment(self, data: str) -> None:
        """A comment can hide what follows, or be read as HTML by old browsers."""
        raise AssertionError(f"a comment: {data[:80]!r}")

    unknown_decl = handle_decl = handle_pi = handle_comment


def check_inert(page: str, own: set[tuple[str, str]] = frozenset()) -> None:  # type: ignore[assignment]
    """Demand that nothing in a piece of HTML runs, and that every tag in it is a plain one.

    Args:
        page: HTML.
        own: (tag, attribute) pairs that are allowed besides.
    """
    for name in TAG.findall(page):  # whatever a parser makes of it
        assert name.strip("/").lower() in PLAIN | FORMULA, f"<{name}"
    seen = Seen(page)
    for tag, attributes in seen.elements:
        for name, value in attributes.items():
            known = name in ATTRIBUTES or (tag, name) in own or is_drawn(tag, name, value)
            assert known or ALIGNED.fullmatch(value or ""), f"<{tag} {name}={value!r}>"
            if name in ("href", "src"):
                assert is_harmless(value or ""), f"<{tag} {name}={value!r}>"
    assert not ACTIVE_FORMULA.search(seen.text), seen.text


def is_harmless(address: str) -> bool:
    """Whether following an address runs nothing, once the browser has cleaned it up."""
    cleaned = re.sub(r"[\t\n\r]", "", html.unescape(address).strip("".join(map(chr, range(33)))))
    scheme = SCHEME.match(cleaned.lower())
    if scheme is None:
        return True
    if scheme[0] == "data":
        return PICTURE.match(cleaned.lower()) is not None
    return scheme[0] not in ("javascript", "vbscript", "attachment")
