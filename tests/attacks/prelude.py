"""The cell that every hostile notebook starts with: where things are, and how to carry them out."""

from dataclasses import dataclass
from pathlib import Path

# MARK is put together when the code runs, so that finding it in a page means that something which
# the code said during hidden tests has come through, and not that the page shows the code.
TEXT = """
import os, sys, time
OWN = {own!r}
MARK = "-".join(("CARRIED", OWN))
COURSE, PROJECT, OUTSIDE = {course!r}, {project!r}, {outside!r}
TCP, UDP, VSOCK, ABSTRACT = {tcp}, {udp}, {vsock}, {abstract!r}
STREAM, DATAGRAM = OUTSIDE + "/stream.socket", OUTSIDE + "/datagram.socket"
HONEST, ASSIGNMENT = {honest!r}, {assignment!r}

GAINED = []
def attempt(*ways):
    gained = []
    for way in ways:
        try:
            gained.append(way())
        except BaseException as refused:
            print(type(refused).__name__)
    GAINED.extend(gained)
    return gained
"""
# What an attack answers that is after something to read: all that it got, where a page shows it.
LOOT = 'print("loot of", OWN, *(str(one)[:3000] for one in GAINED))'


@dataclass(frozen=True)
class Places:
    """What an attacker would want to know of the grading machine.

    Attributes:
        course: the course's folder.
        project: the folder that holds the autograder's own code.
        outside: a folder that every user may read and write.
        tcp, udp, vsock: ports that are listened on; 0 where there is none.
        abstract: name of an abstract Unix socket that is listened on, without its leading zero.
        honest: the name of an honest student.
    """

    course: Path
    project: Path
    outside: Path
    tcp: int
    udp: int
    vsock: int
    abstract: str
    honest: str

    def prelude(self, own: str, assignment: str) -> str:
        """The cell for one student."""
        return TEXT.format(
            own=own,
            course=str(self.course),
            project=str(self.project),
            outside=str(self.outside),
            tcp=self.tcp,
            udp=self.udp,
            vsock=self.vsock,
            abstract=self.abstract,
            honest=self.honest,
            assignment=assignment,
        ).strip()
