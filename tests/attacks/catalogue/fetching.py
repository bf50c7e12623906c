"""Row 34: having a page fetch something, or lead somewhere."""

from attack import Attack
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

SHOWN = "It is shown as text; nothing is fetched, and no click leads there."


def fetches(slug: str, does: str, *forms: str) -> Attack:
    """An attack by text cells, in each of which `{word}` names the attack."""

    def write(notebook: NotebookNode) -> None:
        texts = (form.replace("{word}", f"run-{slug}") for form in forms)
        notebook.cells += [new_markdown_cell(text) for text in texts]

    return Attack(slug, 34, does, SHOWN, edit=write)


FETCHING = (
    fetches(
        "shows-pictures-from-elsewhere",
        "Text cells show pictures of another server, by each form that Markdown has.",
        "![x](http://127.0.0.1/{word}.png) ![x](<//127.0.0.1/{word}.png>)",
        "[![x](https://127.0.0.1/{word}.png)](https://127.0.0.1/{word})",
        "![x][r] ![r]\n\n[r]: http://127.0.0.1/{word}.png",
        "| a |\n|---|\n| ![x](ftp://127.0.0.1/{word}.png) |",
    ),
    fetches(
        "asks-the-server-that-shows-it",
        "Pictures and links are addresses of the server that shows the page, such as `/logout`.",
        "![x](/logout?{word}) ![x](../../logout?{word}) ![x](?{word}) ![x](next#{word})",
        "![x](figures/../../../api/{word}) ![x](%2e%2e/%2e%2e/{word}) ![x](/files/{word})",
        "[x](/logout?{word}) [x](../../api/shutdown/{word}) [x](file:///{word})",
    ),
    fetches(
        "spells-addresses-oddly",
        "Addresses are spelled with entities, backslashes, blanks and signs that browsers drop.",
        "![x](&#104;ttp&colon;//127.0.0.1/{word}) ![x](&sol;&sol;127.0.0.1/{word})",
        r"![x](\\127.0.0.1/{word}) ![x](\/\127.0.0.1/{word}) ![x](http:\\127.0.0.1/{word})",
        "![x](<h\tttp://127.0.0.1/{word}>) ![x](<\u2028//127.0.0.1/{word}>)",
        "![x](files///127.0.0.1/{word}) ![x](HTTP:127.0.0.1/{word}) ![x](data:,{word})",
    ),
    fetches(
        "fetches-by-html",
        "HTML in text has a browser fetch: sets of sources, style sheets, vector graphics, media.",
        "<img srcset='//127.0.0.1/{word} 2x'> <picture><source srcset='//127.0.0.1/{word}'>",
        "<link rel=prefetch href=//127.0.0.1/{word}><link rel=stylesheet href=/{word}.css>",
        "<style>@import '//127.0.0.1/{word}'; p {background: url(/{word})}</style>",
        "<svg><image href=//127.0.0.1/{word} /><use href='/{word}#x'/></svg>",
        "<video poster=/{word}><source src=/{word}></video><input type=image src=/{word}>",
        "<table background=/{word}><tr><td style='background: url(/{word})'>x</td></tr></table>",
        "```mermaid\n</pre><img src='/{word}'>\n```",
    ),
)
