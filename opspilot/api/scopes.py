"""What a token may be for. Closed, in code: none of them decides, executes or changes a policy."""

from __future__ import annotations

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Scope(TextChoices):
    PROPOSE = "aprovacoes:propor", _("propor ações e cancelar as próprias")
    READ = "aprovacoes:ler", _("ler as próprias propostas")
    CONSUME = "aprovacoes:consumir", _("consumir as próprias aprovações e relatar o efeito")
    TEST_POLICY = "politicas:testar", _("perguntar à política o que ela faria")
    READ_TRAIL = "trilha:ler", _("ler a trilha pelas consultas prontas")
    GROUND = "grounding:consultar", _("consultar as coleções concedidas ao agente")
    RECORD = "acoes:escrever", _("registrar na trilha ações próprias que já aconteceram")


# The tools of the entrance for the Model Context Protocol, and the scope that each takes.
TOOLS = {
    "consultar_grounding": Scope.GROUND,
    "propor": Scope.PROPOSE,
    "estado_da_proposta": Scope.READ,
    "registrar_acao": Scope.RECORD,
}
