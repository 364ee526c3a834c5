"""A hundred rows by chance, read by a person; what is found becomes a rule for the rows to come."""

from __future__ import annotations

import datetime as dt
import re
import uuid

import pytest
from django.db import connection
from django.utils import timezone

from audit import trail
from audit.guard.kinds import Kind
from audit.models import (
    AgenteAcao,
    GuardTerm,
    MaskingCount,
    TrailReview,
    TrailReviewEnd,
    TrailReviewFinding,
)
from audit.review import presenters, sampling, terms
from audit.review.errors import (
    PeriodError,
    ReviewDoneError,
    TermError,
    TermKnownError,
    TooSlowError,
)
from audit.review.sampling import Found
from audit.time_limit import limited
from opspilot.errors import NotFoundError
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import Browser, a_browser
from tests.db.reviewing import a_review, an_entry

pytestmark = pytest.mark.django_db
START = "/trilha/revisao/"


@pytest.fixture
def tenant() -> Tenant:
    """With 130 rows of this moment."""
    made = factories.a_tenant()
    with tenant_scope(made.pk):
        trail.record_many(an_entry(saida_resumo=f"linha {n}") for n in range(130))
    return made


@pytest.fixture
def reader(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.AUDITOR)


@pytest.fixture
def auditor(tenant: Tenant) -> Browser:
    return a_browser(tenant, Role.AUDITOR)


def today() -> str:
    return timezone.localdate().isoformat()


def test_a_seed_draws_the_same_hundred_rows_and_another_draws_others(
    tenant: Tenant, reader: Principal
) -> None:
    with tenant_scope(tenant.pk):
        first, again, other = (a_review(reader, seed=seed) for seed in (7, 7, 8))
    assert len(first.rows) == len(set(first.rows)) == 100
    assert first.rows == again.rows
    assert first.rows != other.rows


def test_every_row_of_the_period_can_be_drawn_and_no_other_company_s(
    tenant: Tenant, reader: Principal
) -> None:
    other = factories.a_tenant()
    with tenant_scope(other.pk):
        theirs = trail.record_many(an_entry() for _ in range(20))
    with tenant_scope(tenant.pk):
        seen = {row for seed in range(12) for row in a_review(reader, seed=seed).rows}
        assert seen == set(AgenteAcao.objects.values_list("id", flat=True))
    assert seen.isdisjoint(theirs)


@pytest.mark.parametrize(("first", "last"), [(0, 1), (-200, 0), (-100, 0), (1, 3)])
def test_a_period_that_is_no_period_is_refused(
    tenant: Tenant, reader: Principal, first: int, last: int
) -> None:
    day = timezone.localdate()
    if (first, last) == (0, 1):
        first, last = 1, 0
    with tenant_scope(tenant.pk), pytest.raises(PeriodError):
        sampling.draw(person=reader, first=day + dt.timedelta(first), last=day + dt.timedelta(last))


def test_a_hundred_days_are_drawn_from(tenant: Tenant, reader: Principal) -> None:
    day = timezone.localdate()
    with tenant_scope(tenant.pk):
        review = sampling.draw(person=reader, first=day - dt.timedelta(99), last=day)
    assert len(review.rows) == 100


def test_days_are_the_installation_s_whatever_zone_the_reader_is_in(
    tenant: Tenant, reader: Principal
) -> None:
    day = timezone.localdate(timezone=timezone.get_default_timezone())
    before, since = day - dt.timedelta(days=1), set()
    for zone in ("Asia/Tokyo", "America/Sao_Paulo", "Pacific/Honolulu"):
        with tenant_scope(tenant.pk), timezone.override(zone):
            since.add(sampling.draw(person=reader, first=before, last=day, seed=7).since)
    zone_of = timezone.get_default_timezone()
    assert since == {dt.datetime.combine(before, dt.time(), tzinfo=zone_of)}


def test_the_page_names_the_clock_its_days_are_of(tenant: Tenant, reader: Principal) -> None:
    with tenant_scope(tenant.pk):
        review = a_review(reader)
    with timezone.override("Asia/Tokyo"):
        said = presenters.span(review)
    assert said.startswith(f"De {timezone.localtime(review.since):%d/%m/%Y} 00:00:00 até ")
    assert "America/Sao_Paulo" in said


