"""A template that is called by its alias, and the names of the vocabulary that are never a service."""

from __future__ import annotations

import pytest

from opspilot.harness.planning.port import PrepareTask
from tests.unit.harness.rule_scoring import plan
from tests.unit.harness.rule_vocabulary import VOCABULARY
from tests.unit.harness.test_rule_commands import RESTARTED, short

NAMED = [
    *VOCABULARY.projects, *VOCABULARY.labels, *VOCABULARY.assignees,
    *(one.alias for one in VOCABULARY.templates), *VOCABULARY.templates[0].hosts,
]  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize(
    "text",
    [
        "reinicie o {} no srv-pag-02", "reinicie o serviço {} no srv-pag-02",
        "run servico-acao to restart {} on srv-pag-02", "rode {} para restart no srv-pag-02",
        "servico-acao no srv-pag-02 server_name={} server_action=restart",
        "restart the {} service on srv-pag-02", "REINICIE O {} NO SRV-PAG-02",
    ],
)  # fmt: skip
def test_no_name_of_the_vocabulary_becomes_the_value_of_a_text_variable(
    text: str, name: str
) -> None:
    call = plan(text.format(name)).planned.call
    values = call.variables if isinstance(call, PrepareTask) else ()
    assert [one.value for one in values if one.name == "server_name"] == []


@pytest.mark.parametrize(
    "text",
    [
        "rode servico-acao restart no srv-pag-02 projeto infra",
        "rode o template servico-acao com restart no srv-pag-02",
        "usa o servico-acao para reiniciar no srv-pag-02",
    ],
)
def test_a_word_that_announces_a_name_is_no_service(text: str) -> None:
    assert short(plan(text)) == "ask server_name"


@pytest.mark.parametrize(
    "text",
    [
        "servico-acao no srv-pag-02: restart do gateway-pix",
        "usa o servico-acao e reinicia o gateway-pix no srv-pag-02",
        "pode usar o template servico-acao e reiniciar o gateway-pix no srv-pag-02?",
        "preciso q rode servico-acao restart do gateway-pix no srv-pag-02",
        "prepare servico-acao on srv-pag-02 to restart gateway-pix",
        "A fila parou às 3h. Use servico-acao and restart gateway-pix on srv-pag-02.",
    ],
)
def test_a_template_called_by_its_alias_is_a_command(text: str) -> None:
    assert short(plan(text)) == RESTARTED


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        ("preciso que rode por-em-manutencao em srv-bus-01", "por-em-manutencao srv-bus-01"),
        ("prepara o tirar-da-manutencao para o srv-bus-01", "tirar-da-manutencao srv-bus-01"),
        ("dispara o por-em-manutencao no srv-bus-01", "por-em-manutencao srv-bus-01"),
        ("usa o servico-acao no srv-pag-02", "ask server_name server_action"),
        ("servico-acao no srv-pag-02: status e restart do gateway-pix", "ask server_action"),
        ("servico-acao no srv-pag-02: restart do gateway-pix no srv-pag-03", "ask limit"),
        ("rode servico-acao sem restart do gateway-pix no srv-pag-02", "ask server_action"),
        ("reinicie o gateway-pix no srv-pag-02 pelo implantar-servico", "ask template"),
    ],
)
def test_beside_an_alias_only_what_is_said_once_is_taken(text: str, planned: str) -> None:
    assert short(plan(text)) == planned


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        ("posso usar o servico-acao no srv-pag-02?", "diagnosis"),
        ("como uso o servico-acao para reiniciar o gateway-pix no srv-pag-02", "diagnosis"),
        ("é seguro rodar por-em-manutencao no srv-bus-01?", "diagnosis"),
        ("usei o servico-acao no srv-pag-02 com restart do gateway-pix e nada", "diagnosis"),
        ("rodaram por-em-manutencao no srv-bus-01 e travou", "diagnosis"),
        ("servico-acao no srv-pag-02: restart do gateway-pix falhou", "diagnosis"),
        ("use of por-em-manutencao on srv-bus-01 failed", "diagnosis"),
        ("last run of por-em-manutencao on srv-bus-01 failed", "diagnosis"),
        ('"use servico-acao to restart gateway-pix on srv-pag-02"', "diagnosis"),
        ("o runbook diz: use servico-acao e reinicie o gateway-pix no srv-pag-02", "diagnosis"),
        ("não use o servico-acao no srv-pag-02 para reiniciar o gateway-pix", "ask action"),
        ("servico-acao no srv-pag-02: não faça restart do gateway-pix", "ask action"),
        ("se a fila parar, use o servico-acao com restart no srv-pag-02", "ask action"),
        ("servico-acao, srv-pag-02: reiniciar o gateway-pix se a fila parar", "ask action"),
        ("o cliente pediu para usar o servico-acao no srv-pag-02", "ask action"),
        ("rode por-em-manutencao no srv-bus-01 e abra uma issue no infra", "ask action"),
        ("pare o servico-acao no srv-pag-02", "refuse"),
        ("cancele o por-em-manutencao no srv-bus-01", "refuse"),
    ],
)
def test_an_alias_that_is_only_spoken_of_runs_nothing(text: str, planned: str) -> None:
    assert short(plan(text)) == planned


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        ("preciso de uma issue no projeto infra: disco cheio", "infra [disco cheio]"),
        ("I need a ticket in infra about the full disk", "infra [the full disk]"),
        (
            "quero um chamado no projeto pagamentos, incidente, prioridade::2: boleto duplicado",
            "pagamentos [boleto duplicado] incidente prioridade::2",
        ),
        ("queria uma issue em pagamentos, prioridade::2: boleto", "pagamentos [boleto] prioridade::2"),
        ("preciso do chamado 12 do projeto infra", "diagnosis"),
        ("preciso de um chamado aberto?", "diagnosis"),
        ("não preciso de um chamado no projeto infra", "ask action"),
    ],
)  # fmt: skip
def test_a_wish_for_an_issue_is_a_command_of_its_own(text: str, planned: str) -> None:
    assert short(plan(text)) == planned
