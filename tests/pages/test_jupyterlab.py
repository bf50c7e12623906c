"""A released notebook in a real JupyterLab and a real Chromium: run all of it, and look at it."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.checks.kit.shades import contrast
from autograder.notebooks.sanitise import grade_id

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

NAME = "01-attention-by-hand"
WRITTEN = {
    "softmax": "def softmax(x, axis=-1):\n"
    "    powers = np.exp(x - x.max(axis, keepdims=True))\n"
    "    return powers / powers.sum(axis, keepdims=True)",
    "attention_weights": "def attention_weights(scores):\n    return torch.softmax(scores, dim=-2)",
    "weighted_values": "def weighted_values(weights, v)\n    return weights @ v",
}
PREDICTED = 'k3 = "C"'
REPORTS = ".jp-OutputArea .cr"
COLOURS = """element => {
  const seen = getComputedStyle(element);
  return [seen.color, seen.backgroundColor].map(
    colour => '#' + colour.match(/\\d+/g).slice(0, 3).map(
      part => Number(part).toString(16).padStart(2, '0')).join(''));
}"""


@pytest.fixture(scope="module")
def address(course_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a JupyterLab shows a notebook that is half done; settings are its own."""
    home = tmp_path_factory.mktemp("lab")
    folder = Path(shutil.copytree(course_root / "release" / NAME, home / "work" / NAME))
    fill(folder / f"{NAME}.ipynb")
    settings = home / "settings" / "@jupyterlab"
    for plugin, chosen in (
        ("notebook-extension/tracker", {"windowingMode": "none"}),
        ("apputils-extension/notification", {"fetchNews": "false", "checkForUpdates": False}),
    ):
        path = settings / f"{plugin}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(chosen))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
            *(f"--port={port}", "--IdentityProvider.token=", "--ServerApp.password="),
            f"--ServerApp.root_dir={home / 'work'}",
        ],
        env=os.environ
        | {
            "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
            "JUPYTER_CONFIG_DIR": str(home / "config"),
            "JUPYTER_DATA_DIR": str(home / "data"),
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/api")
        yield f"http://127.0.0.1:{port}/lab/tree/{NAME}/{NAME}.ipynb"
    finally:
        server.terminate()
        server.wait()


def fill(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = WRITTEN.get(grade_id(cell) or "", cell.source)
        if cell.metadata.get("prediction") == "k3":
            cell.source = PREDICTED
    nbformat.write(notebook, path)


def wait_for(address: str) -> None:
    for _ in range(240):
        try:
            urllib.request.urlopen(address)
            return
        except OSError:
            time.sleep(0.5)
    pytest.fail("JupyterLab did not start")


@pytest.fixture(scope="module")
def page(chromium: Any, address: str) -> Iterator[Any]:
    """The notebook, all of whose cells were run from the menu."""
    page = chromium.new_page(viewport={"width": 1250, "height": 900})
    page.set_default_timeout(120_000)
    page.goto(address)
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_selector("text=| Idle")
    page.locator(".lm-MenuBar-itemLabel", has_text="Run").first.click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.wait_for_selector(f"{REPORTS} dl")  # the last cell's
    yield page
    page.close()


def report(page: Any, exercise: str) -> Any:
    cell = page.locator(".jp-CodeCell").filter(has_text=f'check("{exercise}")')
    return cell.locator(".cr")


def test_run_all_reaches_the_last_cell_past_errors_of_every_kind(page: Any) -> None:
    prompts = page.locator(".jp-CodeCell .jp-InputPrompt").all_inner_texts()
    assert len(prompts) == 55
    assert all(any(letter.isdigit() for letter in prompt) for prompt in prompts)
    last = page.locator(f"{REPORTS} dl").inner_text()
    assert "Done (2)" in last
    assert "softmax, k3" in last
    assert "attention_weights (1 of 5 checks pass)" in last


def test_what_is_not_there_yet_is_told_in_a_line(page: Any) -> None:
    told = page.locator('.jp-OutputArea [data-mime-type="application/vnd.jupyter.stderr"]')
    texts = [text for text in told.all_inner_texts() if "SyntaxError" not in text]
    assert len(texts) > 15
    assert all(text.startswith("Not yet: ") and "\n" not in text.strip() for text in texts)
    assert "Not yet: this cell needs scaled_scores, which is not written yet." in texts


def test_a_prediction_is_answered(page: Any) -> None:
    assert report(page, "k3").inner_text().startswith("✓ k3: right.")


def test_what_passed_is_folded_and_opens(page: Any) -> None:
    passed = report(page, "softmax").locator("details").first
    assert "NumPy turns the scores" in passed.inner_text()
    values = passed.locator(".cr-side")
    assert not values.is_visible()
    passed.locator("summary").click()
    assert values.is_visible()


def test_what_differs_is_marked_and_both_tables_are_of_one_height(page: Any) -> None:
    failed = report(page, "attention_weights").locator("section").first
    assert failed.inner_text().startswith("Your columns sum to 1, your rows do not.")
    came, expected = failed.locator(".cr-side pre:not(.cr-wraps)").all()
    assert came.locator("mark").count() == expected.locator("mark").count() == 9
    boxes = came.bounding_box(), expected.bounding_box()
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["height"] == boxes[1]["height"]


def test_on_a_narrow_screen_the_values_scroll_in_their_own_box(page: Any) -> None:
    page.keyboard.press("Control+b")  # away with the list of files
    page.set_viewport_size({"width": 360, "height": 900})
    page.wait_for_timeout(1000)
    box = report(page, "attention_weights").locator(".cr-scroll").first
    called, came, expected = (one.bounding_box() for one in box.locator(".cr-column").all())
    assert called["y"] + called["height"] <= came["y"] == expected["y"]  # these two side by side
    sizes = box.evaluate("e => [e.scrollWidth > e.clientWidth, getComputedStyle(e).overflowX]")
    assert sizes == [True, "auto"]
    around = report(page, "attention_weights").evaluate("e => e.scrollWidth - e.clientWidth")
    assert around == 0
    page.set_viewport_size({"width": 1250, "height": 900})


def test_report_and_picture_follow_a_dark_theme(page: Any) -> None:
    light = report(page, "softmax").evaluate(COLOURS)
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    page.evaluate("document.documentElement.style.setProperty('--jp-layout-color0', '#111111')")
    page.evaluate("document.body.style.setProperty('--jp-layout-color0', '#111111')")
    dark = report(page, "softmax").evaluate(COLOURS)
    for ink, ground in (light, dark):
        assert contrast(ink, ground) >= 7
    assert light[1] == "#ffffff"
    assert dark[1] == "#111111"
    name = report(page, "softmax").locator("table th").first.evaluate(COLOURS)
    assert contrast(name[0], dark[1]) >= 4.5
