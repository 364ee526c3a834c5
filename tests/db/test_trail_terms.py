"""A company's own words are masked in each value of a row, and no row fails by one of them."""

from __future__ import annotations

import pytest

from audit import trail
from audit.models import AgenteAcao, MaskingCount
from audit.reports import catalogue
from audit.review import own_words, terms
from audit.review.errors import TermError
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.reviewing import a_review, an_entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def tenant() -> Tenant:
    made = factories.a_tenant()
    with tenant_scope(made.pk):
        trail.record(an_entry())
    return made


@pytest.fixture
def reader(tenant: Tenant) -> Principal:
    """Whose company masks two words."""
    person = factories.a_principal(tenant, Role.AUDITOR)
    with tenant_scope(tenant.pk):
        review = a_review(person)
        terms.add(person=person, review=review, text="natal")
        terms.add(person=person, review=review, text="projeto fênix")
    return person


def written(**values: object) -> AgenteAcao:
    return AgenteAcao.objects.get(id=trail.record(an_entry(**values)))


def test_a_word_behind_an_escape_of_json_is_masked_and_the_row_is_written(
    tenant: Tenant, reader: Principal
) -> None:
    """Read as text, `fim` and a line's end before `atal` would hold the word."""
    sources: list[dict[str, object]] = [
        {"k": "fim\natal", "fim\nNatal": 'um "natal"\\', "n": [1, None, True, {}, []]}
    ]
    with tenant_scope(tenant.pk):
        row = written(fontes=sources)
        assert row.fontes == [
            {"k": "fim\natal", "fim\n[termo]": 'um "[termo]"\\', "n": [1, None, True, {}, []]}
        ]
        assert MaskingCount.objects.get(trail_row=row.id).count == 2


@pytest.mark.parametrize("gap", ["  ", "\n", "\t", "\u00a0", "\u2009", "\u200b", "\u3000"])
def test_a_word_is_found_whatever_space_is_in_it_and_however_it_is_composed(
    tenant: Tenant, reader: Principal, gap: str
) -> None:
    said = f"o Projeto{gap}Fe\u0302nix"
    with tenant_scope(tenant.pk):
        row = written(saida_resumo=said, fontes=[{"nota": said}])
    assert (row.saida_resumo, row.fontes) == ("o [termo]", [{"nota": "o [termo]"}])


def test_no_shape_of_sources_makes_a_row_fail(tenant: Tenant, reader: Principal) -> None:
    deep: object = "o natal"
    for _ in range(60):
        deep = [deep]
    shapes: list[dict[str, object]] = [
        {"natal": 1, "NATAL": 2}, {"k": "natal " * 80}, {"deep": deep}, {"": ""}, {"n": 10**8},
    ]  # fmt: skip
    with tenant_scope(tenant.pk):
        for shape in shapes:
            assert "natal" not in str(written(fontes=[shape]).fontes).lower()


def test_a_row_without_the_words_is_as_it_was_told(tenant: Tenant, reader: Principal) -> None:
    said = "Um natalício, fe\u0302nix\u200b e mais"
    with tenant_scope(tenant.pk):
        row = written(erro=said, fontes=[{"n": 1.50, "t": said}])
        assert (row.erro, row.fontes) == (said, [{"n": 1.50, "t": said}])
        assert not MaskingCount.objects.filter(trail_row=row.id).exists()


@pytest.mark.parametrize(
    "text",
    [
        "consulta", "relatorio", "Linhas", "documento", "saida_resumo", "repasse.humano", "auditor",
        "quem-leu-o-que", "humana", "conformidade", "titulo", "CPF 529.982.247-25",
    ],
)  # fmt: skip
def test_the_console_s_own_words_and_what_is_masked_anyway_are_no_terms(text: str) -> None:
    with pytest.raises(TermError):
        terms.checked(text)


def test_every_named_query_is_a_word_of_the_console() -> None:
    assert set(catalogue.NAMED) == own_words.QUERIES
