"""Row 23: names that lead elsewhere, or look like another's."""

from attack import Attack

BAD_NAME = "It is `bad_name`, with a detail that says why; nothing is written outside the course."

NAMES = tuple(
    Attack(slug, 23, does, BAD_NAME, folder=folder, ungraded=f"^bad_name: {detail}")
    for slug, does, folder, detail in (
        (
            "is-named-like-a-path",
            "The folder's name is a path on Windows.",
            "x\\..\\..\\y",
            r"the name has the character",
        ),
        (
            "is-named-without-end",
            "The folder's name has 200 characters.",
            "n" * 200,
            "the name has 200 characters; 100 are allowed",
        ),
        (
            "is-named-with-a-newline",
            "The folder's name holds a newline and a verdict.",
            "ada\n99 points",
            r"the name has the invisible character U\+000A",
        ),
        (
            "is-named-with-escapes",
            "The folder's name clears the terminal.",
            "ada\x1b[2J",
            r"the name has the invisible character U\+001B",
        ),
        (
            "is-named-backwards",
            "The folder's name turns round what follows it.",
            "ada\u202efdp",
            r"the name has the invisible character U\+202E",
        ),
        (
            "is-named-like-a-sibling",
            "The folder's name is another's, composed in another way.",
            "Zoe\u0308",
            "the name has hidden differences",
        ),
        (
            "is-named-with-a-space",
            "The folder's name is another's and a space.",
            "0-first ",
            "the name has hidden differences",
        ),
        (
            "is-named-like-a-pattern",
            "The folder's name is a pattern that fits every student.",
            "*",
            r"the name has the character",
        ),
        (
            "is-named-like-a-field",
            "The folder's name is a format field.",
            "{assignment_id}",
            r"the name has the character",
        ),
        (
            "is-named-like-markup",
            "The folder's name is HTML.",
            "<script>alert(1)",
            r"the name has the character",
        ),
        (
            "is-named-like-a-bidi-quote",
            "The folder's name ends a quotation in SQL and in HTML.",
            '"; drop table grade; --',
            r"the name has the character",
        ),
    )
)

LOOK_ALIKE = (
    Attack(
        "is-named-like-a-formula",
        23,
        "The folder's name is a spreadsheet's formula.",
        BAD_NAME,
        folder="=HYPERLINK(1)",
        ungraded="^bad_name: the name starts with '='",
    ),
    Attack(
        "is-named-in-another-alphabet",
        23,
        "The folder's name looks like another student's, in Cyrillic letters.",
        BAD_NAME,
        folder="0-fіrst",
        ungraded="^bad_name: the name mixes Cyrillic and Latin letters",
    ),
)
