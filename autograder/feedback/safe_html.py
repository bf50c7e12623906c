"""HTML of strangers with only what formats text: nothing in it runs, and nothing is fetched for it.

A browser fetches what a picture's address names, and follows a link to where its address leads:
to anybody's server, or to an address of the server that shows the page, such as `/logout`. So a
picture stays that is in the page itself, or in a file that was handed in beside the notebook; a
link stays that leads to a place in the page or to such a file. Any other address becomes text.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import Any
from urllib.parse import quote, unquote

from bleach.html5lib_shim import Filter, convert_entities  # type: ignore[import-untyped]
from bleach.sanitizer import Cleaner  # type: ignore[import-untyped]

from autograder.feedback.formulas import Formula, as_html
from autograder.notebooks.reduce import PICTURE_TYPES

TAGS = frozenset(
    """
    a abbr b blockquote br caption code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5
    h6 hr i img ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td
    tfoot th thead tr u ul var
    """.split()  # noqa: SIM905 - a list of them would take 50 lines
)
EVERYWHERE = frozenset({"title", "dir", "lang"})
BY_TAG = {
    **{f"h{level}": {"id"} for level in range(1, 7)},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start"},
}
# Of other addresses bleach leaves nothing; of these the text is shown.
TOLD = frozenset({"http", "https", "ftp", "mailto", "data", "file", "attachment"})
LONGEST_TOLD = 300
PLACE = re.compile("\ue000([0-9]{1,6})\ue001")
PICTURE = re.compile(rf"data:({'|'.join(PICTURE_TYPES)});base64,[A-Za-z0-9+/=]*")

Token = dict[str, Any]


def sanitised(
    html: str, beside: frozenset[str] = frozenset(), formulas: Sequence[Formula] = ()
) -> str:
    """HTML that a student wrote or made, with only what formats text.

    Args:
        html: anything.
        beside: the files beside the page, by their paths from it.
        formulas: what is put at each `place_of`, behind the sanitiser's back: in text as MathML,
            in an attribute as it was typed.
    """
    filters = [partial(_AddressesAsText, beside=beside), partial(_Typed, formulas=formulas)]
    cleaner = Cleaner(tags=TAGS, attributes=_is_allowed, protocols=TOLD, filters=filters)
    clean = str(cleaner.clean(str(html)))
    return PLACE.sub(lambda place: _at(place, formulas, as_html), clean) if formulas else clean


def place_of(number: int) -> str:
    """What stands for a formula while the HTML around it is sanitised."""
    return f"\ue000{number}\ue001"


def _at(
    place: re.Match[str], formulas: Sequence[Formula], written: Callable[[Formula], str]
) -> str:
    number = int(place[1])
    return written(formulas[number]) if number < len(formulas) else ""


def _is_allowed(tag: str, name: str, value: str) -> bool:
    if name == "class":  # highlighted code needs them; with ours a student could draw marks
        return "agf" not in value
    if name == "tabindex":  # any other takes the page's own order from whoever uses keys
        return tag == "table" and value == "0"
    return name in EVERYWHERE or name in BY_TAG.get(tag, ())


class _Typed(Filter):
    """Leaves no place of a formula in an attribute, where MathML would end it and go on live."""

    def __init__(self, source: Any, formulas: Sequence[Formula]) -> None:
        super().__init__(source)
        self._formulas = formulas

    def __iter__(self) -> Iterator[Token]:
        for token in super().__iter__():
            if isinstance(token.get("data"), dict):
                token["data"] = {name: self._typed(it) for name, it in token["data"].items()}
            yield token

    def _typed(self, value: str) -> str:
        return PLACE.sub(lambda place: _at(place, self._formulas, attrgetter("typed")), value)


class _AddressesAsText(Filter):
    """Writes each address that may not stay behind what it stood for: `a figure (https://...)`."""

    def __init__(self, source: Any, beside: frozenset[str]) -> None:
        super().__init__(source)
        self._beside = beside

    def __iter__(self) -> Iterator[Token]:
        ends: list[Token] = []  # what each open link ends with
        said = ""  # the text just before
        for token in super().__iter__():
            match token:
                case {"type": "EmptyTag", "name": "img"}:
                    token = self._picture(token)
                case {"type": "StartTag", "name": "a"}:
                    token, end = self._link(token)
                    ends.append(end)
                case {"type": "EndTag", "name": "a"}:
                    token = ends.pop()
                    if token.get("data") == f" ({said})":  # the address was the link's text
                        continue
            said = token["data"] if token["type"] == "Characters" else ""
            yield token

    def _picture(self, token: Token) -> Token:
        raw = token["data"].pop((None, "src"), "")
        address = raw if PICTURE.fullmatch(raw) else self._file(raw)
        if address is None:
            return _text(token["data"].get((None, "alt"), "") + _told(raw))
        token["data"][None, "src"] = address
        return token

    def _link(self, token: Token) -> tuple[Token, Token]:
        """What stands in the place of a link's two tags."""
        raw = token["data"].get((None, "href"), "")
        address = raw if raw.startswith("#") else self._file(raw)
        if address is None:
            return _text(""), _text(_told(raw))
        plain = {name: value for name, value in token["data"].items() if name[0] is None}
        token["data"] = plain | {(None, "href"): address}
        return token, {"type": "EndTag", "name": "a"}

    def _file(self, address: str) -> str | None:
        """The address of a file beside the page, spelled so that it can mean nothing else."""
        name = unquote(convert_entities(address)).removeprefix("./")
        return f"./{quote(name)}" if name in self._beside else None


def _told(address: str) -> str:
    told = address if len(address) <= LONGEST_TOLD else f"{address[:LONGEST_TOLD]}…"
    return f" ({told})" if told else ""


def _text(text: str) -> Token:
    return {"type": "Characters", "data": convert_entities(text)}
