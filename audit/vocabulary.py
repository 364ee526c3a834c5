"""The registered actions of the trail: business effects, never function names (design §4)."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Authorization(TextChoices):
    REGRA = "regra", _("regra automática")
    PREVIA = "previa", _("permissão prévia")
    HUMANA = "humana", _("aprovação humana")
    PENDENTE = "pendente", _("pendente")


OWN_ACT = _("ato próprio")
"""What `regra` is called where a person did something of their own in the console, and nobody else had
to agree: the rule is that they may."""


class Result(TextChoices):
    OK = "ok", _("ok")
    RECUSADO = "recusado", _("recusado")
    ERRO = "erro", _("não concluído")
    DESCONHECIDO = "desconhecido", _("desconhecido")
    PENDENTE = "pendente", _("pendente")
    EXPIRADO = "expirado", _("expirado")


@dataclass(frozen=True, slots=True)
class Action:
    """One business action: LGPD art. 37 asks for purpose and legal basis of each operation."""

    name: str
    words: str | Promise
    effect: bool  # changes something outside this console
    reversible: bool  # by default; a row may say otherwise
    purpose: str | Promise
    legal_basis: str | Promise
    useful: bool  # counts as a useful result in cost reports
    external: bool = False  # one of the company's own agents carries it out, never our worker


_SECURITY = _("segurança e prestação de contas")
_OPERATION = _("execução do serviço pedido")
_INTEREST = _("legítimo interesse (LGPD, art. 7º, IX)")
_CONTRACT = _("execução de contrato (LGPD, art. 7º, V)")
_DUTY = _("cumprimento de obrigação legal (LGPD, art. 7º, II)")


def _register(*actions: Action) -> dict[str, Action]:
    return {action.name: action for action in actions}


ACTIONS = _register(
    Action(
        "conhecimento.consultado",
        _("Runbooks consultados"),
        False,
        False,
        _OPERATION,
        _INTEREST,
        True,
    ),
    Action(
        "conhecimento.publicado",
        _("Documento publicado"),
        False,
        True,
        _OPERATION,
        _INTEREST,
        False,
    ),
    Action(
        "conhecimento.recusado", _("Arquivo recusado"), False, False, _OPERATION, _INTEREST, False
    ),
    Action(
        "conhecimento.retido",
        _("Arquivo em quarentena"),
        False,
        True,
        _SECURITY,
        _DUTY,
        False,
    ),
    Action(
        "conhecimento.liberado",
        _("Arquivo liberado da quarentena"),
        False,
        True,
        _SECURITY,
        _DUTY,
        False,
    ),
    Action("conhecimento.apagado", _("Documento apagado"), False, False, _SECURITY, _DUTY, False),
    Action(
        "conhecimento.retirado",
        _("Documento retirado da busca"),
        False,
        True,
        _OPERATION,
        _INTEREST,
        False,
    ),
    Action(
        "documento.alterado",
        _("Dados do documento mudados"),
        False,
        True,
        _OPERATION,
        _INTEREST,
        False,
    ),
    Action(
        "documento.ligado", _("Documento ligado a uma tarefa"), False, True, _SECURITY, _DUTY, False
    ),
    Action(
        "documento.desligado",
        _("Documento desligado de uma tarefa"),
        False,
        True,
        _SECURITY,
        _DUTY,
        False,
    ),
    Action(
        "fonte.incluida", _("Fonte de documentos incluída"), False, True, _SECURITY, _DUTY, False
    ),
    Action("fonte.alterada", _("Fonte de documentos mudada"), False, True, _SECURITY, _DUTY, False),
    Action(
        "fonte.retirada", _("Fonte de documentos retirada"), False, True, _SECURITY, _DUTY, False
    ),
    Action("fonte.lida", _("Fonte de documentos lida"), False, False, _OPERATION, _INTEREST, False),
    Action(
        "recorte.alterado", _("Recorte de coleção alterado"), False, True, _SECURITY, _DUTY, False
    ),
    Action("busca.alterada", _("Busca alterada"), False, True, _SECURITY, _DUTY, False),
    Action(
        "pergunta.rotulada",
        _("Pergunta de teste rotulada"),
        False,
        True,
        _OPERATION,
        _INTEREST,
        False,
    ),
    Action(
        "resposta.avaliada",
        _("Resposta marcada: não ajudou"),
        False,
        False,
        _OPERATION,
        _INTEREST,
        False,
    ),
    Action("indice.medido", _("Medição do índice pedida"), False, False, _SECURITY, _DUTY, False),
    Action(
        "indice.trocado", _("Espaço da busca trocado"), False, True, _OPERATION, _INTEREST, False
    ),
    Action(
        "indice.acelerado",
        _("Busca aproximada ligada"),
        False,
        True,
        _OPERATION,
        _INTEREST,
        False,
    ),
    Action(
        "indice.desligado",
        _("Busca aproximada desligada"),
        False,
        True,
        _OPERATION,
        _INTEREST,
        False,
    ),
    Action("leitura.concedida", _("Leitura concedida"), False, True, _SECURITY, _DUTY, False),
    Action("leitura.revogada", _("Leitura revogada"), False, True, _SECURITY, _DUTY, False),
    Action("issue.criada", _("Issue criada"), True, True, _OPERATION, _INTEREST, True),
    Action("tarefa.executada", _("Tarefa executada"), True, False, _OPERATION, _INTEREST, True),
    Action("incidente.aberto", _("Incidente de política"), False, False, _SECURITY, _DUTY, False),
    Action("issue.fechada", _("Issue fechada"), True, True, _OPERATION, _INTEREST, True),
    Action("envio.repetido", _("Reenvio autorizado"), False, False, _SECURITY, _DUTY, False),
    Action("aprovacao.concedida", _("Aprovação concedida"), False, False, _SECURITY, _DUTY, False),
    Action("aprovacao.recusada", _("Aprovação recusada"), False, False, _SECURITY, _DUTY, False),
    Action("aprovacao.expirada", _("Aprovação expirada"), False, False, _SECURITY, _DUTY, False),
    Action("aprovacao.cancelada", _("Pedido cancelado"), False, False, _SECURITY, _DUTY, False),
    Action("aprovacao.devolvida", _("Mudanças pedidas"), False, False, _SECURITY, _DUTY, False),
    Action("aprovacao.escalonada", _("Decisão escalonada"), False, False, _SECURITY, _DUTY, False),
    Action("delegacao.concedida", _("Decisão delegada"), False, True, _SECURITY, _DUTY, False),
    Action("delegacao.revogada", _("Delegação revogada"), False, False, _SECURITY, _DUTY, False),
    Action("papeis.alterados", _("Papéis alterados"), False, True, _SECURITY, _DUTY, False),
    Action("acessos.atestados", _("Acessos atestados"), False, False, _SECURITY, _DUTY, False),
    Action("acessos.exportados", _("Acessos exportados"), False, False, _SECURITY, _DUTY, False),
    Action("aprovacao.comentada", _("Comentário"), False, False, _OPERATION, _INTEREST, False),
    Action("execucao.retirada", _("Execução retirada"), False, False, _SECURITY, _DUTY, False),
    Action("execucao.bloqueada", _("Execução bloqueada"), False, False, _SECURITY, _DUTY, False),
    Action("execucao.adiada", _("Envio adiado"), False, False, _SECURITY, _DUTY, False),
    Action("execucao.iniciada", _("Execução iniciada"), False, False, _SECURITY, _DUTY, False),
    Action("execucao.reenviada", _("Reenvio na fila"), False, False, _SECURITY, _DUTY, False),
    Action("execucao.revertida", _("Execução revertida"), False, False, _SECURITY, _DUTY, False),
    Action(
        "execucao.apontada",
        _("Resultado apontado por uma pessoa"),
        False,
        False,
        _SECURITY,
        _DUTY,
        False,
    ),
    Action(
        "execucao.retomada",
        _("Execução retomada por uma pessoa"),
        False,
        False,
        _SECURITY,
        _DUTY,
        False,
    ),
    Action(
        "execucao.procurada",
        _("Resultado procurado no destino"),
        False,
        False,
        _SECURITY,
        _DUTY,
        False,
    ),
    Action(
        "entidade.registrada", _("Entidade registrada"), False, False, _OPERATION, _INTEREST, False
    ),
    Action("entidade.unida", _("Cadastros unidos"), False, True, _SECURITY, _DUTY, False),
    Action("entidade.separada", _("Cadastros separados"), False, True, _SECURITY, _DUTY, False),
    Action("entidade.apagada", _("Identidade apagada"), False, False, _SECURITY, _DUTY, False),
    Action(
        "trilha.revisada", _("Amostra da trilha revisada"), False, False, _SECURITY, _DUTY, False
    ),
    Action(
        "mascara.ampliada", _("Termo incluído na máscara"), False, True, _SECURITY, _DUTY, False
    ),
    Action(
        "mascara.reduzida", _("Termo retirado da máscara"), False, True, _SECURITY, _DUTY, False
    ),
    Action("historico.lido", _("Histórico lido"), False, False, _SECURITY, _DUTY, False),
    Action("exportacao.pedida", _("Exportação pedida"), False, False, _SECURITY, _DUTY, False),
    Action("exportacao.gerada", _("Exportação gerada"), False, False, _SECURITY, _DUTY, False),
    Action("exportacao.baixada", _("Exportação baixada"), False, False, _SECURITY, _DUTY, False),
    Action("relatorio.salvo", _("Relatório salvo"), False, True, _SECURITY, _DUTY, False),
    Action("relatorio.pedido", _("Relatório pedido"), False, False, _SECURITY, _DUTY, False),
    Action("relatorio.pausado", _("Relatório pausado"), False, True, _SECURITY, _DUTY, False),
    Action("relatorio.retomado", _("Relatório retomado"), False, True, _SECURITY, _DUTY, False),
    Action("relatorio.excluido", _("Relatório excluído"), False, False, _SECURITY, _DUTY, False),
    Action("orcamento.definido", _("Orçamento definido"), False, False, _SECURITY, _DUTY, False),
    Action("preco.registrado", _("Preço registrado"), False, False, _SECURITY, _DUTY, False),
    Action(
        "modelo.cobrado", _("Modelo cobrado à parte"), False, False, _OPERATION, _INTEREST, False
    ),
    Action("retencao.proposta", _("Retenção proposta"), False, True, _SECURITY, _DUTY, False),
    Action("retencao.ativada", _("Retenção ativada"), False, True, _SECURITY, _DUTY, False),
    Action("retencao.retirada", _("Regra retirada"), False, False, _SECURITY, _DUTY, False),
    Action("retencao.recusada", _("Regra recusada"), False, False, _SECURITY, _DUTY, False),
    Action("guarda.iniciada", _("Guarda legal iniciada"), False, True, _SECURITY, _DUTY, False),
    Action("guarda.encerrada", _("Guarda legal encerrada"), False, True, _SECURITY, _DUTY, False),
    Action("trilha.expirada", _("Mês da trilha expirado"), False, False, _SECURITY, _DUTY, False),
    Action("politica.proposta", _("Política proposta"), False, True, _SECURITY, _DUTY, False),
    Action("politica.descartada", _("Rascunho descartado"), False, True, _SECURITY, _DUTY, False),
    Action("politica.ativada", _("Política ativada"), False, True, _SECURITY, _DUTY, False),
    Action("estorno.emitido", _("Estorno emitido"), True, False, _OPERATION, _CONTRACT, True, True),
    Action(
        "cadastro.alterado", _("Cadastro alterado"), True, True, _OPERATION, _CONTRACT, True, True
    ),
    Action(
        "atendimento.classificado",
        _("Atendimento classificado"),
        False,
        True,
        _OPERATION,
        _INTEREST,
        True,
        True,
    ),
    Action("aprovacao.consumida", _("Aprovação consumida"), False, False, _SECURITY, _DUTY, False),
    Action("permissao.proposta", _("Permissão proposta"), False, True, _SECURITY, _DUTY, False),
    Action("permissao.confirmada", _("Permissão confirmada"), False, True, _SECURITY, _DUTY, False),
    Action("permissao.revogada", _("Permissão revogada"), False, False, _SECURITY, _DUTY, False),
    Action("agente.criado", _("Agente criado"), False, True, _SECURITY, _DUTY, False),
    Action("agente.alterado", _("Agente alterado"), False, True, _SECURITY, _DUTY, False),
    Action("agente.desativado", _("Agente pausado"), False, True, _SECURITY, _DUTY, False),
    Action("agente.reativado", _("Agente retomado"), False, True, _SECURITY, _DUTY, False),
    Action("token.emitido", _("Token emitido"), False, True, _SECURITY, _DUTY, False),
    Action("token.trocado", _("Token trocado"), False, False, _SECURITY, _DUTY, False),
    Action("token.revogado", _("Token revogado"), False, False, _SECURITY, _DUTY, False),
    Action(
        "segredo.trocado", _("Segredo de retorno trocado"), False, False, _SECURITY, _DUTY, False
    ),
    Action(
        "destino.incluido", _("Destino de avisos incluído"), False, True, _SECURITY, _DUTY, False
    ),
    Action(
        "destino.desligado", _("Destino de avisos desligado"), False, True, _SECURITY, _DUTY, False
    ),
    Action("parada.acionada", _("Parada de emergência"), False, True, _SECURITY, _DUTY, False),
    Action("parada.levantada", _("Parada levantada"), False, False, _SECURITY, _DUTY, False),
    Action(
        "trabalho.repetido", _("Trabalho tentado de novo"), False, False, _SECURITY, _DUTY, False
    ),
    Action("acao.recusada", _("Ação recusada"), False, False, _SECURITY, _DUTY, False),
    Action("repasse.humano", _("Repasse a uma pessoa"), False, False, _OPERATION, _INTEREST, False),
    Action("repasse.assumido", _("Repasse assumido"), False, False, _OPERATION, _INTEREST, False),
    Action(
        "pedido.interpretado", _("Pedido interpretado"), False, False, _OPERATION, _INTEREST, False
    ),
    Action("rodada.parada", _("Rodada parada"), False, False, _SECURITY, _DUTY, False),
    Action("rodada.retomada", _("Rodada retomada"), False, False, _SECURITY, _DUTY, False),
)
