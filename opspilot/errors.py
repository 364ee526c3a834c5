"""Errors named for the caller's next move; one middleware turns them into responses and trail rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise


@dataclass(frozen=True, slots=True)
class FormPage:
    """The page a refused form came from: drawn again with what was typed, so nothing is lost.

    `build` runs after the view's transaction was rolled back, in a scope of its own.
    """

    template: str
    build: Callable[[], dict[str, Any]]


class OpsPilotError(Exception):
    """A refusal a person can act on: what happened, what to do next, and a stable code.

    `facts` are small values for the sentence and the trail row: never secrets, never user text.
    `page` is where the form stood, when what became of it is shown in place.
    """

    page: FormPage | None = None
    code: ClassVar[str] = "falha_interna"
    http_status: ClassVar[int] = 500
    audit_action: ClassVar[str | None] = None
    title: ClassVar[Text] = _("A página não pôde ser montada")
    what: ClassVar[Text] = _("O console não conseguiu completar este pedido. Nada foi alterado.")
    next_step: ClassVar[Text] = _(
        "Tente de novo em instantes; se repetir, informe o código abaixo."
    )

    def __init__(self, detail: Text | None = None, **facts: Any) -> None:
        super().__init__(str(detail or self.code))
        self.detail = detail
        self.facts = facts

    @property
    def sentence(self) -> str:
        """The sentence shown to the person, in the language active when it is read."""
        return str(self.detail or self.what)


class RefusedError(OpsPilotError):
    """Something the actor may not do, or not like this. Always leaves a trail row."""

    http_status = 409
    audit_action = "acao.recusada"


class InvalidInputError(RefusedError):
    """The content of a form or command cannot be accepted; nothing was stored."""

    code = "entrada_invalida"
    http_status = 422
    title = _("Este conteúdo não pode ser aceito")
    what = _("Um dos campos não pode ser aceito como está. Nada foi gravado.")
    next_step = _("Corrija o campo indicado e envie de novo.")


class NotFoundError(RefusedError):
    """Unknown and foreign ids look exactly alike, here and in the trail."""

    code = "nao_encontrado"
    http_status = 404
    title = _("Esta página não existe")
    what = _("O endereço não corresponde a nada que você possa abrir.")
    next_step = _("Confira o endereço ou volte ao painel.")


class RoleRequiredError(RefusedError):
    """The actor is known, but none of their roles opens this."""

    code = "papel_exigido"
    http_status = 403
    title = _("Seu papel não abre esta página")
    what = _("Esta página ou ação pede um papel que você não tem nesta empresa.")
    next_step = _("Peça o papel a um admin da sua empresa ou volte ao painel.")


class LaterError(OpsPilotError):
    """Nothing is wrong with what was sent, nor with who sent it: the same, sent later, is taken.

    `retry_after` among the facts says after how many seconds. No refusal of anybody: no trail row.
    """

    http_status = 503


class UnreadableRequestError(OpsPilotError):
    """The request breaks a limit or the protocol itself."""

    code = "pedido_ilegivel"
    http_status = 400
    title = _("Este pedido não pôde ser lido")
    what = _("O pedido passa de um limite ou veio quebrado. Nada foi gravado.")
    next_step = _("Envie menos de uma vez, ou abra a página de novo e repita.")


class TooManyFilesError(UnreadableRequestError):
    code = "arquivos_demais"
    http_status = 413
    title = _("São arquivos demais para um envio")
    what = _("Um envio leva no máximo 100 arquivos. Nenhum deles foi guardado.")
    next_step = _("Envie em partes de até 100 arquivos.")


class TooManyFieldsError(UnreadableRequestError):
    code = "campos_demais"
    http_status = 413
    title = _("O formulário trouxe campos demais")
    what = _("Este envio tem campos demais. Nada foi gravado.")
    next_step = _("Abra a página de novo e preencha só os campos que ela mostra.")


class TooMuchTextError(UnreadableRequestError):
    code = "texto_grande_demais"
    http_status = 413
    title = _("O texto é grande demais")
    what = _("Os campos de um envio somam no máximo 2 MB de texto. Nada foi gravado.")
    next_step = _("Volte, encurte o texto e envie de novo.")


class WrongMethodError(OpsPilotError):
    """The address exists, but not for this kind of request."""

    code = "metodo_nao_aceito"
    http_status = 405
    title = _("Este endereço não aceita este tipo de pedido")
    what = _("O endereço existe, mas não para o que foi pedido. Nada foi gravado.")
    next_step = _("Abra a página pelo menu e use os botões dela.")


class StaleFormError(OpsPilotError):
    """The form's own token is missing or belongs to another session."""

    code = "formulario_vencido"
    http_status = 403
    title = _("Este formulário venceu")
    what = _("O formulário veio de uma página antiga ou de outra sessão. Nada foi gravado.")
    next_step = _("Abra a página de novo e repita o envio.")


class StaleFormKeptError(StaleFormError):
    """The same, from a page of ours: what was typed waits on the form's own page."""

    what = _("A página é de antes do seu último login. Nada foi gravado; o texto não se perdeu.")
    next_step = _("Volte ao formulário: ele abre com o que você escreveu. Confira e envie de novo.")
