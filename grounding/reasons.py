"""The reason an admin writes for an act on knowledge: asked for, and kept, in one way everywhere."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError
from opspilot.presentation.normal_form import nfc

MIN_REASON, MAX_REASON = 10, 500  # characters


class ReasonMissingError(InvalidInputError):
    code = "motivo_exigido"
    title = _("Falta o motivo")
    what = _("Diga por que, com 10 a 500 caracteres. Nada mudou.")
    next_step = _("Escreva o motivo e envie de novo: ele fica na trilha.")


def checked(reason: str) -> str:
    """As it is kept, in one line. Raises ReasonMissingError."""
    words = " ".join(nfc(reason).split())
    if not MIN_REASON <= len(words) <= MAX_REASON:
        raise ReasonMissingError
    return words
