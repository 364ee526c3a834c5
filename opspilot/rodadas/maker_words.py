"""Who worded an answer, why no model did, and why a model's answer is not shown: in words."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from opspilot.harness.models import Run, RunState

_NOTES: dict[str, Promise] = {
    "sem_orcamento": gettext_lazy(
        "nenhum modelo foi consultado: um admin ainda não definiu o orçamento"
    ),
    "orcamento_esgotado": gettext_lazy(
        "nenhum modelo foi consultado: o orçamento não cobre mais uma consulta"
    ),
    "sem_preco": gettext_lazy("nenhum modelo foi consultado: o preço dele não está registrado"),
    "modelo_indisponivel": gettext_lazy("nenhum modelo respondeu agora"),
    "dado_no_texto": gettext_lazy(
        "nenhum modelo foi consultado: a pergunta traz um segredo ou um dado pessoal"
    ),
}
_REFUSALS: dict[str, Promise] = {
    "modelo_not_the_shape": gettext_lazy("A resposta do modelo não veio no formato pedido."),
    "modelo_no_citation": gettext_lazy("O modelo escreveu uma frase sem citação."),
    "modelo_unknown_passage": gettext_lazy("O modelo citou um trecho que não recebeu."),
    "modelo_passage_twice": gettext_lazy("O modelo apoiou duas frases no mesmo trecho."),
    "modelo_quote_too_short": gettext_lazy(
        "Uma citação do modelo é curta demais para ser conferida."
    ),
    "modelo_quote_of_another": gettext_lazy(
        "Uma citação do modelo está em outro trecho, não no que ele indicou."
    ),
    "modelo_quote_stitched": gettext_lazy(
        "O modelo emendou palavras de lugares diferentes numa citação só."
    ),
    "modelo_quote_invented": gettext_lazy(
        "Uma citação do modelo não está no trecho que ele indicou."
    ),
    "modelo_refusal": gettext_lazy("O modelo se recusou a responder."),
    "modelo_truncated": gettext_lazy("A resposta do modelo foi cortada antes do fim."),
    "modelo_other_model": gettext_lazy("Quem respondeu foi outro modelo, não o que foi pedido."),
    "modelo_no_answer": gettext_lazy("O modelo não achou a resposta nos trechos."),
}


def made_by(run: Run) -> str:
    model = run.answer.get("model", "")
    return _("modelo %(model)s") % {"model": model} if model else _("modo embutido")


def note(run: Run) -> str:
    """Why the rules answered where a model might have; empty where there is nothing to say."""
    return str(_NOTES.get(run.answer.get("note", ""), ""))


def refusal(run: Run) -> str:
    """Why what a model answered is not shown; empty where no model answered."""
    return str(_REFUSALS.get(run.code, "")) if run.state == RunState.ABSTAINED else ""
