"""What a person is told when no file can be kept for them."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import RefusedError


class NoFolderError(RefusedError):
    """The installation has no place for files that people take along."""

    code = "exportacao_sem_pasta"
    title = _("Este console ainda não exporta")
    what = _("Nenhuma pasta de exportação está configurada nesta instalação.")
    next_step = _("Peça a quem cuida da instalação que configure OPSPILOT_EXPORT_DIR.")
