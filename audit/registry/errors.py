"""Why an act on the registry is refused."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError


class ShortReasonError(InvalidInputError):
    code = "motivo_curto"
    title = _("Falta o motivo")
    what = _("Escreva o motivo com pelo menos 10 caracteres. Nada foi gravado.")
    next_step = _("Diga por que, sem nomes nem documentos: o motivo fica na trilha.")


class SameEntryError(InvalidInputError):
    code = "mesmo_cadastro"
    title = _("Já são o mesmo cadastro")
    what = _("Os dois já são lidos como um só. Nada foi gravado.")
    next_step = _("Confira o outro cadastro que você queria unir.")


class OtherKindError(InvalidInputError):
    code = "cadastros_diferentes"
    title = _("São cadastros de tipos diferentes")
    what = _("Só se unem dois cadastros do mesmo tipo. Nada foi gravado.")
    next_step = _("Confira o identificador do outro cadastro.")


class NotMergedError(InvalidInputError):
    code = "nao_esta_unido"
    title = _("Este cadastro não está unido a outro")
    what = _("Ele já é lido sozinho. Nada foi gravado.")
    next_step = _("Abra a página de novo para ver o que está unido agora.")


class ErasedError(InvalidInputError):
    code = "identidade_apagada"
    title = _("A identidade deste cadastro foi apagada")
    what = _("Não há mais título nem documento para mudar. Nada foi gravado.")
    next_step = _("O histórico continua a ser lido pelo identificador interno.")


class HeldError(InvalidInputError):
    """`detail` names the hold: since when, and why."""

    code = "guarda_legal_em_vigor"
    title = _("Uma guarda legal não deixa apagar")
    what = _(
        "Enquanto uma guarda legal vale para este cadastro, a identidade fica. Nada foi gravado."
    )
    next_step = _("Quem encerra a guarda legal o faz em Retenção da trilha, com o motivo.")


class NoSuchEntryError(InvalidInputError):
    code = "cadastro_desconhecido"
    title = _("Não há outro cadastro com isto")
    what = _("Nenhum cadastro desta empresa tem este documento ou identificador.")
    next_step = _("Confira o número, ou copie o identificador da página do outro cadastro.")
