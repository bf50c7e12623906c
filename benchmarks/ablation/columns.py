"""The sets of layers that are tried: none, each alone, the modes, and the full one less each."""

from autograder.sandbox.inside.layers import (
    ALL,
    CLOSED,
    LANDLOCK,
    LAYERS_OF,
    LIMITS,
    NAMESPACES,
    SECCOMP,
    USER,
)

IN_ORDER = (USER, NAMESPACES, LANDLOCK, SECCOMP, LIMITS, CLOSED)

# Without its namespaces, the full mode is the fallback.
COLUMNS: dict[str, frozenset[str]] = {
    "nothing": frozenset(),
    **{layer: frozenset({layer}) for layer in IN_ORDER},
    "fallback": LAYERS_OF["fallback"],
    "full": LAYERS_OF["full"],
    **{f"full-{layer}": ALL - {layer} for layer in IN_ORDER if layer != NAMESPACES},
}
