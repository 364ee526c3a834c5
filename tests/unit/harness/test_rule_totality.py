"""No text makes the rule planner fail, and none makes it slow."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opspilot.harness.planning.port import FinalAnswer, PrepareIssue, PrepareTask
from tests.unit.harness.rule_scoring import plan
from tests.unit.harness.rule_vocabulary import VOCABULARY

_PIECES = """reinicie restart o serviço service conciliador no on srv-pag-02 srv-pag-99 srv-* e and não
do not se if quando abra open uma issue projeto infra pagamentos sobre about etiqueta label incidente
prioridade::1 atribua assign plantao-infra implante deploy portal-assinante coloque put em in manutenção
maintenance todos all por-em-manutencao servico-acao server_name=x server_action status pode can you por
favor preciso need quero falar com pessoa apague delete ? . , ; : " ' ` > ERROR 03:12:44 ( ) - é dê ß"""
_WORDS = [*_PIECES.split(), "\n", "\u0301", "\ud800", "\u212a", "\ufb01"]
_HOSTS = {host for template in VOCABULARY.templates for host in template.hosts}


@given(st.text() | st.lists(st.sampled_from(_WORDS), max_size=40).map(" ".join))
@settings(max_examples=100, deadline=None)
def test_any_text_gets_a_plan_of_names_that_exist(text: str) -> None:
    call = plan(text).planned.call
    if isinstance(call, PrepareTask):
        assert call.limit
        assert set(call.limit) <= _HOSTS
        assert call.template in {template.alias for template in VOCABULARY.templates}
        assert all(variable.value for variable in call.variables)
    if isinstance(call, PrepareIssue):
        assert call.alias in VOCABULARY.projects
        assert set(call.labels) <= set(VOCABULARY.labels)
        assert set(call.assignees) <= set(VOCABULARY.assignees)
        assert call.title
        assert call.description
    if isinstance(call, FinalAnswer) and call.ending == "ask":
        assert call.missing


@pytest.mark.parametrize(
    "piece",
    [
        "reinicie ", "reinicie o serviço x no srv-pag-02, ", "não ", "e ", "se ", "por favor, ", '"',
        "'a ", "`", "“", "> ", "log: ", "ERROR a\n", "a: ", "-", "::", "srv-", "precisa ",
        "abra uma issue sobre ", "etiqueta incidente, ", "projeto infra ", "tem como ", "preciso que ",
        "quero falar com ", "pode você ", "\u0301", "a\u0301", ".", "?\n", "serviço ", "pediu ",
        "abra uma issue, ", "restart the x service and ",
    ],
)  # fmt: skip
def test_eight_times_the_text_takes_nowhere_near_sixty_four_times_as_long(piece: str) -> None:
    """A ratio within one run, with a quadratic one far beyond it; a floor keeps noise out."""
    plan(piece)
    small = _spent(piece, 500)
    large = min(_spent(piece, 4_000) for _once_more in range(2))
    assert large < 24 * max(small, 0.005)
    assert large < 2


def _spent(piece: str, size: int) -> float:
    text = (piece * size)[:size]
    started = time.process_time()
    plan(text)
    return time.process_time() - started
