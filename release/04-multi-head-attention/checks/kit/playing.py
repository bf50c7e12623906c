"""`play("step_size")`: a picture that moves where ipywidgets is installed, else some still ones."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ipywidgets import Widget

    from .moving import Control, Frame, Moving

# As wide as what is around it, and no reason for that to be any wider.
_BOX = "overflow-x:auto;width:0;min-width:100%"
# Room for two lines, so that nothing below it jumps when the sentence grows.
_SENTENCE = "margin:4px 0;line-height:1.4;min-height:2.8em;max-width:44em"

HOW_TO_MOVE = "Still pictures: with ipywidgets installed (pip install ipywidgets) this one moves."


def play(name: str) -> None:
    """Show a picture that moves, with what to turn and slide above it.

    Args:
        name: the picture's name, such as "step_size".
    Raises:
        ValueError: there is no picture of that name here.
    """
    from .discovery import modules_with_checks
    from .moving import pictures
    from .showing import in_notebook, present

    modules_with_checks()  # importing a module registers its pictures
    if name not in pictures:
        here = ", ".join(sorted(pictures)) or "nothing"
        raise ValueError(f"There is no picture {name!r} to play with here; there are: {here}.")
    picture = pictures[name]
    present(as_text(picture), _rich(picture) if in_notebook() else {})


def as_text(picture: Moving) -> str:
    """What a terminal shows: the still pictures in words."""
    return "\n".join(
        f"{picture.told(chosen)}. {picture.frame(**chosen).words}" for chosen in picture.stills
    )


def _rich(picture: Moving) -> dict[str, Any]:
    """What a notebook shows: the best of these that it can."""
    try:
        moves = as_widget(picture)
    except ImportError:
        return {"text/html": as_stills(picture, HOW_TO_MOVE)}
    # The kernel has ipywidgets; whether the page has them too, only the page knows.
    return {**moves._repr_mimebundle_(), "text/html": as_stills(picture, HOW_TO_MOVE)}


def as_stills(picture: Moving, note: str = "") -> str:
    """The still pictures in a row, each with its choice and its sentence."""
    shown = "".join(
        f'<div style="min-width:0"><p style="margin:0"><strong>'
        f"{escape(picture.told(chosen))}</strong></p>{as_html(picture.frame(**chosen))}</div>"
        for chosen in picture.stills
    )
    columns = "repeat(auto-fill,minmax(min(100%,360px),1fr))"
    row = f'<div style="display:grid;grid-template-columns:{columns};gap:16px 24px">{shown}</div>'
    return row + (f"<p><em>{escape(note)}</em></p>" if note else "")


def as_html(frame: Frame) -> str:
    """One picture with its words, and its sentence below it."""
    from matplotlib.figure import Figure  # not pyplot: the notebook's own figures stay as they are

    from .svg import as_svg, page_style

    with page_style():
        figure = Figure(figsize=frame.size, layout="constrained")
        frame.draw(figure)
    return (
        f'<div tabindex="0" style="{_BOX}">{as_svg(figure, frame.words)}</div>'
        f'<p style="{_SENTENCE}">{escape(frame.says)}</p>'
    )


def as_widget(picture: Moving) -> Widget:
    """The controls, and below them the picture, which follows them.

    Raises:
        ImportError: ipywidgets is not installed.
    """
    from ipywidgets import HTML, HBox, Layout, VBox

    controls = [_control(one, picture.stills[0][one.name]) for one in picture.controls]
    shown = HTML(layout=Layout(width="100%"))

    def redraw(_: object = None) -> None:
        values = [control.value for control in controls]
        names = [one.name for one in picture.controls]
        shown.value = as_html(picture.frame(**dict(zip(names, values, strict=True))))

    for control in controls:
        control.observe(redraw, "value")
    redraw()
    row = HBox(controls, layout=Layout(flex_flow="row wrap"))
    return VBox([row, shown])


def _control(control: Control, value: Any) -> Widget:
    from ipywidgets import Dropdown, Layout, SelectionSlider

    from .moving import Slider

    kind, width = (SelectionSlider, "320px") if isinstance(control, Slider) else (Dropdown, "240px")
    return kind(
        options=[(control.text(one), one) for one in control.values],
        value=value,
        description=control.label,
        style={"description_width": "initial"},
        layout=Layout(width=width, max_width="100%", margin="2px 24px 2px 2px"),
    )
