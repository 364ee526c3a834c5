"""The proof of one effect: green line by line, and each line goes red when its own part is touched."""

from __future__ import annotations

import datetime as dt
import uuid
from pathlib import Path

import pytest
from django.test import Client
from django.utils.timezone import localtime
from pytest_django import Settings

from approvals.execution import attempts
from approvals.inbox import execution_words
from approvals.models import AgenteAprovacao, ExecutionAttempt
from audit.models import AgenteAcao, SealFault, TrailWatch
from audit.months import catalogue
from audit.proving import proof_rows, run_seals, run_texts
from audit.proving.errors import SealsTooSlowError
from opspilot.connectors.errors import OutcomeUnknownError
from opspilot.tenancy import clock
from opspilot.tenancy.models import User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import months
from tests.db.deciding import approver, refuse
from tests.db.executing import advance
from tests.db.proving_effects import a_key, an_effect, lines_of, proof_of, red_of, seal, tamper
from tests.factories import Approved
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed", "seal_key")
PROPOSAL = "UPDATE agente_aprovacao SET {} WHERE id = %s"
DECISION = "UPDATE approval_decision SET {} WHERE approval_id = %s"
EXECUTION = "UPDATE execution SET {} WHERE approval_id = %s"
ATTEMPT = (
    "UPDATE execution_attempt SET {} WHERE execution_id = "
    "(SELECT id FROM execution WHERE approval_id = %s)"
)
ROW = "UPDATE agente_acao SET {} WHERE aprovacao_id = %s"
OTHER = "'" + "0" * 64 + "'"


@pytest.fixture
def seal_key(settings: Settings) -> None:
    settings.OPSPILOT_SEAL_KEY = a_key()


def logged_in(person: Principal) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=person.user_id))
    return client


def test_every_line_of_an_effect_that_nobody_touched_holds() -> None:
    approved = an_effect()
    seal(approved)
    states = {line.name: line.state for line in lines_of(approved.proposal).values()}
    assert set(states.values()) == {"ok"}, states


def test_what_is_not_sealed_yet_is_unknown_and_not_green() -> None:
    line = lines_of(an_effect().proposal)["selo"]
    assert (line.state, line.code) == ("unknown", "nothing_sealed")


def headline(approved: Approved) -> str:
    reader = logged_in(factories.a_principal(approved.tenant, Role.AUDITOR))
    page = reader.get(f"/aprovacoes/{approved.proposal.ref}/prova/").content.decode()
    return page.partition("<main")[2].partition("</section>")[0]


def test_a_proof_whose_seal_has_only_not_come_says_when_it_comes() -> None:
    approved, soon = an_effect(), clock.now() + dt.timedelta(minutes=40)
    with tenant_scope(approved.tenant.pk):
        TrailWatch.objects.create(tenant=approved.tenant, next_at=soon)
    said = headline(approved)
    assert f"ainda não selado: o próximo selo vem às {localtime(soon):%H:%M}." in said
    assert "não se sabe" not in said


@pytest.mark.parametrize("fault", [None, "sem_chave"])
def test_without_a_worker_that_can_seal_no_hour_is_promised(fault: str | None) -> None:
    approved = an_effect()
    if fault:
        with tenant_scope(approved.tenant.pk):
            TrailWatch.objects.create(tenant=approved.tenant, fault=SealFault.NO_KEY)
    assert "o próximo selo não tem hora" in headline(approved)


