"""Words that a person types and the console keeps: a reason, a basis, a name of something."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError

from audit.guard.refusing import ForbiddenContentError, refuse


class WordsField(forms.CharField):
    """A secret, CPF, CNPJ or card is told of where it was typed, and never kept."""

    def validate(self, value: str) -> None:
        super().validate(value)
        try:
            refuse({"": value})
        except ForbiddenContentError as exc:
            raise ValidationError(f"{exc.title}. {exc.next_step}") from exc
