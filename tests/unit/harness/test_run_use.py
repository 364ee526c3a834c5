"""What steps took of models: known and unknown add up to unknown."""

from __future__ import annotations

from decimal import Decimal

from opspilot.connectors.ports import Completed
from opspilot.harness.running import uses
from opspilot.harness.running.uses import Use

ONE = Use("a", "a-1", 10, 2, Decimal("0.5"))


def test_no_model_is_no_token_and_no_cost() -> None:
    assert uses.of(None, Decimal(0)) == uses.NOTHING


def test_uses_add_up_under_the_later_model_s_name() -> None:
    later = Use("b", "b-1", 1, 1, Decimal(1))
    assert ONE + later == Use("b", "b-1", 11, 3, Decimal("1.5"))
    assert ONE + uses.NOTHING == ONE


def test_what_nobody_knows_stays_unknown() -> None:
    unknown = uses.of(Completed("", "c", "c"), None)
    total = ONE + unknown
    assert (total.tokens_in, total.tokens_out, total.cost) == (None, None, None)
