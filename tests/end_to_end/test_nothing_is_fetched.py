"""Shown in a real browser, formgrader's page and the feedback fetch nothing that a student names.

A server listens where every form of address in `addresses.py` leads, and what the browser asks for
is compared with what it asks for on the page of a student who added nothing.
"""

import base64
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import nbformat
import pytest
from addresses import texts
from formgrader import TOKEN, running
from line_fitting import NAME, gradebook, hand_in, keep
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output, new_raw_cell
from small_curriculum import perfect
from traitlets.config import Config

HANDED_IN = "my figures/drawn é.png"
OUTPUTS = ("text/html", "text/markdown", "image/svg+xml", "application/javascript", "image/png")

pytestmark = pytest.mark.xdist_group("nothing is fetched")  # they share a graded class


def png(width: int) -> bytes:
    """A grey picture of one row, known by its width."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        named = kind + data
        return struct.pack(">I", len(data)) + named + struct.pack(">I", zlib.crc32(named))

    size = struct.pack(">IIBBBBB", width, 1, 8, 0, 0, 0, 0)
    row = zlib.compress(b"\0" + b"\x80" * width)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", row) + chunk(b"IEND", b"")


WRITTEN, ATTACHED = (base64.b64encode(png(width)).decode() for width in (11, 12))
HONEST = (
    f"![written](data:image/png;base64,{WRITTEN}) ![handed in](my%20figures/drawn%20é.png) "
    f"![attached](attachment:my%20plot.png) [my notes](notes.txt) [above](#top)"
)


class _Remembering(BaseHTTPRequestHandler):
    """Has nothing, and remembers who asked for what."""

    heard: list[str]

    def setup(self) -> None:
        super().setup()
        self.heard.append("a connection")

    def do_GET(self) -> None:
        """Answer that there is nothing."""
        self.heard.append(self.path)
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(handler: Any) -> Iterator[str]:
    """An HTTP server in a thread; its host and port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@contextmanager
def listening() -> Iterator[tuple[str, list[str]]]:
    """Where somebody listens, and what is heard there."""
    heard: list[str] = []
    with served(type("Listener", (_Remembering,), {"heard": heard})) as host:
        yield host, heard


@pytest.fixture(scope="module")
def listener() -> Iterator[tuple[str, list[str]]]:
    """Where the addresses lead that students wrote."""
    with listening() as found:
        yield found


def hostile_cells(host: str) -> list[nbformat.NotebookNode]:
    found = texts(host)
    everything = "\n\n".join(text for text in found if host in text)
    bundle = dict.fromkeys(OUTPUTS, everything)
    picture = {"image/png": {"filenames": {"image/png": f"http://{host}/filename.png"}}}
    shown = new_output("display_data", bundle, metadata=picture["image/png"])
    code = new_code_cell("1", outputs=[shown], metadata={"tags": [f"<img src=http://{host}/tag>"]})
    raw = new_raw_cell(everything, metadata={"raw_mimetype": "text/html", "format": "text/html"})
    attached = new_markdown_cell(
        "![x](attachment:x.svg) ![y](attachment:y.png)",
        attachments={
            "x.svg": {"image/svg+xml": f"<svg><image href='http://{host}/svg'/></svg>"},
            "y.png": {"image/png": f'"><img src="http://{host}/attached">'},
        },
    )
    return [*map(new_markdown_cell, found), code, raw, attached]


