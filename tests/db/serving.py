"""The server of models as a process, and completers that ask it."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from audit.costs import prices
from opspilot.budgets import limits
from opspilot.budgets.limits import Given
from opspilot.budgets.models import Scope
from opspilot.connectors.completions import OpenAICompleter, Provider
from opspilot.connectors.ports import Completer, ProviderRoute
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.scope import tenant_scope


class Server:
    """A process of its own; its log is the witness of what it was asked."""

    def __init__(self, port: int, log: Path) -> None:
        self.url, self.log = f"http://127.0.0.1:{port}/v1", log

    def asked(self) -> list[dict[str, Any]]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [json.loads(line) for line in lines]

    def named(self, *models: str, route: ProviderRoute = "standard") -> tuple[Completer, ...]:
        """Each with a breaker of its own: those are everybody's."""
        return tuple(completer(self.url, model, route=route) for model in models)


def completer(url: str, model: str, *, route: ProviderRoute = "standard") -> Completer:
    name = uuid.uuid4().hex[:12]
    return OpenAICompleter(Provider(name, url, "chave-secreta", model, 5, 900, route))


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    log = folder / "log.jsonl"
    line = [sys.executable, str(Path(__file__).parents[1] / "model_server.py"), str(log)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield Server(int(process.stdout.readline()), log)
        process.kill()


def price(admin: Principal, models: Iterable[str]) -> None:
    """In the company's scope: two centavos for a thousand tokens in, five for a thousand out."""
    for model in models:
        prices.add(
            admin=admin,
            model=model,
            since=dt.date(2026, 1, 1),
            centavos_in=Decimal(2),
            centavos_out=Decimal(5),
        )


def pay(admin: Principal, models: Iterable[str], *, limit: int = 1000) -> None:
    """A company that has said what it may spend, and what each model costs."""
    with tenant_scope(admin.tenant_id):
        given = Given(Scope.COMPANY, "", Decimal(limit), "limite do mês")
        limits.give(admin=admin, given=given)
        price(admin, models)
