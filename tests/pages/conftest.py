"""A real Chromium, and axe-core in it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

WCAG_2_1_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


@pytest.fixture(scope="session")
def violations() -> Iterator[Callable[..., list[str]]]:
    """Opens a page and gives axe-core's violations of WCAG 2.1 AA, a line each."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium is installed (Debian's package is called chromium)")
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # The pages are our own, and Chromium's own sandbox does not start for root.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

        def look(path: Path, width: int = 1280) -> list[str]:
            page = browser.new_page(viewport={"width": width, "height": 720})
            # MathJax and the like come from the network, which tests do without.
            page.route("**/*", lambda route: _only_files(route))
            page.goto(path.resolve().as_uri(), wait_until="domcontentloaded")
            found = Axe().run(page, options={"runOnly": {"type": "tag", "values": WCAG_2_1_AA}})
            page.close()
            return [
                f"{one['id']}: {node['html'][:200]}"
                for one in found.response["violations"]
                for node in one["nodes"]
            ]

        yield look
        browser.close()


def _only_files(route) -> None:  # type: ignore[no-untyped-def]
    if route.request.url.startswith(("file:", "data:")):
        route.continue_()
    else:
        route.abort()