TOUCHED: dict[str, tuple[str, str, str]] = {
    "the action": (
        PROPOSAL.format("""proposta = jsonb_set(proposta, '{title}', '"Outro"')"""),
        "conteudo",
        "hash_differs",
    ),
    "who asked": (
        PROPOSAL.format("solicitante = 'usuario:0'"),
        "identidade",
        "belongs_elsewhere",
    ),
    "the hash shown": (DECISION.format(f"seen_hash = {OTHER}"), "mostrado", "shown_differs"),
    "the verdict": (DECISION.format("verdict = 'recusar'"), "quorum", "quorum_missing"),
    "who stands behind it": (
        PROPOSAL.format("agente_dono = substring(decidida_por from '\\((.*)\\)')"),
        "outra_pessoa",
        "own_decision",
    ),
    "the role": (PROPOSAL.format("papel_exigido = 'admin'"), "papel", "role_not_held"),
    "the quorum": (
        PROPOSAL.format("aprovacoes_exigidas = 2"),
        "politica_decisao",
        "policy_moved",
    ),
    "the marker": (
        EXECUTION.format("marker = 'opk' || md5('x')"),
        "marcador",
        "marker_differs",
    ),
    "sent sooner": (ATTEMPT.format("at = at - interval '1 hour'"), "espera", "too_early"),
    "sent later": (ATTEMPT.format("at = at + interval '7 hours'"), "espera", "too_late"),
    "the request's number": (
        ATTEMPT.format("number = number + 1"),
        "tentativas",
        "attempt_missing",
    ),
    "the body's hash": (ATTEMPT.format(f"body_sha256 = {OTHER}"), "corpo", "body_differs"),
    "the answer": (ATTEMPT.format("outcome = 'NotSentError'"), "destino", "done_unseen"),
    "the outcome": (EXECUTION.format("state = 'divergente'"), "destino", "effect_differs"),
    "a row": (ROW.format("saida_resumo = 'outra coisa'"), "linhas", "row_differs"),
    "a row's action": (ROW.format("acao = 'issue.fechada'"), "trilha", "not_told"),
    "who decided": (DECISION.format("subject_name = 'outra pessoa'"), "trilha", "not_told"),
}


@pytest.mark.parametrize("what", TOUCHED)
def test_a_line_goes_red_when_its_own_part_is_touched(admin: Connection, what: str) -> None:
    change, line, why = TOUCHED[what]
    approved = an_effect()
    tamper(admin, change, approved.proposal.pk)
    assert red_of(approved).get(line) == why


def test_a_row_rewritten_with_its_hash_is_found_by_its_seal(admin: Connection) -> None:
    approved = an_effect()
    seal(approved)
    tamper(admin, ROW.format("saida_resumo = 'outra coisa'"), approved.proposal.pk)
    tamper(
        admin,
        "UPDATE agente_acao a SET linha_hash = sha256(convert_to((to_jsonb(a) - 'linha_hash')::text, "
        "'UTF8')) WHERE aprovacao_id = %s",
        approved.proposal.pk,
    )
    assert red_of(approved) == {"selo": "seal_differs"}


def test_a_row_taken_out_is_missed(admin: Connection) -> None:
    approved = an_effect()
    tamper(
        admin,
        "DELETE FROM agente_acao WHERE aprovacao_id = %s AND acao = 'aprovacao.concedida'",
        approved.proposal.pk,
    )
    assert red_of(approved) == {"trilha": "not_told"}


def test_a_policy_text_changed_since_is_named(admin: Connection) -> None:
    approved = an_effect()
    tamper(
        admin,
        "UPDATE policy_version SET document = jsonb_set(document, '{note}', '1') "
        "WHERE tenant_id = %s",
        approved.tenant.pk,
    )
    assert set(red_of(approved)) == {f"politica_{m}" for m in ("proposta", "decisao", "execucao")}


def test_a_policy_put_in_force_after_the_effect_moves_nothing() -> None:
    approved = an_effect()
    factories.a_policy(approved.tenant, quorum={"baixo": 2, "medio": 2, "alto": 2})
    assert red_of(approved) == {}


def test_a_lost_answer_is_said_as_unknown() -> None:
    approved = factories.an_approved_execution()
    advance(approved, FakeTracker(creates=[OutcomeUnknownError("lost")]))
    line = lines_of(approved.proposal)["destino"]
    assert (line.state, line.code) == ("unknown", "outcome_unknown")
    assert red_of(approved) == {}


def test_a_second_request_that_nobody_searched_before_is_red(admin: Connection) -> None:
    approved = factories.an_approved_execution()
    advance(approved, FakeTracker(creates=[OutcomeUnknownError("lost")]))
    _repeat_the_request(approved)
    assert red_of(approved).get("uma_vez") == "sent_unsearched"


