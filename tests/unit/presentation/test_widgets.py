"""The widgets that are drawn without a template look as Django's templates draw them."""

from __future__ import annotations

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates

from opspilot.presentation.widgets import Renderer

PEOPLE = [("", "—"), ("usuario-1", "operador <1>"), ("agente-2", 'agente "2"')]
WIDGETS = {
    "select": forms.Select(choices=PEOPLE),
    "select with attributes": forms.Select({"class": "input", "required": True}, PEOPLE),
    "select of groups": forms.Select(choices=[("Um", PEOPLE), ("x", "y"), ("Dois", [(1, 2)])]),
    "select of several": forms.SelectMultiple(choices=PEOPLE),
    "select of three": forms.NullBooleanSelect(),
    "textarea": forms.Textarea({"rows": 3, "disabled": False, "aria-label": 'a "b" <c>'}),
    "text": forms.TextInput({"class": "input"}),
    "radio": forms.RadioSelect(choices=PEOPLE),
    "checkbox": forms.CheckboxInput(),
}


@pytest.mark.parametrize("value", [None, "", "usuario-1", 'linha\n<b> & "outra"', 1])
@pytest.mark.parametrize("name", WIDGETS)
def test_a_widget_is_what_django_would_draw(name: str, value: object) -> None:
    widget = WIDGETS[name]
    ours, stock = (
        widget.render("campo", value, {"id": "id_campo"}, renderer)
        for renderer in (Renderer(), DjangoTemplates())
    )
    assert ours == stock
