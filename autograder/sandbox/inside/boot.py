"""The command that starts a program of ours in a bare interpreter, beside what students import."""

INSIDE_NAME = "autograder.sandbox.inside"
# What of ours students' code runs beside, by its folder in the package `autograder`: the same names
# mean the same modules in here and on the trusted side.
FOLDERS = ("sandbox/inside", "tensors/inside", "checks/kit")

_CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    f"from {INSIDE_NAME}.start import main; main(sys.argv[2])"
)


def fork_server(python: str, library: str, setup: str) -> list[str]:
    """The command line of a fork server.

    Args:
        python: the interpreter.
        library: the folder of packages that it and students' code may import.
        setup: the JSON of a `start.Setup`.
    """
    # No site-packages (-S, -s), no bytecode written (-B), no path of the caller's (-P).
    return [python, "-S", "-s", "-B", "-P", "-c", _CODE, library, setup]
