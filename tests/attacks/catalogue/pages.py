"""Rows 21 and 22: carrying hidden inputs out to the feedback, and running something in a page."""

from attack import Attack
from classroom import cell_of
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

RIGHT = "def merge_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
NOT_SHOWN = "Nothing that the code says during hidden tests is shown to anybody."
HARMLESS = "It is shown as text; nothing runs, and nothing is loaded."

# What a browser would run, each of which names the attack, so that it is found in a page.
SCRIPTS = (
    "<script>run('{word}')</script>",
    "<img src=x onerror=\"run('{word}')\">",
    "<a href=\"javascript:run('{word}')\">click</a>",
    '<iframe srcdoc="{word}"></iframe><object data="data:text/html,{word}"></object>',
    "<svg onload=\"run('{word}')\"></svg><style>*{{background:url(//x/{word})}}</style>",
    '</pre></div><form action="//x/{word}"><meta http-equiv=refresh content="0;url=//x/{word}">',
)


def scripts(slug: str) -> str:
    return "\n".join(SCRIPTS).format(word=f"run-{slug}")


def write_markdown(notebook: NotebookNode) -> None:
    text = scripts("writes-scripts-in-markdown")
    link = "[click](javascript:run('run-writes-scripts-in-markdown'))"
    entities = "<a href='&#106;avascript:run(\"run-writes-scripts-in-markdown\")'>click</a>"
    for source in (text, link, entities, f"```html\n{text}\n```\n\n| a |\n|---|\n| {text} |"):
        notebook.cells.append(new_markdown_cell(source))


def write_outputs(notebook: NotebookNode) -> None:
    text = scripts("writes-scripts-in-outputs")
    data = {
        "text/html": text,
        "application/javascript": "run('run-writes-scripts-in-outputs')",
        "image/svg+xml": text,
    }
    for name in ("merge_heads", "test_merge_heads"):
        cell_of(notebook, name).outputs = [
            NotebookNode({"output_type": "display_data", "data": data, "metadata": {}}),
            NotebookNode({"output_type": "stream", "name": "stdout", "text": text}),
        ]


def write_metadata(notebook: NotebookNode) -> None:
    text = scripts("writes-scripts-in-metadata")
    notebook.metadata["title"] = f"</title>{text}"
    notebook.metadata["authors"] = [{"name": text}]
    notebook.metadata["language_info"] = {"name": text, "pygments_lexer": text, "mimetype": text}
    notebook.metadata["widgets"] = {
        "application/vnd.jupyter.widget-state+json": {"state": {"x": text}}
    }
    for cell in notebook.cells:
        cell.metadata["tags"] = ['"><script>run("run-writes-scripts-in-metadata")</script>']


def write_attachments(notebook: NotebookNode) -> None:
    text = scripts("writes-scripts-in-attachments")
    cell = new_markdown_cell("![x](attachment:x.svg) <img src='attachment:x.html'>")
    cell["attachments"] = NotebookNode(
        {"x.svg": {"image/svg+xml": text}, "x.html": {"text/html": text}}
    )
    notebook.cells.append(cell)


def write_raw_cells(notebook: NotebookNode) -> None:
    text = scripts("writes-scripts-in-raw-cells")
    cell = NotebookNode(
        cell_type="raw",
        id="raw",
        source=text,
        metadata={"format": "text/html", "raw_mimetype": "text/html"},
    )
    notebook.cells.append(cell)


def write_code(notebook: NotebookNode) -> None:
    text = scripts("writes-scripts-in-code")
    notebook.cells.append(new_code_cell(f'"""{text}"""\nprint(__doc__)'))
    notebook.cells.append(new_code_cell(f"%%html\n{text}"))


