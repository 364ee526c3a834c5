"""A secret that is put into every input, and where it must not come out again.

One storm of requests for the whole file: every address of the console and of the agents' door gets
the canary in path, query, headers and fields, and services are made to fail with it in their own
words. A form that is drawn again shows what was typed to who typed it; an error page, a problem of
the API and a header do not.
"""

from __future__ import annotations

import io
import logging
import os
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
import structlog
from django.contrib.auth import SESSION_KEY
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from opentelemetry import trace
from opentelemetry.instrumentation.django import DjangoInstrumentor
from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pytest_django import DjangoDbBlocker

from opspilot import logs, telemetry
from opspilot.api.routes import PREFIX
from opspilot.exporting import ListedExporter
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from tests import agents, factories
from tests.conftest import Connection

STEP = int(os.environ.get("CANARY_STEP", "4"))  # 1: every address, which takes half a minute
WORD = "gaivota4827"  # no shape of a secret: what keeps it in must not be a pattern
SHAPED = "glpat-Zx81kQ0vW3nRt7bLmC2y"  # and one that every pattern knows
CANARY = f"{WORD} {SHAPED}"
FIELDS = (
    "pergunta", "colecao", "alias", "titulo", "descricao", "etiquetas", "responsaveis", "cliente",
    "justificativa", "template_id", "limit", "motivo", "documento", "texto", "nome", "finalidade",
    "login", "password", "q", "acao_hash", "politica", "regra", "termo", "url", "pasta", "moeda",
    "inesperado",
)  # fmt: skip
# A page may hold its own address: to be opened again in another language, or after a login.
OWN_ADDRESS = re.compile(
    r'<input type="hidden" name="next"[^>]*>|href="/conta/entrar/\?next=[^"]*"'
)


@dataclass
class Storm:
    """What came of all requests, as far as anybody but who typed could see it."""

    tenant: Tenant
    errors: int = 0
    faults: int = 0  # those that a service was made to fail for
    inputs: set[str] = field(default_factory=set)
    shown: list[tuple[str, str]] = field(
        default_factory=list
    )  # (where, page) with the canary in it
    log: str = ""
    spans: list[str] = field(default_factory=list)

    def keep(self, where: str, kind: str, answer: HttpResponseBase) -> None:
        self.inputs.add(kind)
        self.errors += answer.status_code >= 400
        body = getattr(answer, "content", b"").decode(errors="replace")
        body = OWN_ADDRESS.sub("", body)
        seen = str(answer.headers) + ("" if _is_drawn_again(answer) else body)
        if answer.status_code >= 400 and (WORD in seen or SHAPED in seen):
            at = seen.find(WORD if WORD in seen else SHAPED)
            self.shown.append((where, seen[max(0, at - 60) : at + 40]))


def _is_drawn_again(answer: HttpResponseBase) -> bool:
    """A page of ours with its form, and not the page of an error."""
    drawn = {template.name for template in getattr(answer, "templates", []) or []}
    return bool(drawn) and "error.html" not in drawn