def _repeat_the_request(approved: Approved) -> None:
    with tenant_scope(approved.tenant.pk):
        for kind in ("envio", "resposta"):
            row = ExecutionAttempt.objects.get(execution=approved.execution_id, kind=kind)
            row.pk, row.number, row.claim_token = None, 2, uuid.UUID(int=2)
            row.save(force_insert=True)


def test_a_refused_proposal_has_nothing_sent_and_nothing_red() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    refuse(proposal, approver(tenant))
    lines = lines_of(proposal)
    assert (lines["quorum"].state, lines["corpo"].state) == ("none", "none")
    assert "red" not in {line.state for line in lines.values()}


def test_a_proof_names_who_decided_with_their_roles_then() -> None:
    approved = an_effect()
    (decision,) = proof_of(approved.proposal).decisoes
    assert (decision.sujeito, decision.papeis) == (approved.approver.subject, ["aprovador"])


@pytest.mark.parametrize("role", [Role.AUDITOR, Role.APROVADOR, Role.CONFORMIDADE, Role.ADMIN])
def test_who_reads_runs_reads_the_proof(role: Role) -> None:
    approved = an_effect()
    page = logged_in(factories.a_principal(approved.tenant, role)).get(_url(approved.proposal))
    assert page.status_code == 200
    assert "linhas conferem" in page.content.decode()


def test_who_asked_reads_it_and_another_operator_does_not() -> None:
    approved = an_effect()
    other = factories.a_principal(approved.tenant, Role.OPERADOR)
    assert logged_in(approved.requester).get(_url(approved.proposal)).status_code == 200
    assert logged_in(other).get(_url(approved.proposal)).status_code == 403


def test_the_page_of_a_run_in_the_trail_leads_to_it() -> None:
    approved = an_effect()
    client = logged_in(factories.a_principal(approved.tenant, Role.AUDITOR))
    run = approved.proposal.correlacao_id
    link = f"/aprovacoes/rodadas/{run}/prova/"
    assert link in client.get(f"/trilha/correlacao/{run}/").content.decode()
    assert client.get(link).headers["Location"] == _url(approved.proposal)


def test_the_page_of_a_decided_proposal_leads_to_it_and_a_waiting_one_has_none() -> None:
    approved = an_effect()
    waiting = factories.a_proposal(approved.tenant)
    client = logged_in(factories.a_principal(approved.tenant, Role.AUDITOR))
    pages = [client.get(f"/aprovacoes/{p.ref}/") for p in (approved.proposal, waiting)]
    assert ["Prova deste efeito" in page.content.decode() for page in pages] == [True, False]


def test_another_company_finds_nothing_there() -> None:
    stranger = factories.a_principal(factories.a_tenant(), Role.AUDITOR)
    assert logged_in(stranger).get(_url(an_effect().proposal)).status_code == 404


def test_an_altered_effect_says_so_in_words(admin: Connection) -> None:
    approved = an_effect()
    tamper(admin, PROPOSAL.format("proposta = '{}'"), approved.proposal.pk)
    auditor = factories.a_principal(approved.tenant, Role.AUDITOR)
    page = logged_in(auditor).get(_url(approved.proposal)).content.decode()
    assert "O conteúdo guardado não é o proposto" in page
    assert "não conferem" in page


def test_reading_and_taking_the_proof_are_rows_of_the_trail() -> None:
    approved = an_effect()
    client = logged_in(factories.a_principal(approved.tenant, Role.AUDITOR))
    client.get(_url(approved.proposal))
    client.get(f"/aprovacoes/{approved.proposal.ref}/prova.json")
    with tenant_scope(approved.tenant.pk):
        told = AgenteAcao.objects.filter(acao="historico.lido").values_list(
            "saida_resumo", flat=True
        )
        assert sorted(map(str, told)) == [
            f"prova baixada: {approved.proposal.ref}",
            f"prova lida: {approved.proposal.ref}",
        ]


