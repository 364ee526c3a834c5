"""Why a source cannot be added, or could not be read."""

from __future__ import annotations

from typing import Literal

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError

Code = Literal[
    "desligada", "sem_git", "fora_da_raiz", "nao_existe", "nao_e_repositorio", "sem_ramo",
    "arquivos_demais", "vazia", "git_falhou",
]  # fmt: skip


class UnreadableSourceError(Exception):
    """The source cannot be read now; `code` says why, and the page has the words."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.code: Code = code


class SourceRefusedError(InvalidInputError):
    """`detail` is the page's sentence for the same code."""

    code = "fonte_recusada"
    title = _("Esta fonte não pode ser incluída")
    what = _("A fonte não pode ser lida. Nada foi gravado.")
    next_step = _("Confira o caminho com quem opera o console e envie de novo.")


class AlreadyFedError(InvalidInputError):
    code = "colecao_ja_tem_fonte"
    title = _("Esta coleção já tem uma fonte")
    what = _("Cada coleção é mantida por uma fonte só. Nada foi gravado.")
    next_step = _("Escolha outra coleção ou retire a fonte que está lá.")
