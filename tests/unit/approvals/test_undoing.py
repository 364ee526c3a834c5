from __future__ import annotations

import pytest

from approvals.execution import undoing
from audit.vocabulary import ACTIONS

ACTED_ON = [name for name, action in ACTIONS.items() if action.effect or action.external]


@pytest.mark.parametrize("kind", ACTED_ON)
def test_every_kind_that_acts_says_how_it_is_undone_or_that_it_is_not(kind: str) -> None:
    found = undoing.of(kind)
    assert found.how or found.never
    assert (found.state == "done") == ACTIONS[kind].reversible


def test_an_issue_is_closed_and_what_was_read_stays_read() -> None:
    found = undoing.of("issue.criada")
    assert "fecha a issue" in str(found.how)
    assert "já leu" in str(found.never)


def test_a_kind_nobody_registered_is_taken_for_one_that_cannot_be_undone() -> None:
    found = undoing.of("foguete.lancado")
    assert (found.state, str(found.how)) == ("attention", "")
    assert found.never
