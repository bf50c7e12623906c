"""The cells of a dispute, one after the other, to paste below the student's code."""

from autograder.disputes.account import Dispute

MARK = "# %%"  # editors and Jupytext take what follows for a cell of its own
HANDLE_WITH_CARE = (
    "# For instructors: what follows holds numbers of the hidden tests. Keep it from students.\n"
    "# Paste a cell below the student's own cells, and run it there.\n"
)


def cells(dispute: Dispute) -> str:
    """The text of all cells; where one cannot be written, why."""
    parts = [HANDLE_WITH_CARE]
    for account in dispute.accounts:
        for one in account.shown:
            name = f"{account.exercise.name}, {one.test}"
            if one.cell:
                parts.append(f"{MARK}\n{one.cell}")
            elif one.call:
                parts.append(f"{MARK}\n# {name}: no cell can be written: {one.why_no_cell}.\n")
    return "\n\n".join(parts)
