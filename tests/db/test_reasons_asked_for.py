"""A refused form whose fields are all filled in still says, on its own page, what was refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from opspilot.api import agents as registry
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import agents_asking as agents
from tests.db import stopping as stops
from tests.db.agents_asking import Scene
from tests.db.browsing import as_

pytestmark = pytest.mark.usefixtures("committed")
SHORT = "curto"
WORDS = "Esta decisão pede um motivo com pelo menos 10 caracteres."
Form = tuple[str, dict[str, Any]]


def a_stop(_scene: Scene) -> Form:
    return "/paradas/parar/", {"alvo": "empresa:"}


def the_end_of_a_stop(scene: Scene) -> Form:
    return f"/paradas/{stops.press(scene.tenant).ref}/levantar/", {}


def other_roles(scene: Scene) -> Form:
    person = factories.a_principal(scene.tenant, Role.OPERADOR)
    typed = {"papeis": ["auditor"], "antes": "operador"}
    return f"/acessos/pessoas/{person.user_id}/mudar/", typed


def a_permission(scene: Scene) -> Form:
    details = registry.Details("Agente A", "Estornos", scene.owner.user_id)
    with tenant_scope(scene.tenant.pk):
        registry.create(principal=scene.admins[0], slug="agente-a", details=details)
    spent = {"teto": "500,00", "usos": 10, "periodo": "dia", "usos_periodo": 3, "dias": 30}
    return "/politicas/permissoes/propor/", {"acao": "agente-a:estorno.emitido"} | spent


def the_end_of_a_permission(scene: Scene) -> Form:
    return f"/politicas/permissoes/{agents.permitted(scene).ref}/revogar/", {}


FORMS = [a_stop, the_end_of_a_stop, other_roles, a_permission, the_end_of_a_permission]


@pytest.mark.parametrize("form", FORMS)
def test_a_reason_that_is_too_short_is_said_on_the_page_it_was_written_on(
    form: Callable[[Scene], Form],
) -> None:
    scene = agents.a_scene()
    path, typed = form(scene)
    answer = as_(scene.admins[0]).just_proved().client.post(path, typed | {"motivo": SHORT})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert WORDS in page
    assert SHORT in page.partition("<textarea")[2].partition("</textarea>")[0]