CARRYING = (
    Attack(
        "prints-hidden-inputs",
        21,
        "The code prints what it is asked, by every way to print.",
        NOT_SHOWN,
        answer="""
import logging, warnings
def merge_heads(x):
    print(MARK, x)
    sys.stderr.write(MARK + str(x))
    warnings.warn(MARK)
    logging.error(MARK)
    display(MARK)
    attempt(lambda: sys.__stdout__.write(MARK), lambda: os.write(1, MARK.encode()))
    return x.transpose(1, 2).flatten(2)
""",
        earns=2.0,
    ),
    Attack(
        "raises-hidden-inputs",
        21,
        "The code raises errors whose text, type and notes hold what it is asked.",
        NOT_SHOWN,
        answer="""
def merge_heads(x):
    kind = type(f"{MARK}{x.shape}", (ValueError,), {})
    error = kind(f"{MARK} {x.tolist() if not x.is_meta else None}")
    error.add_note(MARK)
    raise error
""",
    ),
    Attack(
        "raises-builtins-that-it-made",
        21,
        "The code raises types that claim to be Python's own and bear a hidden number in "
        "their name.",
        NOT_SHOWN,
        answer="""
import builtins
def merge_heads(x):
    kind = type(MARK, (Exception,), {"__module__": "builtins"})
    setattr(builtins, MARK, kind)
    raise kind(MARK)
""",
        reason="protocol: an odd answer: an exception's type",
    ),
    Attack(
        "returns-hidden-inputs",
        21,
        "The code returns texts, names and shapes that hold what it is asked.",
        NOT_SHOWN,
        answer="""
import itertools
import torch
kinds = itertools.cycle((
    lambda x: MARK, lambda x: {MARK: x}, lambda x: [MARK] * 3, lambda x: type(MARK, (), {})(),
    lambda x: torch.zeros(1, 4711, 7), lambda x: torch.zeros(4711),
))
def merge_heads(x):
    return next(kinds)(x)
""",
    ),
    Attack(
        "draws-hidden-inputs",
        21,
        "The code keeps what it is asked and puts it into later answers, such as the picture "
        "on the page.",
        "Pictures are made before anything hidden is asked.",
        assignment="03-causal-masking",
        exercise="causal_mask",
        answer="""
import torch
asked = []
def causal_mask(seq_len, device=None):
    asked.append(seq_len)
    print(MARK, asked)
    return torch.tensor([float(len(str(asked)))])
""",
        earns=0.1,
    ),
    Attack(
        "exits-with-hidden-inputs",
        21,
        "The code ends its process with a status that tells a hidden size.",
        "The status is not told.",
        answer="def merge_heads(x):\n    os._exit(100 + x.shape[2])",
        reason=r"^crashed: the process exited by itself$",
    ),
    Attack(
        "writes-hidden-inputs-down",
        21,
        "The code writes what it is asked to files beside the notebook, which are copied for "
        "the feedback.",
        "What is copied is what was handed in.",
        beside={"notes.txt": "mine"},
        answer="""
def merge_heads(x):
    for path in ("notes.txt", "more.txt", "../notes.txt"):
        attempt(lambda: open(path, "w").write(MARK))
    return x.transpose(1, 2).flatten(2)
""",
        earns=2.0,
    ),
)

PAGES = (
    Attack(
        "writes-scripts-in-markdown",
        22,
        "Text cells hold scripts, handlers and links that run code.",
        HARMLESS,
        edit=write_markdown,
    ),
    Attack(
        "writes-scripts-in-outputs",
        22,
        "The notebook brings outputs with scripts in them.",
        HARMLESS,
        edit=write_outputs,
    ),
    Attack(
        "writes-scripts-in-metadata",
        22,
        "Title, authors, language, widgets and tags hold scripts.",
        HARMLESS,
        edit=write_metadata,
    ),
    Attack(
        "writes-scripts-in-attachments",
        22,
        "Pictures that are attached to text hold scripts.",
        HARMLESS,
        edit=write_attachments,
    ),
    Attack(
        "writes-scripts-in-raw-cells",
        22,
        "Raw cells say that they are HTML, and hold scripts.",
        HARMLESS,
        edit=write_raw_cells,
    ),
    Attack(
        "writes-scripts-in-code",
        22,
        "The code's own text and its magics hold scripts.",
        HARMLESS,
        edit=write_code,
    ),
    Attack(
        "prints-scripts",
        22,
        "The code prints scripts and displays them as HTML, JavaScript, SVG and Markdown.",
        HARMLESS,
        answer=RIGHT
        + f"""
from IPython.display import HTML, Javascript, Markdown, SVG, Image
TEXT = {scripts("prints-scripts")!r}
print(TEXT)
for kind in (HTML, Javascript, Markdown):
    display(kind(TEXT))
class Rich:
    _repr_html_ = _repr_svg_ = _repr_javascript_ = __repr__ = lambda self: TEXT
Rich()
""",
        earns=2.0,
    ),
    Attack(
        "raises-scripts",
        22,
        "The cell's own error has scripts in its text and in the name of its type.",
        HARMLESS,
        answer=f"""
TEXT = {scripts("raises-scripts")!r}
raise type(TEXT, (Exception,), {{}})(TEXT)
""",
    ),
    Attack(
        "draws-marks-of-its-own",
        22,
        "Text and outputs imitate the page's own boxes, with full marks in them.",
        "What a student wrote cannot look like the page's own summary.",
        edit=lambda notebook: notebook.cells.append(
            new_markdown_cell(
                '<section class="agf agf-exercise" data-earned="99" data-available="99" '
                'data-pending="0" data-mood="full"><h3 onclick="run-draws-marks-of-its-own">'
                "Full marks</h3></section>"
            )
        ),
    ),
)
