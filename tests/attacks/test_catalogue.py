"""The catalogue is whole, readable and what the docs show."""

import ast
import re

from catalogue import ATTACKS, ON_PARTS
from page import PAGE, page
from runs import each_run
from threats import THREATS

EVERY = (*ATTACKS, *ON_PARTS)


def test_every_row_of_the_threats_has_an_attack():
    assert {attack.row for attack in EVERY} == set(THREATS)


def test_there_are_attacks_enough_and_no_two_share_a_name():
    slugs = [attack.slug for attack in EVERY]
    students = [attack.student for attack in EVERY]
    assert len(slugs) == len(set(slugs)) >= 200
    assert len(students) == len(set(students))


def test_every_entry_says_what_it_does_and_what_must_happen():
    for attack in EVERY:
        assert re.fullmatch(r"[a-z][a-z0-9-]+", attack.slug)
        for sentence in (attack.does, attack.must):
            assert re.fullmatch(r"[A-Z`].{9,}[.!]", sentence), (attack.slug, sentence)
        code, files = (attack.cell, attack.answer), (attack.beside, attack.place, attack.folder)
        assert any((*code, *files, attack.edit)), attack.slug


def test_every_attacks_code_is_python_and_short():
    for attack in EVERY:
        for source in (attack.cell, attack.answer or ""):
            assert len(source.splitlines()) <= 45, attack.slug
            if not source.startswith("%"):
                ast.parse(source)


def test_every_mode_and_user_is_there():
    assert len(each_run()) == 5


def test_the_page_in_the_docs_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(EVERY), (
        "run `PYTHONPATH=.:tests python tests/attacks/page.py`"
    )
