"""Strategies for text that would rather run: pieces of HTML, Markdown and formulas, strung up."""

from hypothesis import strategies as st

TAGS = ["<script>", "</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<", ">"]
TAGS += ["<details>", "</details>", "<details ontoggle=alert(1)>", "<b", "<p\n", "<br ", "<BR/>"]
TAGS += [
    "onclick=alert(1)",
    "style=",
    "<!--",
    "-->",
    "<![CDATA[",
    "<?",
    "<a href=",
    "<style>",
    "<b/",
]
TAGS += ["<iframe src=//x>", "<base href=//x>", "<form action=", "<xmp>", "<textarea>", "<x:y>"]
ENTITIES = [
    "&lt;",
    "&lt",
    "&#60;",
    "&#x3c;",
    "&colon;",
    "&Tab;",
    "&NewLine;",
    "&",
    "&amp;",
    ";",
    "&#",
]
ENTITIES += ["#x3c;", "&lpar;", "&bsol;", "&#106;avascript"]
ENTITIES += ["&bsol;href{", "javascript&colon;alert(1)", "&#x6a;avascript:", "&#60;script>"]
LINKS = ["javascript:", "java\tscript:", "JaVaScRiPt", "vbscript:", "data:text/html,", "script:"]
LINKS += ["data:image/svg+xml,", "data:image/png;base64,AA", "attachment:a.png", "attachment:", ":"]
LINKS += [
    "[a](",
    "](",
    ")",
    "![",
    "]",
    "\n[x]: ",
    "[x]",
    "[",
    "(<",
    "<https://a.b/",
    "https://a.b/?",
]
LINKS += ["www.", "<x@y.z>", "<javascript:", 'a "', '")', "alert(1)", "//", "%0a", "\\:", "\x01"]
FORMULAS = ["$", "$$", "\\(", "\\)", "\\[", "\\href{", "\\\\href{", "\\style{", "\\csname href"]
FORMULAS += ["\\begin{a}", "\\end{a}", "}", "{", "\\", "\\$", "\\def\\x", "\\hr", "ef{"]
BLOCKS = [
    "\n",
    "\n\n",
    "    ",
    "> ",
    "- ",
    "- [ ] ",
    "1. ",
    "# ",
    "|",
    "| a | b |\n|---|:-:|\n",
    ": ",
]
BLOCKS += ["`", "``", "```\n", "```mermaid\n", "```html\n", "```x onclick=1\n", "~~~", "***", "\r"]
WORDS = [
    "a",
    "é",
    " ",
    "*",
    "**",
    "_",
    "~~",
    '"',
    "'",
    "=",
    "/",
    "\x00",
    "\u202e",
    "{{",
    "{%",
    "\u2028",
]
WORDS += ["\ud7ff", "alert(1)", "title", "\t", "test_f", "[^1]", "\ufeff"]

PIECES = st.sampled_from([*TAGS, *ENTITIES, *LINKS, *FORMULAS, *BLOCKS, *WORDS])
# No lone surrogates: reading a notebook has replaced them.
UNICODE = st.text(st.characters(codec="utf-8"), max_size=12)
MARKDOWN = st.lists(PIECES | PIECES | PIECES | UNICODE, max_size=14).map("".join)