def test_a_run_of_more_rows_than_a_proof_holds_says_so_and_is_not_green(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    approved = an_effect()
    for module in (run_texts, proof_rows):
        monkeypatch.setattr(module, "MOST_ROWS", 2)
    assert (len(proof_of(approved.proposal).linhas)) == 2
    found = lines_of(approved.proposal)
    assert [(found[name].state, found[name].code) for name in ("linhas", "trilha")] == [
        ("unknown", "rows_cut"),
        ("unknown", "rows_cut"),
    ]


def test_a_run_of_as_many_rows_as_a_proof_holds_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    approved = an_effect()
    there_are = len(proof_of(approved.proposal).linhas)
    for module in (run_texts, proof_rows):
        monkeypatch.setattr(module, "MOST_ROWS", there_are)
    assert lines_of(approved.proposal)["linhas"].state == "ok"


def test_a_month_that_a_hold_kept_after_its_line_was_written_is_not_called_expired(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tenant, since = factories.a_tenant(), dt.datetime(1989, 1, 1, tzinfo=dt.UTC)
    with tenant_scope(tenant.pk):
        months.fill_tables(tenant)
        assert run_seals.expired_months(since=since) == ["1990-01"]
        monkeypatch.setattr(catalogue, "months_of", lambda **_using: [dt.date(1990, 1, 1)])
        assert run_seals.expired_months(since=since) == []


def test_reading_the_seals_ends_after_its_time_and_the_transaction_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    approved, slow = an_effect(), tmp_path / "slow.sql"
    seal(approved)
    slow.write_text("SELECT 1, 'x'::bytea FROM pg_sleep(30)")
    monkeypatch.setattr(run_seals, "_SQL", slow)
    with tenant_scope(approved.tenant.pk):
        rows = run_texts.of_run(correlation_id=approved.proposal.correlacao_id).rows
        with pytest.raises(SealsTooSlowError):
            run_seals.over(rows, seconds=0.05)
        assert AgenteAcao.objects.filter(aprovacao_id=approved.proposal.pk).exists()


def test_seals_of_many_short_pages_end_after_their_time_too() -> None:
    approved = an_effect()
    seal(approved)
    with tenant_scope(approved.tenant.pk):
        rows = run_texts.of_run(correlation_id=approved.proposal.correlacao_id).rows
        assert len(run_seals.over(rows, seconds=20)) == 1
        with pytest.raises(SealsTooSlowError):
            run_seals.over(rows, seconds=0)


def test_the_page_says_that_the_seals_took_too_long_and_what_to_ask_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def slow(*_args: object, **_named: object) -> None:
        raise SealsTooSlowError

    approved = an_effect()
    monkeypatch.setattr(run_seals, "over", slow)
    answer = logged_in(factories.a_principal(approved.tenant, Role.AUDITOR)).get(
        _url(approved.proposal)
    )
    assert answer.status_code == 503
    assert "prove_effect" in answer.content.decode()


def test_the_tables_of_the_page_are_in_words_and_not_in_codes() -> None:
    approved = an_effect()
    auditor = factories.a_principal(approved.tenant, Role.AUDITOR)
    page = logged_in(auditor).get(_url(approved.proposal)).content.decode()
    for words in (
        "aprovou",
        "aprovador",
        "Pedido 1",
        "Resposta ao pedido 1",
        "o destino confirmou",
    ):
        assert f">{words}<" in page.replace("> ", ">").replace(" <", "<"), words
    for code in (">aprovar<", ">envio 1<", "<code>ok</code>"):
        assert code not in page


def test_every_outcome_of_an_attempt_has_words() -> None:
    codes = {
        *attempts._NOTHING_DONE, *attempts.PROOFS, attempts.INTERRUPTED, attempts.FOUND,
        attempts.NOTHING, attempts.UNREADABLE, attempts.UNMARKED, "ok",
    }  # fmt: skip
    assert [code for code in sorted(codes) if execution_words.outcome(code) == code] == []


def _url(proposal: AgenteAprovacao) -> str:
    return f"/aprovacoes/{proposal.ref}/prova/"