@pytest.fixture(scope="module")
def storm(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Storm:
    with django_db_blocker.unblock(), _logged() as stream, _traced() as exporter:
        found = Storm(factories.a_tenant())
        factories.a_policy(found.tenant)
        _at_the_console(found)
        _at_the_door(found)
        _at_the_login(found)
        _failing(found)
        found.log = stream.getvalue()
        found.spans = [span.to_json() for span in exporter.get_finished_spans()]
    return found


class _logged:  # noqa: N801 - read as a condition
    def __enter__(self) -> io.StringIO:
        root = logging.getLogger()
        self.before = list(root.handlers), root.level
        logs.configure({"level": "DEBUG", "format": "json"})
        stream = io.StringIO()
        for handler in root.handlers:
            if isinstance(handler.formatter, structlog.stdlib.ProcessorFormatter):
                assert isinstance(handler, logging.StreamHandler)
                handler.setStream(stream)
        return stream

    def __exit__(self, *_error: object) -> None:
        root = logging.getLogger()
        root.handlers[:], root.level = self.before


class _traced:  # noqa: N801 - read as a condition
    """The instrumentations that production installs, and the product's own spans."""

    def __enter__(self) -> InMemorySpanExporter:
        exporter, provider = InMemorySpanExporter(), TracerProvider()
        provider.add_span_processor(
            SimpleSpanProcessor(ListedExporter(exporter, allowed=telemetry.ALLOWED_ATTRIBUTES))
        )
        self.patched = pytest.MonkeyPatch()
        self.patched.setattr(trace, "get_tracer_provider", lambda: provider)
        self.patched.setattr(telemetry, "_tracer", provider.get_tracer("opspilot"))
        self.instrumented = DjangoInstrumentor(), PsycopgInstrumentor()
        for one in self.instrumented:
            one.instrument(tracer_provider=provider)
        return exporter

    def __exit__(self, *_error: object) -> None:
        for one in self.instrumented:
            one.uninstrument()
        self.patched.undo()


def _paths() -> Iterator[str]:
    """Every address, with the canary where a word stands and a random id where an id does."""
    for route in _routes(get_resolver().url_patterns, ""):
        path = re.sub(r"<uuid:\w+>", str(uuid.uuid4()), route)
        path = re.sub(r"<int:\w+>", "1", path)
        path = re.sub(r"<\w+:\w+>|<\w+>", WORD, path)
        if "(" not in path and "sair" not in path:
            yield "/" + path


def _routes(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[str]:
    for one in patterns:
        here = before + str(one.pattern).lstrip("^")
        if isinstance(one, URLResolver):
            yield from _routes(one.url_patterns, here)
        else:
            yield here


def _at_the_console(found: Storm) -> None:
    client, person = Client(raise_request_exception=False), factories.a_person(found.tenant, *Role)
    headers = {
        "User-Agent": CANARY,
        "Referer": f"http://testserver/{WORD}",
        "X-Request-ID": WORD,
        "Accept-Language": WORD,
        "X-Forwarded-For": WORD,
    }
    for path in [*_paths()][::STEP]:
        if SESSION_KEY not in client.session:  # one of the addresses before ended it
            client.force_login(person)
        found.keep(path, "form", client.post(path, dict.fromkeys(FIELDS, CANARY), headers=headers))
        found.keep(
            path, "query", client.get(path, {"q": CANARY, "pagina": CANARY}, headers=headers)
        )
    client.force_login(person)
    file = SimpleUploadedFile(f"{WORD}.exe", CANARY.encode())
    sent = {"arquivos": [file], "colecao": CANARY}
    found.keep("upload", "upload", client.post("/conhecimento/enviar/", sent))
    found.keep("unknown", "path", client.get(f"/{WORD}/{SHAPED}/"))
    found.keep("host", "host", client.get("/", HTTP_HOST=f"{WORD}.invalid"))
    found.keep("cookie", "cookie", Client().get("/", HTTP_COOKIE=f"sessionid={SHAPED}"))


def _at_the_door(found: Storm) -> None:
    token = agents.a_token(agents.an_agent(found.tenant)).text
    client = Client(raise_request_exception=False)
    bodies = [dict.fromkeys(FIELDS, CANARY), agents.body(comando={"title": CANARY, "alias": WORD})]
    for path in ("aprovacoes", "grounding/consultar", "acoes", "politicas/testar", WORD):
        for body in bodies:
            for key in (f"Bearer {token}", f"Bearer {SHAPED}", CANARY):
                answer = client.post(
                    f"{PREFIX}{path}",
                    body,
                    content_type="application/json",
                    HTTP_AUTHORIZATION=key,
                    HTTP_IDEMPOTENCY_KEY=CANARY,
                )
                found.keep(path, "api", answer)
        broken = client.post(
            f"{PREFIX}{path}",
            f'{{"{CANARY}": ',
            content_type="application/json",
            HTTP_AUTHORIZATION=f"Bearer {token}",
        )
        found.keep(path, "api_broken", broken)


def _at_the_login(found: Storm) -> None:
    client = Client(raise_request_exception=False)
    answer = client.post("/conta/entrar/", {"login": CANARY, "password": CANARY})
    found.keep("login", "login", answer)
    found.keep("stale", "csrf", Client(enforce_csrf_checks=True).post("/perguntar/enviar/", {}))


def _failing(found: Storm) -> None:
    """A fault in the middle of the work, whose own words hold what was typed."""
    client = Client(raise_request_exception=False)
    client.force_login(factories.a_person(found.tenant, *Role))
    with pytest.MonkeyPatch.context() as patched:
        from opspilot.harness import services, task_services

        def fails(*_given: object, **_named: object) -> None:
            raise RuntimeError(f"a row that has {CANARY} in it")

        for module, name in (
            (services, "ask"),
            (services, "open_command"),
            (task_services, "open_task"),
        ):
            patched.setattr(module, name, fails)
        for fields in (
            {"pergunta": CANARY},
            {"pergunta": f"{CANARY}?"},
        ):
            answer = client.post("/perguntar/enviar/", fields)
            found.faults += answer.status_code == 500
            found.keep("fault", "fault", answer)


def test_every_input_was_tried_and_more_than_fifty_errors_came_of_it(storm: Storm) -> None:
    assert storm.inputs >= {
        "form", "query", "upload", "path", "host", "cookie", "api", "api_broken", "login", "fault",
    }  # fmt: skip
    assert storm.errors >= 50
    assert storm.faults >= 2


def test_no_error_shows_it(storm: Storm) -> None:
    assert {where: seen[:160] for where, seen in storm.shown} == {}


def test_no_log_has_it(storm: Storm) -> None:
    assert storm.log
    lines = [line for line in storm.log.splitlines() if WORD in line or SHAPED in line]
    assert {line[:200] for line in lines} == set()


def test_no_span_has_it(storm: Storm) -> None:
    assert storm.spans
    spans = [span for span in storm.spans if WORD in span or SHAPED in span]
    assert {line for span in spans for line in span.splitlines() if WORD in line} == set()
    assert spans == []


def test_no_row_of_the_trail_has_it(storm: Storm, admin: Connection) -> None:
    rows = admin.execute(
        "SELECT acao FROM agente_acao t WHERE tenant_id = %s AND t::text ~* %s",
        [storm.tenant.pk, f"{WORD}|{SHAPED}"],
    ).fetchall()
    assert rows == []
