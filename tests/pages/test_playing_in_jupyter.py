"""Pictures that move, in a real JupyterLab and a real Chromium: sliders, themes, a narrow page."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from socket import socket
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.checks.kit.discovery import modules_with_checks
from autograder.checks.kit.moving import pictures

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

NAME = "01-attention-by-hand"
PLAY = 'from checks import play\nplay("query")'
WITHOUT_IPYWIDGETS = "import sys\nsys.modules['ipywidgets'] = None\n"
MINUTE = 60_000  # ms
RUN_ALL = """async theme => {
  await jupyterapp.commands.execute("apputils:change-theme", {theme});
  const shown = jupyterapp.shell.currentWidget;
  await shown.context.ready;
  await shown.sessionContext.ready;
  await jupyterapp.commands.execute("notebook:run-all-cells");
}"""
CONTRAST = """() => {
  const light = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(part => {
      const c = part / 255;
      return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ink = getComputedStyle(document.querySelector(".jp-OutputArea svg[role=img] text")).fill;
  const page = getComputedStyle(document.querySelector(".jp-Notebook")).backgroundColor;
  const [low, high] = [light(ink), light(page)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}"""


@pytest.fixture(scope="module")
def lab(course_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab in a student's folder with two notebooks that play."""
    home = tmp_path_factory.mktemp("lab")
    folder = shutil.copytree(course_root / "release" / NAME, home / NAME)
    for name, source in (("moving", PLAY), ("still", WITHOUT_IPYWIDGETS + PLAY)):
        notebook = new_notebook(cells=[new_code_cell(source)])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3 (ipykernel)"}
        nbformat.write(notebook, folder / f"{name}.ipynb")
    with closing(socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {f"JUPYTER_{one}_DIR": str(home / one) for one in ("CONFIG", "DATA", "RUNTIME")}
    own |= {f"JUPYTERLAB_{one}_DIR": str(home / one) for one in ("SETTINGS", "WORKSPACES")}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
    options = [f"--port={port}", "--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"]
    with (home / "lab.log").open("w") as log:
        server = subprocess.Popen(
            [*command, *options], cwd=folder, env=os.environ | own, stdout=log, stderr=log
        )
        try:
            _wait_until_it_listens(server, port, home / "lab.log")
            yield f"http://127.0.0.1:{port}/lab/tree"
        finally:
            server.terminate()
            server.wait(30)


def _wait_until_it_listens(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    for _ in range(600):
        with closing(socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert server.poll() is None, log.read_text()[-2000:]
        time.sleep(0.1)
    raise AssertionError(log.read_text()[-2000:])


@pytest.fixture
def opened(lab: str, chromium: Any) -> Iterator[Callable[..., Any]]:
    """Opens a notebook in JupyterLab with a theme and a width, and runs all its cells."""
    pages = []

    def run(name: str, theme: str, width: int) -> Any:
        page = chromium.new_page(viewport={"width": width, "height": 1000})
        pages.append(page)
        page.goto(f"{lab}/{name}.ipynb?reset", timeout=MINUTE)
        page.wait_for_selector(".jp-Notebook", timeout=MINUTE)
        page.evaluate(RUN_ALL, theme)
        page.wait_for_selector(".jp-OutputArea svg[role=img]", timeout=MINUTE)
        return page

    yield run
    for page in pages:
        page.close()


@pytest.mark.parametrize(("theme", "width"), [("JupyterLab Light", 1280), ("JupyterLab Dark", 480)])
def test_a_slider_moves_the_picture_on_any_page(
    theme: str, width: int, opened: Callable[..., Any]
) -> None:
    modules_with_checks()
    picture = pictures["query"]
    page = opened("moving", theme, width)
    frame = picture.frame(**picture.stills[0])
    assert _words(page) == [frame.words]

    chosen = dict(picture.stills[0])
    for number, control in enumerate(picture.controls):
        at = control.values.index(chosen[control.name])
        chosen[control.name] = control.values[at + 1]
        page.locator(".noUi-handle").nth(number).focus()
        page.keyboard.press("ArrowRight")
        frame = picture.frame(**chosen)
        page.wait_for_function(
            "words => document.querySelector('.jp-OutputArea svg[role=img]').ariaLabel === words",
            arg=frame.words,
            timeout=MINUTE,
        )
    sentence = page.locator(".widget-html p")
    assert sentence.inner_text() == frame.says
    box = sentence.bounding_box()
    assert box["x"] + box["width"] <= width
    assert page.evaluate(CONTRAST) >= 4.5


def test_without_ipywidgets_still_pictures_are_shown(opened: Callable[..., Any]) -> None:
    modules_with_checks()
    picture = pictures["query"]
    page = opened("still", "JupyterLab Dark", 1280)
    assert _words(page) == [picture.frame(**chosen).words for chosen in picture.stills]
    assert page.locator(".noUi-handle").count() == 0
    assert "with ipywidgets installed" in page.locator(".jp-OutputArea").inner_text()
    assert page.evaluate(CONTRAST) >= 4.5


def _words(page: Any) -> list[str]:
    found: list[str] = page.locator(".jp-OutputArea svg[role=img]").evaluate_all(
        "shown => shown.map(one => one.ariaLabel)"
    )
    return found
