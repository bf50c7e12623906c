"""axe-core in a real Chromium."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WCAG_2_1_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


@pytest.fixture(scope="session")
def violations(chromium: Any) -> Callable[..., list[str]]:
    """Opens a page and gives axe-core's violations of WCAG 2.1 AA, a line each."""
    from axe_playwright_python.sync_playwright import Axe

    def look(path: Path, width: int = 1280) -> list[str]:
        page = chromium.new_page(viewport={"width": width, "height": 720})
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

    return look


def _only_files(route) -> None:  # type: ignore[no-untyped-def]
    if route.request.url.startswith(("file:", "data:")):
        route.continue_()
    else:
        route.abort()
