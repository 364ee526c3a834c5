"""A sum of money as people write it: reais, with or without centavos."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

_REAIS = re.compile(r"(\d{1,9})(?:[.,](\d{2}))?", re.ASCII)


class ReaisField(forms.CharField):
    """Gives whole centavos, None for nothing written. No sign for thousands: it could be read as
    the decimal one."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.TextInput(attrs={"inputmode": "decimal"}))
        kwargs.setdefault("help_text", gettext_lazy("Por exemplo 500 ou 500,00."))
        super().__init__(max_length=13, **kwargs)

    def clean(self, value: Any) -> Any:
        typed = str(super().clean(value)).strip()
        if not typed:
            return None
        found = _REAIS.fullmatch(typed)
        if found is None:
            raise ValidationError(_("Escreva um valor em reais, como 500 ou 500,00."))
        return int(found[1]) * 100 + int(found[2] or 0)


def written(centavos: int | None) -> str:
    """The sum as this field reads it back."""
    if centavos is None:
        return ""
    reais, rest = divmod(centavos, 100)
    return f"{reais},{rest:02d}" if rest else str(reais)
