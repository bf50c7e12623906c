"""axe-core in a real Chromium."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WCAG_2_1_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


@pytest.fixture(scope="session")
def violations(chromium: Any) -> Callable[..., list[str]]:
    """Opens a page and gives axe-core's violations of WCAG 2.1 AA, a line each.

    A page that asks the network for anything has that among them.
    """
    from axe_playwright_python.sync_playwright import Axe

    def look(path: Path, width: int = 1280, scheme: str = "light") -> list[str]:
        # axe-core comes in as a script, which no page of ours would let in.
        page = chromium.new_page(
            viewport={"width": width, "height": 720}, color_scheme=scheme, bypass_csp=True
        )
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.resolve().as_uri(), wait_until="load")
        # What is folded would not be looked at.
        page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
        found = Axe().run(page, options={"runOnly": {"type": "tag", "values": WCAG_2_1_AA}})
        page.close()
        fetched = [url for url in asked if not url.startswith(("file:", "data:"))]
        return [f"asks for {url}" for url in fetched] + [
            f"{one['id']}: {node['html'][:200]}"
            for one in found.response["violations"]
            for node in one["nodes"]
        ]

    return look
