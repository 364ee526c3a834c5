"""The forms of the account pages of this room."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from opspilot.preferences import zones
from opspilot.presentation.forms import StrictForm
from opspilot.tenancy.preferences import Contrast, Density, Preferences, Theme

# The words of the form's own language, as each reader of it knows them.
_LANGUAGES = (("", _("O do navegador")), ("pt-br", "Português"), ("en", "English"))


class PreferencesForm(StrictForm):
    idioma = forms.ChoiceField(
        label=_("Idioma"), choices=_LANGUAGES, required=False, widget=forms.RadioSelect
    )
    fuso = forms.ChoiceField(
        label=_("Fuso horário"),
        choices=zones.choices,
        required=False,
        help_text=_("Datas e horas de todas as páginas aparecem neste fuso, com o nome dele."),
    )
    tema = forms.ChoiceField(label=_("Tema"), choices=Theme.choices, widget=forms.RadioSelect)
    contraste = forms.ChoiceField(
        label=_("Contraste"), choices=Contrast.choices, widget=forms.RadioSelect
    )
    densidade = forms.ChoiceField(
        label=_("Densidade das listas"), choices=Density.choices, widget=forms.RadioSelect
    )
    atalhos = forms.BooleanField(
        label=_("Atalhos de uma tecla"),
        required=False,
        help_text=_("Desligados, uma letra não faz nada. Ctrl+Enter continua a confirmar."),
    )
    proxima = forms.BooleanField(
        label=_("Depois de decidir, abrir a próxima"),
        required=False,
        help_text=_("Desligado, a fila volta a abrir."),
    )

    avisos = forms.BooleanField(
        label=_("Avisos por e-mail"),
        required=False,
        help_text=_(
            "Desligados, só chega o que ficou parado: decisão passada ao seu papel e resultado "
            "desconhecido."
        ),
    )

    @classmethod
    def showing(cls, preferences: Preferences) -> PreferencesForm:
        return cls(
            initial={
                "idioma": preferences.language,
                "fuso": preferences.time_zone,
                "tema": preferences.theme,
                "contraste": preferences.contrast,
                "densidade": preferences.density,
                "atalhos": preferences.shortcuts,
                "proxima": preferences.next_item,
                "avisos": preferences.mail_notices,
            }
        )


def chosen(data: dict[str, Any]) -> Preferences:
    """The preferences a checked form asks for."""
    return Preferences(
        language=data["idioma"],
        time_zone=data["fuso"],
        theme=data["tema"],
        contrast=data["contraste"],
        density=data["densidade"],
        shortcuts=data["atalhos"],
        next_item=data["proxima"],
        mail_notices=data["avisos"],
    )


class LanguageForm(StrictForm):
    language = forms.ChoiceField(choices=settings.LANGUAGES)
    next = forms.CharField(required=False, max_length=2000)


class ShortcutsForm(StrictForm):
    atalhos = forms.ChoiceField(choices=(("ligados", ""), ("desligados", "")))


class TenantForm(StrictForm):
    empresa = forms.UUIDField()
