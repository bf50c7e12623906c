"""Draws a heatmap anew from what is told of it; see `autograder.checks.kit.drawn`."""

from typing import Any


def redraw(shown: dict[str, Any], axes: Any) -> Any:
    """Draw what an Axes shows.

    Args:
        shown: the attributes of a DrawnAxes by name.
        axes: where to draw; None makes a new figure.
    Returns:
        the Axes that were drawn in.
    """
    from matplotlib import pyplot

    if axes is None:
        axes = pyplot.figure(layout="constrained").add_subplot()
    low, high = shown["mesh_limits"]
    image = axes.imshow(shown["mesh"], vmin=low, vmax=high)
    axes.figure.colorbar(image, ax=axes)
    axes.set_xticks(shown["xticks"], shown["xticklabels"], rotation=90)
    axes.set_yticks(shown["yticks"], shown["yticklabels"])
    axes.set(xlabel=shown["xlabel"], ylabel=shown["ylabel"])
    return axes
