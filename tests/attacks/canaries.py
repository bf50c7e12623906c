"""Words that stand where no student may look: whoever can show one of them has been there."""

import secrets
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

# What the project's own hidden files say, in lines that no student has reason to write.
OF_THE_PROJECT = {
    "the hidden graders": "from autograder.judging.draw import Draw",
    "the solutions": "### BEGIN SOLUTION",
    "the quiz key": "attention-as-recurrence",
}


def word() -> str:
    """A word that stands nowhere else."""
    return f"canary{secrets.token_hex(8)}"


@dataclass(frozen=True)
class Canaries:
    """One word for each place that hides something.

    Attributes:
        gradebook: another student's name in the gradebook.
        secret: the course secret in its file.
        variable: the course secret in the environment, which wins over the file.
        environment: another variable of whoever grades.
        solutions: a file among the solutions.
        outside: a file outside the course that every user may read.
        configuration: a comment in the configuration of the course.
        home: a file in the home folder of whoever grades, for the passwords of servers.
        students: one in the notebook of each student, by the student's name.
    """

    gradebook: str = field(default_factory=word)
    secret: str = field(default_factory=word)
    variable: str = "canary5eed5eed5eed5eed"  # always the same: hidden inputs depend on it
    environment: str = field(default_factory=word)
    solutions: str = field(default_factory=word)
    outside: str = field(default_factory=word)
    configuration: str = field(default_factory=word)
    home: str = field(default_factory=word)
    students: dict[str, str] = field(default_factory=dict)

    @property
    def variables(self) -> dict[str, str]:
        """What the environment of the grading command holds."""
        return {"AUTOGRADER_SECRET": self.variable, "TOKEN_OF_THE_EXCHANGE": self.environment}

    def plant(self, course: Path, outside: Path, home: Path) -> None:
        """Put the words in their places; those of students go into their notebooks."""
        with sqlite3.connect(course / "gradebook.db") as gradebook:
            gradebook.execute(
                "insert into student (id, last_name) values (?, ?)", ("x", self.gradebook)
            )
        (course / ".autograder").mkdir(exist_ok=True)
        (course / ".autograder" / "secret").write_text(self.secret)
        (course / "solutions" / "hints_for_staff.py").write_text(f'"""{self.solutions}"""\n')
        (outside / "everyone.txt").write_text(self.outside)
        (home / ".netrc").write_text(f"machine exchange password {self.home}\n")
        with open(course / "course_config.py", "a", encoding="utf-8") as configuration:
            configuration.write(f"\n# {self.configuration}\n")

    def seen_in(self, text: str, own: str) -> list[str]:
        """The places that a text tells of.

        Args:
            text: what a student could come to see.
            own: that student, whose own word may be there.
        """
        places = {
            "the gradebook": self.gradebook,
            "the file of the course secret": self.secret,
            "the course secret in the environment": self.variable,
            "the environment": self.environment,
            "a file of the solutions": self.solutions,
            "a file outside the course": self.outside,
            "the configuration": self.configuration,
            "the home folder": self.home,
        } | OF_THE_PROJECT
        places |= {
            f"the work of {name}": said for name, said in self.students.items() if name != own
        }
        return [place for place, said in places.items() if said in text]
