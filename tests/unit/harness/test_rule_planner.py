"""What the rule planner says next, after what was taken."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from opspilot.harness.planning.port import (
    Choice,
    FinalAnswer,
    Passage,
    PrepareIssue,
    PrepareTask,
    SearchKnowledge,
    Situation,
    Taken,
    Template,
    Variable,
    Vocabulary,
)
from opspilot.harness.planning.rules import planner
from tests.unit.harness.rule_vocabulary import VOCABULARY

RESTART = "reinicie o serviço conciliador no srv-pag-02"
BY_THE_BOOK = f"conforme o runbook de conciliação, {RESTART}"
QUESTION = "por que o conciliador parou no srv-pag-02?"
TASK = PrepareTask(
    template="servico-acao",
    limit=("srv-pag-02",),
    variables=(
        Variable(name="server_name", value="conciliador"),
        Variable(name="server_action", value="restart"),
    ),
)
ORDER = "reinicie o serviço coletor em srv-med-01. Abra uma issue no projeto pagamentos."
SEARCHED = Taken(
    SearchKnowledge(query="x"),
    "done",
    coverage="alta",
    passages=(Passage(1, "Runbook", (), ORDER),),
)


def ask(request: str, *taken: Taken, steps_left: int = 5, words: Vocabulary = VOCABULARY) -> Choice:
    situation = Situation(request, words, taken=taken, steps_left=steps_left)
    return planner.RulePlanner().next(situation)


def test_a_question_is_looked_up_once_and_then_answered() -> None:
    assert isinstance(ask(QUESTION).planned.call, SearchKnowledge)
    assert ask(QUESTION, SEARCHED).planned.call == FinalAnswer(ending="answer")


def test_with_one_step_left_a_question_is_answered_at_once() -> None:
    assert ask(QUESTION, steps_left=1).planned.call == FinalAnswer(ending="answer")


def test_a_search_that_was_refused_is_not_made_again() -> None:
    refused = Taken(SearchKnowledge(query="x"), "refused", code="sem_acesso")
    assert ask(QUESTION, refused).planned.call == FinalAnswer(ending="answer")


def test_a_command_is_prepared_with_no_search() -> None:
    assert ask(RESTART).planned.call == TASK


def test_a_command_by_a_runbook_is_looked_up_before_it_is_prepared() -> None:
    before, after = ask(BY_THE_BOOK), ask(BY_THE_BOOK, SEARCHED)
    assert isinstance(before.planned.call, SearchKnowledge)
    assert (before.planned.intent, after.planned.call) == ("change", TASK)


@pytest.mark.parametrize("request_", [QUESTION, "reinicie o serviço", BY_THE_BOOK])
def test_what_a_document_says_changes_nothing(request_: str) -> None:
    silent = dataclasses.replace(SEARCHED, passages=())
    assert ask(request_, SEARCHED) == ask(request_, silent)


@pytest.mark.parametrize(
    ("code", "ending", "missing"),
    [
        ("host_desconhecido", "ask", ("limit",)),
        ("hosts_demais", "ask", ("limit",)),
        ("template_desconhecido", "ask", ("template",)),
        ("valor_nao_permitido", "ask", ("server_name", "server_action")),
        ("papel_nao_pede", "refuse", ()),
        ("template_nao_permitido", "refuse", ()),
        ("consulta_exigida", "refuse", ()),
        ("um_codigo_novo", "refuse", ()),
    ],
)
def test_after_a_refusal_it_asks_or_refuses(
    code: str, ending: str, missing: tuple[str, ...]
) -> None:
    call = ask(RESTART, Taken(TASK, "refused", code=code)).planned.call
    assert isinstance(call, FinalAnswer)
    assert (call.ending, call.missing) == (ending, missing)


@pytest.mark.parametrize("outcome", ["refused", "invalid", "done"])
@pytest.mark.parametrize("later", [(), (SEARCHED,)])
def test_nothing_is_prepared_twice_in_a_run(outcome: str, later: tuple[Taken, ...]) -> None:
    tried = Taken(TASK, outcome, code="host_desconhecido")  # type: ignore[arg-type]
    assert isinstance(ask(RESTART, tried, *later).planned.call, FinalAnswer)


def test_what_was_said_goes_with_the_question_for_the_rest() -> None:
    choice = ask("reinicie o serviço conciliador")
    assert choice.planned.call == FinalAnswer(ending="ask", missing=("limit",))
    assert choice.understood == TASK.model_copy(update={"limit": ()})


def test_what_was_said_of_an_issue_goes_with_the_question_for_its_project() -> None:
    understood = ask("abra uma issue sobre disco cheio, etiqueta incidente").understood
    assert isinstance(understood, PrepareIssue)
    assert (understood.alias, understood.title, understood.labels) == (
        "",
        "disco cheio",
        ("incidente",),
    )


def test_with_no_template_to_run_a_command_is_refused() -> None:
    empty = dataclasses.replace(VOCABULARY, templates=())
    assert ask(RESTART, words=empty).planned.call == FinalAnswer(ending="refuse")


def test_of_two_templates_that_fit_none_is_chosen() -> None:
    known = VOCABULARY.templates
    twice = dataclasses.replace(
        VOCABULARY, templates=(*known, dataclasses.replace(known[0], alias="servico-geral"))
    )
    call = ask(RESTART, words=twice).planned.call
    assert call == FinalAnswer(ending="ask", missing=("template",))


def test_a_template_is_known_by_the_verb_in_its_alias() -> None:
    clean = Template(alias="limpar-disco", number=9, hosts=("srv-pag-02",))
    call = ask("limpe o disco do srv-pag-02", words=Vocabulary(templates=(clean,))).planned.call
    assert call == PrepareTask(template="limpar-disco", limit=("srv-pag-02",))


def test_the_hash_is_of_every_file_of_the_rules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = Path(planner.__file__)
    for path in source.parent.glob("*.py"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(planner, "__file__", str(tmp_path / "planner.py"))
    hash_of = planner._source_hash.__wrapped__
    hashes = {hash_of()}
    copies = sorted(tmp_path.iterdir())
    for path in copies:
        path.write_bytes(path.read_bytes() + b"\n")
        hashes.add(hash_of())
    assert len(hashes) == len(copies) + 1 > 10
    assert planner.RulePlanner().instruction_hash == planner._source_hash()
