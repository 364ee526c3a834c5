"""Reasons of sources as words, each with what to do."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from grounding.sync.errors import Code

_REASONS: dict[Code, Promise] = {
    "desligada": _(
        "A instalação não tem pasta de fontes: quem opera o console define OPSPILOT_SYNC_ROOT."
    ),
    "sem_git": _("O programa git não está instalado no servidor: instale-o ou use uma pasta."),
    "fora_da_raiz": _("O caminho leva para fora da pasta de fontes desta empresa."),
    "nao_existe": _("A pasta não existe ou não pode ser lida."),
    "nao_e_repositorio": _("A pasta não é um repositório Git."),
    "sem_ramo": _("O repositório não tem este ramo."),
    "arquivos_demais": _("A fonte tem mais de 5.000 arquivos: divida-a em coleções."),
    "vazia": _(
        "A fonte está vazia e antes não estava. Nada foi retirado: confira se a pasta está montada."
    ),
    "git_falhou": _("O git não conseguiu ler o repositório."),
}


def reason(code: str) -> str:
    return str(_REASONS[code]) if code in _REASONS else code