@pytest.fixture(scope="module")
def graded(
    run: Any,
    make_line_fitting: Callable[[Path], Path],
    listener: tuple[str, list[str]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A class of three, graded and given feedback: nothing added, honest pictures, every form."""
    course = make_line_fitting(tmp_path_factory.mktemp("fetching") / "course")
    keep(course, "predict")
    honest = new_markdown_cell(HONEST, attachments={"my plot.png": {"image/png": ATTACHED}})
    added = {"plain": [], "honest": [honest], "hostile": hostile_cells(listener[0])}
    for student, cells in added.items():
        notebook = perfect(course, NAME, student)
        notebook.cells += cells
        notebook.metadata["title"] = f"<link rel=icon href=http://{listener[0]}/title>"
        hand_in(course, student, notebook)
    beside = course / "submitted" / "honest" / NAME
    (beside / HANDED_IN).parent.mkdir()
    (beside / HANDED_IN).write_bytes(png(13))
    (beside / "notes.txt").write_text("my notes")
    for command in ("release", "grade", "feedback"):
        done = run("autograder", command, NAME, cwd=course)
        assert done.returncode == 0, done.stdout + done.stderr
    return course


@pytest.fixture(scope="module", params=["formgrader", "feedback"])
def address_of(
    request: pytest.FixtureRequest, graded: Path, scripts: Path, environment: dict[str, str]
) -> Iterator[Callable[[str], str]]:
    """Gives the address of a student's page in formgrader, or in feedback that a server shows."""
    if request.param == "feedback":
        with served(partial(SimpleHTTPRequestHandler, directory=graded / "feedback")) as host:
            yield lambda student: f"http://{host}/{student}/{NAME}/{NAME}.html"
        return
    with gradebook(graded) as book:
        ids = {
            student: book.find_submission_notebook(NAME, NAME, student).id
            for student in ("plain", "honest", "hostile")
        }
    with running(graded, scripts, environment) as server:
        yield lambda student: f"{server}/formgrader/submissions/{ids[student]}/?token={TOKEN}"


@pytest.fixture
def visit(chromium: Any) -> Iterator[Callable[[str], tuple[Any, set[str]]]]:
    """Opens a page; gives it, and what was asked for beside the page itself."""
    pages = []

    def visit(address: str) -> tuple[Any, set[str]]:
        page = chromium.new_page()
        pages.append(page)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        # Formgrader's MathJax comes from the network, which tests do without.
        page.route("https://**/*", lambda route: route.abort())
        page.goto(address, wait_until="load")
        page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
        page.wait_for_load_state("networkidle")
        return page, {url for url in asked if not url.startswith(("data:", address))}

    yield visit
    for page in pages:
        page.close()


def test_most_forms_are_fetched_where_nothing_holds_them(chromium: Any, tmp_path: Path) -> None:
    shown = HTMLExporter(config=Config()).markdown2html
    with listening() as (host, heard):
        forms = [text for text in texts(host) if "remote.png" in text]
        for number, text in enumerate(forms):
            page = shown({}, text.replace("remote.png", f"{number}.png"))
            (tmp_path / f"{number}.html").write_text(page)
        frames = (f"<iframe src={number}.html></iframe>" for number in range(len(forms)))
        (tmp_path / "all.html").write_text("".join(frames))
        page = chromium.new_page()
        page.goto((tmp_path / "all.html").as_uri(), wait_until="commit")
        for _ in range(200):
            fetched = {path for path in heard if path.endswith(".png")}
            if len(fetched) > len(forms) / 2:
                break
            page.wait_for_timeout(100)
        page.close()
    assert len(fetched) > len(forms) / 2


def test_nothing_that_a_student_names_is_fetched(
    address_of: Callable[[str], str], visit: Any, listener: tuple[str, list[str]]
) -> None:
    _, plain = visit(address_of("plain"))
    page, hostile = visit(address_of("hostile"))
    assert {path_of(url) for url in hostile} == {path_of(url) for url in plain}
    assert listener[1] == []
    assert "remote.png" in page.inner_text("body")


def path_of(url: str) -> str:
    """What is asked for, whoever's submission it is."""
    return url.partition("?")[0].partition("/formgrader/submissions/")[0]


def test_no_click_on_what_a_student_wrote_leads_anywhere(
    address_of: Callable[[str], str], visit: Any
) -> None:
    page, _ = visit(address_of("hostile"))
    links = page.eval_on_selector_all(
        "#notebook-container a, main a", "found => found.map(one => one.getAttribute('href'))"
    )
    assert [link for link in links if not link.startswith("#")] == []


def test_pictures_in_the_page_attached_and_handed_in_are_shown(
    address_of: Callable[[str], str], visit: Any
) -> None:
    page, _ = visit(address_of("honest"))
    widths = page.eval_on_selector_all(
        "img", "found => Object.fromEntries(found.map(one => [one.alt, one.naturalWidth]))"
    )
    assert widths == {"written": 11, "attached": 12, "handed in": 13}
    with page.expect_navigation():
        page.click("text=my notes")
    assert page.inner_text("body") == "my notes"