def test_a_draw_that_takes_too_long_is_stopped_and_keeps_the_days(
    tenant: Tenant, auditor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "drawn", slowly)
    response = auditor.client.post(f"{START}sortear/", {"de": today(), "ate": today()})
    page = response.content.decode()
    assert response.status_code == 503
    assert "O sorteio passou de 20 segundos" in page
    assert page.count(f'value="{today()}"') == 2
    with tenant_scope(tenant.pk):
        assert not TrailReview.objects.exists()


def slowly(**_period: object) -> list[int]:
    with limited(TooSlowError, seconds=0.001) as cursor:
        cursor.execute("SELECT pg_sleep(1)")
    return []


def test_a_finished_review_says_who_read_how_many_and_what_was_found(
    tenant: Tenant, reader: Principal
) -> None:
    with tenant_scope(tenant.pk):
        review = a_review(reader)
        found = {review.rows[3]: Found(Kind.CPF), review.rows[9]: Found(Kind.SENSIVEL)}
        sampling.finish(person=reader, review=review, found=found)
        end = TrailReviewEnd.objects.get(review=review)
        assert (end.looked, end.findings, end.by) == (100, 2, reader.subject)
        kinds = dict(TrailReviewFinding.objects.values_list("trail_row", "kind"))
        assert kinds == {review.rows[3]: "cpf", review.rows[9]: "sensivel"}
        told = AgenteAcao.objects.get(acao="trilha.revisada")
        assert told.saida_resumo == f"revisão {review.ref}: 100 linhas, 2 achados"
        with pytest.raises(ReviewDoneError):
            sampling.finish(person=reader, review=review, found={})


def test_a_finding_is_about_a_row_of_the_sample(tenant: Tenant, reader: Principal) -> None:
    with tenant_scope(tenant.pk):
        review = a_review(reader)
        outside = set(AgenteAcao.objects.values_list("id", flat=True)) - set(review.rows)
        with pytest.raises(NotFoundError):
            sampling.finish(person=reader, review=review, found={outside.pop(): Found(Kind.CPF)})


def test_a_word_that_was_found_is_masked_and_counted_in_the_rows_that_follow(
    tenant: Tenant, reader: Principal
) -> None:
    said = "Do PROJETO ZETA ao projeto zetas"
    with tenant_scope(tenant.pk):
        before = trail.record(an_entry(saida_resumo=said))
        terms.add(person=reader, review=a_review(reader), text="projeto  zeta")
        row = AgenteAcao.objects.get(
            id=trail.record(
                an_entry(saida_resumo=said, fontes=[{"projeto zeta": ["Projeto Zeta"]}])
            )
        )
        assert row.saida_resumo == "Do [termo] ao projeto zetas"
        assert row.fontes == [{"[termo]": ["[termo]"]}]
        counted = MaskingCount.objects.filter(trail_row=row.id, kind="termo")
        assert set(counted.values_list("field", "count")) == {("saida_resumo", 1), ("fontes", 2)}
        assert AgenteAcao.objects.get(id=before).saida_resumo == said


def test_the_row_s_hash_is_of_what_is_stored_after_the_word_was_masked(
    tenant: Tenant, reader: Principal
) -> None:
    with tenant_scope(tenant.pk), connection.cursor() as cursor:
        terms.add(person=reader, review=a_review(reader), text="projeto zeta")
        (id_,) = trail.record_many([an_entry(erro="projeto zeta")])
        cursor.execute("SET LOCAL TimeZone = 'UTC'")
        cursor.execute(
            "SELECT linha_hash = sha256(convert_to((to_jsonb(a) - 'linha_hash')::text, 'UTF8')), "
            "erro FROM agente_acao a WHERE id = %s",
            [id_],
        )
        assert cursor.fetchone() == (True, "[termo]")


def test_a_word_is_one_company_s_and_none_of_another(tenant: Tenant, reader: Principal) -> None:
    other = factories.a_tenant()
    with tenant_scope(tenant.pk):
        terms.add(person=reader, review=a_review(reader), text="projeto zeta")
    with tenant_scope(other.pk):
        row = AgenteAcao.objects.get(id=trail.record(an_entry(erro="projeto zeta")))
        assert row.erro == "projeto zeta"
        assert not GuardTerm.objects.exists()


