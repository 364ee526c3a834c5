"""What a preference means, without a person or a database."""

from __future__ import annotations

import pytest
from django.utils import translation

from opspilot.preferences import zones
from opspilot.preferences.forms import PreferencesForm, chosen
from opspilot.tenancy.preferences import Preferences

ASKED = {
    "idioma": "en",
    "fuso": "America/Manaus",
    "tema": "dark",
    "contraste": "more",
    "densidade": "compact",
}


def labels() -> list[str]:
    """What stands in the list, groups by their own name."""
    with translation.override("pt-br"):
        return [
            str(first if isinstance(second, list) else second) for first, second in zones.choices()
        ]


def test_whoever_chose_nothing_gets_the_browser_s_language_and_the_console_s_zone() -> None:
    assert Preferences().language == ""
    assert Preferences().zone is None


@pytest.mark.parametrize(
    ("theme", "scheme"), [("system", "light dark"), ("light", "light"), ("dark", "dark")]
)
def test_the_browser_s_own_controls_follow_the_theme(theme: str, scheme: str) -> None:
    assert Preferences(theme=theme).color_scheme == scheme


def test_a_zone_is_found_by_its_name() -> None:
    assert str(Preferences(time_zone="America/Noronha").zone) == "America/Noronha"


@pytest.mark.parametrize("name", ["America/Atlantis", "../etc/passwd", "America"])
def test_a_zone_this_machine_does_not_know_counts_as_none_chosen(name: str) -> None:
    assert Preferences(time_zone=name).zone is None


def test_brazil_stands_before_every_other_place() -> None:
    assert labels()[:3] == ["Do console (America/Sao_Paulo)", "Brasil", "África"]


def test_the_zones_of_brazil_say_their_offset() -> None:
    groups = [group for _label, group in zones.choices() if isinstance(group, list)]
    assert ("America/Noronha", "Noronha (UTC−2)") in groups[0]


def test_a_zone_is_offered_once() -> None:
    groups = [group for _label, group in zones.choices() if isinstance(group, list)]
    names = [name for group in groups for name, _label in group]
    assert len(names) == len(set(names)) > 300


def test_the_form_becomes_the_preferences_it_shows() -> None:
    form = PreferencesForm(ASKED)
    assert form.is_valid(), form.errors
    assert chosen(form.cleaned_data) == Preferences(
        language="en",
        time_zone="America/Manaus",
        theme="dark",
        contrast="more",
        density="compact",
        shortcuts=False,
        next_item=False,
        mail_notices=False,
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [("idioma", "fr"), ("fuso", "America/Atlantis"), ("tema", "sepia"), ("densidade", "")],
)
def test_a_choice_that_is_not_offered_is_refused(field: str, value: str) -> None:
    assert field in PreferencesForm(ASKED | {field: value}).errors


def test_the_form_opens_with_what_holds_now() -> None:
    now = Preferences(theme="dark", next_item=False)
    initial = PreferencesForm.showing(now).initial
    assert (initial["tema"], initial["proxima"], initial["atalhos"]) == ("dark", False, True)
