from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.utils import timezone, translation
from django.utils.safestring import SafeString

from opspilot.presentation.templatetags import opspilot as tags


def test_markup_in_a_text_is_escaped_even_when_called_safe() -> None:
    assert tags.visible(SafeString("<b>&</b>")) == "&lt;b&gt;&amp;&lt;/b&gt;"


def test_an_unseen_character_becomes_a_mark_with_words_and_code() -> None:
    with translation.override("pt-br"):
        shown = tags.visible("lote\u200b")
    mark = '<span class="inv"><span class="vh">caractere invisível </span>U+200B</span>'
    assert shown == f"lote{mark}"
    assert isinstance(shown, SafeString)


def test_a_letter_of_another_alphabet_stays_and_is_named_beside_it() -> None:
    shown = tags.visible("p\u0430g")
    assert shown.startswith('p\u0430<span class="inv">')
    assert "U+0430 CYRILLIC SMALL LETTER A</span>g" in shown


def test_nothing_is_shown_as_nothing() -> None:
    assert tags.visible(None) == ""


def test_a_moment_carries_its_offset_in_the_attribute() -> None:
    at = datetime(2026, 11, 30, 17, 21, 10, tzinfo=UTC)
    with timezone.override(ZoneInfo("America/Sao_Paulo")), translation.override("pt-br"):
        shown = tags.moment(at)
    stamp = "2026-11-30T14:21:10-03:00"
    assert shown == f'<time datetime="{stamp}">30/11/2026 14:21:10</time>'


def test_an_unknown_cost_is_said_and_not_zero() -> None:
    with translation.override("pt-br"):
        assert tags.centavos(None) == "não informado"
        assert tags.centavos(Decimal(0)) == "R$ 0,00"


@pytest.mark.parametrize(("level", "bars"), [("baixo", 1), ("medio", 2), ("alto", 3), ("?", 3)])
def test_an_unknown_risk_does_not_look_harmless(level: str, bars: int) -> None:
    assert tags.risk_bars(level) == bars


class Refusal(forms.Form):
    reason = forms.CharField(help_text="hint", widget=forms.Textarea(attrs={"placeholder": "x"}))


def test_a_control_is_tied_to_its_hint_and_its_error() -> None:
    html = tags.control(Refusal({"reason": ""})["reason"], bare=True)
    assert 'aria-describedby="id_reason_helptext id_reason_error"' in html
    assert 'placeholder="x"' not in html
