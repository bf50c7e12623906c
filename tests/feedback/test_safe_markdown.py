"""Markdown as pages show it: pictures from the page and beside it, and no others."""

import pytest

from autograder.feedback.safe_markdown import markdown2html

SVG = {"image/svg+xml": "<svg/>"}


def shown(text, folder=None, attachments=None):
    place = {} if folder is None else {"resources": {"metadata": {"path": str(folder)}}}
    return markdown2html({"cell": {"attachments": attachments}, **place}, text)


def test_a_picture_is_shown_from_a_file_beside_the_notebook(tmp_path):
    (tmp_path / "my figures").mkdir()
    (tmp_path / "my figures" / "a:b.png").write_bytes(b"")
    text = "![a](my%20figures/a:b.png) [b](./my%20figures/a:b.png)"
    assert shown(text, tmp_path).count('"./my%20figures/a%3Ab.png"') == 2
    assert "<img" not in shown(text)


def test_a_text_says_the_same_whatever_was_beside_it_before(tmp_path):
    assert "<img" not in shown("![a](b.png)", tmp_path)
    (tmp_path / "b.png").write_bytes(b"")
    assert "<img" in shown("![a](b.png)", tmp_path)


@pytest.mark.parametrize("address", ["../b.png", "/b.png", "c/../b.png", "link.png", "b.png?c"])
def test_only_the_plain_address_of_a_plain_file_leads_to_it(tmp_path, address):
    folder = tmp_path / "submission"
    folder.mkdir()
    for place in (tmp_path, folder):
        (place / "b.png").write_bytes(b"")
    (folder / "link.png").symlink_to(folder / "b.png")
    assert shown(f"![a]({address})", folder) == f"<p>a ({address})</p>\n"


def test_an_attached_picture_is_shown():
    attachments = {"my plot.png": {"image/png": "AAAA"}}
    assert shown("![a](attachment:my%20plot.png)", attachments=attachments) == (
        '<p><img alt="a" src="data:image/png;base64,AAAA"></p>\n'
    )


@pytest.mark.parametrize("attachments", [None, {}, {"b.png": {}}, {"b.png": SVG}])
def test_a_picture_that_is_not_attached_does_not_stop_the_page(attachments):
    found = shown("![a](attachment:b.png)", attachments=attachments)
    assert found == "<p>a (attachment:b.png)</p>\n"


def test_a_large_picture_cannot_be_shown_a_thousand_times():
    attachments = {"b.png": {"image/png": "A" * 1000}}
    assert shown("![](attachment:b.png)" * 1000, attachments=attachments).count("<img") == 1
    assert attachments["b.png"]


def test_tasks_of_a_list_are_text():
    assert shown("- [ ] a\n- [x] b") == "<ul>\n<li>☐ a</li>\n<li>☑ b</li>\n</ul>\n"
    assert "<li><p>☑ a</p>" in shown("- [x] a\n\n  b")
