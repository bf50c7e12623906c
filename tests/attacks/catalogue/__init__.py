"""The catalogue of attacks: one entry an attack, by theme."""

from attack import Attack

from catalogue.beside import BESIDE
from catalogue.ending import ENDING
from catalogue.fetching import FETCHING
from catalogue.files import INSTEAD
from catalogue.forged_questions import FORGED_QUESTIONS
from catalogue.limits import LIMITS
from catalogue.lingering import LINGERING
from catalogue.lying_parts import LYING_PARTS
from catalogue.names import LOOK_ALIKE, NAMES
from catalogue.network import NETWORK
from catalogue.notebooks import CLAIMS, COPIES, EDITS
from catalogue.odd_values import ODD_VALUES
from catalogue.outliving import OUTLIVING
from catalogue.pages import CARRYING, PAGES
from catalogue.patching_the_judge import PATCHING
from catalogue.protocol import PROTOCOL
from catalogue.questions import LARGE_QUESTIONS
from catalogue.reading import READING
from catalogue.shortcuts import BY_A_STAND_IN, SHORTCUTS
from catalogue.siblings import SIBLINGS
from catalogue.writing import WRITING

ATTACKS: tuple[Attack, ...] = (
    *READING,
    *NETWORK,
    *WRITING,
    *PATCHING,
    *ODD_VALUES,
    *ENDING,
    *LINGERING,
    *PROTOCOL,
    *SHORTCUTS,
    *EDITS,
    *COPIES,
    *LIMITS,
    *SIBLINGS,
    *OUTLIVING,
    *CARRYING,
    *PAGES,
    *FETCHING,
    *NAMES,
    *LOOK_ALIKE,
    *INSTEAD,
    *BESIDE,
    *CLAIMS,
)

# These are graded in a class of their own, whose exercises build on one another.
ON_PARTS: tuple[Attack, ...] = (
    *LYING_PARTS,
    *LARGE_QUESTIONS,
    *FORGED_QUESTIONS,
    *BY_A_STAND_IN,
)