def test_a_word_that_was_taken_off_the_list_stays_in_later_rows(
    tenant: Tenant, reader: Principal
) -> None:
    with tenant_scope(tenant.pk):
        term = terms.add(person=reader, review=a_review(reader), text="projeto zeta")
        with pytest.raises(TermKnownError):
            terms.add(person=reader, review=a_review(reader), text="projeto zeta")
        terms.end(person=reader, ref=term.ref)
        row = AgenteAcao.objects.get(id=trail.record(an_entry(erro="projeto zeta")))
        assert row.erro == "projeto zeta"
        acts = AgenteAcao.objects.filter(acao__startswith="mascara.").order_by("id")
        assert [act.acao for act in acts] == ["mascara.ampliada", "mascara.reduzida"]
        assert "zeta" not in " ".join(str(act.saida_resumo) for act in acts)


@pytest.mark.parametrize(
    "text",
    ["ab", "1234", "null", "sha256", "trecho", 'a"b c', "a\\b c", "c++ (x)", "a.c", "x" * 81],
)
def test_a_word_that_would_break_rows_or_mask_nearly_all_is_refused(text: str) -> None:
    with pytest.raises(TermError):
        terms.checked(text)


def test_a_word_is_taken_literally(tenant: Tenant, reader: Principal) -> None:
    with tenant_scope(tenant.pk):
        terms.add(person=reader, review=a_review(reader), text="projeto.zeta")
        said, other = (
            AgenteAcao.objects.get(id=trail.record(an_entry(erro=text))).erro
            for text in ("projeto.zeta", "projetoxzeta")
        )
    assert (said, other) == ("[termo]", "projetoxzeta")


def test_a_person_draws_marks_and_finishes_in_the_browser(tenant: Tenant, auditor: Browser) -> None:
    page = auditor.send(f"{START}sortear/", de=today(), ate=today(), semente="5")
    with tenant_scope(tenant.pk):
        review = TrailReview.objects.get()
        row = review.rows[0]
    assert "semente 5" in page
    assert len(re.findall(r'name="tipo_\d+"', page)) == 100
    done = auditor.send(
        f"{START}{review.ref}/concluir/", **{f"tipo_{row}": "termo", f"termo_{row}": "projeto zeta"}
    )
    assert "1 achado em 100 linhas" in done
    start = auditor.read(START)
    assert "projeto zeta" in start
    with tenant_scope(tenant.pk):
        assert AgenteAcao.objects.filter(acao="historico.lido").exists()
        term = GuardTerm.objects.get()
    assert "Termo retirado" in auditor.send(f"{START}retirar/", termo=str(term.ref))


def test_a_word_without_a_mark_is_refused_and_kept_on_the_page(
    tenant: Tenant, auditor: Browser, reader: Principal
) -> None:
    with tenant_scope(tenant.pk):
        review = a_review(reader)
    page = auditor.send(
        f"{START}{review.ref}/concluir/", **{f"termo_{review.rows[0]}": "projeto zeta"}
    )
    assert "Este termo não pode ser mascarado" in page
    assert 'value="projeto zeta"' in page
    with tenant_scope(tenant.pk):
        assert not TrailReviewEnd.objects.exists()


@pytest.mark.parametrize("role", [Role.OPERADOR, Role.APROVADOR, Role.ADMIN])
def test_other_roles_do_not_open_it(tenant: Tenant, role: Role) -> None:
    browser = a_browser(tenant, role)
    assert browser.status(START) == 403
    assert "Revisão da trilha" not in browser.read("/trilha/")


def test_another_company_s_review_and_word_look_like_none(
    tenant: Tenant, reader: Principal
) -> None:
    with tenant_scope(tenant.pk):
        review = a_review(reader)
        term = terms.add(person=reader, review=review, text="projeto zeta")
    stranger = a_browser(factories.a_tenant(), Role.AUDITOR)
    for ref in (review.ref, uuid.uuid4()):
        assert stranger.status(f"{START}{ref}/") == 404
    assert stranger.client.post(f"{START}retirar/", {"termo": str(term.ref)}).status_code == 404


def test_an_empty_company_is_told_so(reader: Principal) -> None:
    empty = a_browser(factories.a_tenant(), Role.CONFORMIDADE)
    assert "Nenhuma amostra foi sorteada ainda." in empty.read(START)
    assert "Não há linhas neste período" in empty.send(
        f"{START}sortear/", de=today(), ate=today(), semente=""
    )


def test_of_a_word_the_runtime_role_writes_its_end_and_nothing_else() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = 'guard_term'::regclass "
            "AND attnum > 0 AND has_column_privilege('opspilot_app', attrelid, attnum, 'UPDATE')"
        )
        assert sorted(cursor.fetchall()) == [("ended_at",), ("ended_by",)]
