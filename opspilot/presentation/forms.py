"""Forms that refuse what they do not know, instead of ignoring it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from opspilot.errors import FormPage, InvalidInputError, LaterError

# What the framework itself adds to a POST.
_ALLOWED = frozenset({"csrfmiddlewaretoken"})


class UnknownFieldError(InvalidInputError):
    """A field nobody asked for: client data never widens what a form means (I7)."""

    code = "campo_desconhecido"
    what = _("O envio traz campos que esta página não tem. Nada foi gravado.")
    next_step = _("Abra a página de novo e preencha só os campos que ela mostra.")


class StrictForm(forms.Form):
    def unknown_fields(self) -> list[str]:
        known = {self.add_prefix(name) for name in self.fields}
        return sorted(set(self.data) - known - _ALLOWED)


class ActForm(StrictForm):
    """An act with nothing to fill in."""


@contextmanager
def keeping_what_was_typed(template: str, build: Callable[[], dict[str, Any]]) -> Iterator[None]:
    """A refusal inside shows this page again, with the form as it was filled in."""
    try:
        yield
    except (InvalidInputError, LaterError) as exc:
        exc.page = FormPage(template, build)
        raise


def checked(form: StrictForm) -> dict[str, Any]:
    """The cleaned data, or the refusal that names what is wrong."""
    if form.unknown_fields():
        raise UnknownFieldError
    if not form.is_valid():
        names = ", ".join(
            str(form.fields[name].label or name) for name in form.errors if name in form.fields
        )
        raise InvalidInputError(_("Confira: %(fields)s.") % {"fields": names or "…"})
    return dict(form.cleaned_data)
